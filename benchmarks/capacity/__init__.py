"""How far it scales, by simulation and on paper: `python -m benchmarks.capacity`."""
