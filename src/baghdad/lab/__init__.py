"""The laboratory: questions about the game itself, answered by many games of bots."""

from .players import ROSTERS, HeuristicPlayer, NetworkPlayer, Player, Roster
from .questions import QUESTIONS, Answer, ask, games_to_play
from .setup import Setup
from .trial import Trial, play_trials

__all__ = [
    "QUESTIONS",
    "ROSTERS",
    "Answer",
    "HeuristicPlayer",
    "NetworkPlayer",
    "Player",
    "Roster",
    "Setup",
    "Trial",
    "ask",
    "games_to_play",
    "play_trials",
]
