"""Finished games as something to look at: steps of a replay, and one file that needs no server."""
