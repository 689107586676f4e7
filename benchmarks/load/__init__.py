"""The server under load, beside boardgame.io's: `python -m benchmarks.load`."""
