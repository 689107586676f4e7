"""What a table is and what can happen at it: events, commands, and the table they add up to."""
