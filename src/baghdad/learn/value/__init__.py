"""Trains the value networks: positions of all moments out of many kinds of games, and who won."""
