"""What becomes of a command: the event that it makes, or a refusal. Pure: chance is given."""
