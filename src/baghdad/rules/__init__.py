"""The rules: state, actions, legality, chance, notation and views. Knows no other room."""
