"""Games on file, and the beginning of one."""

from pathlib import Path

DATA = Path(__file__).parents[1] / "data"
GAMES = ["2-standard-arrival-hidden-thieving", "3-neutral-smuggle-seen-thieving",
         "4-standard-arrival-hidden-hoarding"]  # fmt: skip
HEADERS = '[Players "2"]\n[Variant "standard"]\n[Rob "arrival"]\n[Hands "hidden"]\n[Result "*"]\n'
BEGINNING = f"""{HEADERS}
@R @G
@W @R
@B @P
@Y @Y
=RRRRGW =GGGPPBY
+R(RR) +R(RR) R>>G(G) . =WPB
-* =RYY
"""


def text_of(name: str) -> str:
    return (DATA / f"{name}.txt").read_text("utf-8")
