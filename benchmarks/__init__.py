"""What is measured of Baghdad: figures for docs/, each printed by a command here."""
