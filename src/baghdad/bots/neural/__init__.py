"""Players with a trained network: one follows its policy, one searches with it."""
