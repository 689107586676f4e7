"""Compiles the functions of the engine."""

from baghdad.jit.compiler import compiler

from . import SOURCES

rule = compiler(SOURCES)
"""Compiles one function of the rules."""
