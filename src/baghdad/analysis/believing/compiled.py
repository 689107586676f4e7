"""Compiles the walk through histories, together with what it calls of the network's sight and the
rules."""

from baghdad.jit.compiler import compiler

from . import SOURCES

compiled = compiler(SOURCES)
"""Compiles one function."""
noinline = compiler(SOURCES, forceinline=False)
"""Compiles one that is called in several places of another, and is too long for as many copies."""
