"""Tables that are awake: actors, bots, timers."""
