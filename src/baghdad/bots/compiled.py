"""Compiles the bots' inner loops, together with the rules that they call."""

from baghdad.jit.compiler import compiler

from . import SOURCES

fast = compiler(SOURCES)
"""Compiles one function of the bots."""
apart = compiler(SOURCES, forceinline=False)
"""Compiles one that is called in several places of another, and is too long for as many copies."""
pasted = compiler(SOURCES, inline="always")
"""Compiles one only as a part of its callers. Long chains of calls are slow to compile otherwise:
Numba optimizes everything below again at each link."""
