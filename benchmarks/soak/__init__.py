"""A day in an hour: a server with everything that happens to one: `python -m benchmarks.soak`."""
