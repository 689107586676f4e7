"""Compiles the expert's thinking, together with what it calls of other players and of the rules."""

from baghdad.jit.compiler import compiler

from . import SOURCES

compiled = compiler(SOURCES)
"""Compiles one function."""
noinline = compiler(SOURCES, forceinline=False)
"""Compiles one that several others call, and is too long for as many copies."""
