"""Messages: what clients send, what they are sent, and which of it each audience may see."""
