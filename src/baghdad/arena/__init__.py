"""Measures bots against each other: every deal in all seats, intervals that can be believed."""

from .cluster import ClusterError
from .match import Match, Played, play_deal, play_game
from .report import html_report
from .results import FingerprintError, ResultError, Results, read_results
from .runner import MatchError, Outcome, run
from .statistics import Interval, Sprt, elo
from .summary import summarize

__all__ = [
    "ClusterError",
    "FingerprintError",
    "Interval",
    "Match",
    "MatchError",
    "Outcome",
    "Played",
    "ResultError",
    "Results",
    "Sprt",
    "elo",
    "html_report",
    "play_deal",
    "play_game",
    "read_results",
    "run",
    "summarize",
]
