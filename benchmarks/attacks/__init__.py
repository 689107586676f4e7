"""What one visitor can do to the others: `python -m benchmarks.attacks`."""
