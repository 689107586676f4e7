"""The routes of HTTP, a file for each thing that is asked for."""
