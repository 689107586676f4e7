"""Compiles the search's inner loops, together with the heuristic and the rules that they call."""

from baghdad.jit.compiler import compiler

from . import SOURCES

compiled = compiler(SOURCES)
"""Compiles one function."""
noinline = compiler(SOURCES, forceinline=False)
"""Compiles one that is called in several places of another, and is too long for as many copies."""
inline = compiler(SOURCES, inline="always")
"""Compiles one only as a part of its callers. Long chains of calls are slow to compile otherwise:
Numba optimizes everything below again at each link."""
