"""What a table is and what can happen at it: pure functions over events."""
