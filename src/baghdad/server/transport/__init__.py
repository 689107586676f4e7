"""HTTP and WebSocket: who may connect, how fast, and what they are served."""
