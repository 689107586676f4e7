"""The server, tested through its interfaces."""
