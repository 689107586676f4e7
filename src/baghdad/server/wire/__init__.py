"""What clients send and get, and who may see what of it."""
