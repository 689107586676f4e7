"""What a seat could think the others held, from the record of a game as that seat knows it."""
