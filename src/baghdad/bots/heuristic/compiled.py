"""Compiles the heuristic's inner loops, together with the rules that they call."""

from baghdad.jit.compiler import compiler

from . import SOURCES

compiled = compiler(SOURCES)
"""Compiles one function."""
inline = compiler(SOURCES, inline="always")
"""Compiles one only as a part of its callers. Long chains of calls are slow to compile otherwise:
Numba optimizes everything below again at each link."""
