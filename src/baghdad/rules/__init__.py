"""The rules of a game and what is written and said of it. Of the rest it imports only
texts and the compiler."""
