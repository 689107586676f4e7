"""Compiles the loops around the network, together with the rules that they call."""

from baghdad.jit.compiler import compiler

from . import SOURCES

compiled = compiler(SOURCES)
"""Compiles one function."""
fastmath = compiler(SOURCES, fastmath=True)
"""Compiles a function whose sums may be added up in any order."""
noinline = compiler(SOURCES, fastmath=True, forceinline=False)
"""Compiles one of those that is called in several places of another, and is too long for as many
copies."""
