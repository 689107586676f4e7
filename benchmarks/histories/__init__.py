"""Histories of commands, answers and events, and whether they can have been true."""
