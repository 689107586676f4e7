"""The command line, called as a program would."""

from baghdad.cli import main


def call(*arguments: object) -> int:
    """Its exit code, whichever way it ends."""
    try:
        return main([str(each) for each in arguments])
    except SystemExit as stop:
        return int(stop.code or 0)
