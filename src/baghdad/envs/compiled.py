"""Compiles the environments' inner loops, together with the rules that they call."""

from baghdad.jit.compiler import compiler

from . import SOURCES

compiled = compiler(SOURCES)
"""Compiles one function of the environments."""
