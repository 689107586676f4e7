"""The opponent in the guided first game, and the script of that game."""
