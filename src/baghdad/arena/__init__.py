"""Measures bots against each other: every deal in all seats, intervals that can be believed."""
