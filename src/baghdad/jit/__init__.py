"""Compiles functions with Numba where it exists, and keeps what was compiled in a cache."""
