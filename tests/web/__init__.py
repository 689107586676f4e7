"""The browser game in a real browser."""
