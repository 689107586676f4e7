"""The laboratory: questions about the game itself, answered by many games of bots."""
