"""Compiles what chooses between players, together with all of them."""

from baghdad.jit.compiler import compiler

from . import SOURCES

compiled = compiler(SOURCES)
"""Compiles one function."""
noinline = compiler(SOURCES, forceinline=False)
"""Compiles one that several others call, and is too long for as many copies."""
