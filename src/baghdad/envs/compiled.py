"""Compiles the environments' inner loops, together with the rules that they call."""

from ..rules.compiled import compiler
from . import SOURCES

fast = compiler(SOURCES)
"""Compiles one function of the environments."""
