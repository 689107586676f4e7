"""Faults of every kind while people play at several servers: `python -m benchmarks.faults`."""
