"""A player that plans its turn with a beam over tuned values, and its milder relatives."""
