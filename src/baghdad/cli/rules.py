"""`baghdad rules`: the rules of the game, in our words."""

import argparse
import json
import shutil
import textwrap

from ..text import catalogue

SECTIONS = {"R1": "material", "R5": "setup", "R9": "turn", "R19": "robbing", "R22": "drawing"}
"""The heading that comes before a rule."""
WIDEST = 88


def run(options: argparse.Namespace, language: str) -> int:
    """Print the rules."""
    texts = catalogue("rules", options.language or language)
    if options.json:
        print(json.dumps(texts, ensure_ascii=False, indent=2))
        return 0
    width = min(WIDEST, shutil.get_terminal_size().columns)
    print(f"{texts['title']}\n\n{textwrap.fill(texts['intro'], width)}")
    for key, text in texts.items():
        heading = texts.get(SECTIONS.get(key, "options" if key == "option.variant" else ""))
        if heading:
            print(f"\n{heading}\n")
        name = key.removeprefix("option.")
        if name != key or (key[0] == "R" and key[1:].isdecimal()):
            print(
                textwrap.fill(text, width, initial_indent=f"{name:<8}", subsequent_indent=" " * 8)
            )
    return 0
