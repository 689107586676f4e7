"""Reinforcement learning by self-play (PPO) on many games at once, with PyTorch (`baghdad[train]`).

What is learned is played by `bots.neural`, without PyTorch.
"""
