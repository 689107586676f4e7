"""Tables that are awake: the registry, an actor for each, its bots and its timers."""
