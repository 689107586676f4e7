"""The rules: state, actions, legality, chance, notation and views. Knows no other room."""

from pathlib import Path

from .sources import Sources

SOURCES = Sources(Path(__file__).parent)
