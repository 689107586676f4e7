"""How fast, accessible and well built the pages are, by Google's Lighthouse."""
