"""The game without a server: the page as one HTML file, or as a folder for any static host."""
