"""Learning to play: a network, self-play on many games at once, and what ships of it.

Needs PyTorch (`baghdad[train]`). What is learned is played by `bots`, without it.
"""
