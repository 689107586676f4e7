"""The rules of a game and what is written and said of it. It knows no other room."""
