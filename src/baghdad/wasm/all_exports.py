"""All functions of the module, by subject."""

from .exports import analyst, chance, chances, game, minds, seats
from .exports.export import MARKED

SUBJECTS = (game, chance, seats, minds, analyst, chances)
EXPORTS = {
    export.name: export
    for subject in SUBJECTS
    for export in MARKED.values()
    if export.function.__module__ == subject.__name__
}
"""By name."""
