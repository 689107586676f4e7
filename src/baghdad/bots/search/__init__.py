"""A player that tries whole turns out in deals that could be the true one."""
