"""The icons of the installed page as PNG, drawn from web/public/icon.svg by a real browser.

Run `python tools/icons.py` after a change of the drawing; what it writes is kept beside it. `any`
is the drawing as it is; `maskable` fills the square and keeps the drawing within the circle that
every system leaves of it, as does `touch`, which iOS asks for.
"""

import re
from pathlib import Path

from playwright.sync_api import sync_playwright

PUBLIC = Path(__file__).parents[1] / "web" / "public"
CHROMIUM = Path("/usr/bin/chromium")
"""The system's own; where there is none, the one that Playwright downloads."""
SIZES = {"any": (192, 512), "maskable": (192, 512), "touch": (180,)}
SAFE = 0.82
"""How large the drawing is in an icon that others cut: 0.8 of the square is never cut away."""


def whole(svg: str) -> str:
    """The drawing without its round corners, smaller, on a ground that goes on to the edges."""
    ground, earth, *building = re.findall(r"<(?:rect|path)[^>]*/>", svg)
    assert "rx=" in ground, "first the sky"
    colour = re.search(r'fill="(#\w+)"', earth)
    assert colour, "then the earth"
    shift = (1 - SAFE) * 32
    horizon = 50 * SAFE + shift
    return str(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">'
        + ground.replace('rx="14"', "")
        + f'<path d="M0 {horizon}h64V64H0z" fill="{colour[1]}"/>'
        + f'<g transform="translate({shift} {shift}) scale({SAFE})">{"".join(building)}</g></svg>'
    )


def main() -> None:
    svg = (PUBLIC / "icon.svg").read_text("utf-8")
    with sync_playwright() as playwright:
        found = str(CHROMIUM) if CHROMIUM.exists() else None
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        for purpose, sizes in SIZES.items():
            for size in sizes:
                page = browser.new_page(viewport={"width": size, "height": size})
                drawn = svg if purpose == "any" else whole(svg)
                page.set_content(f"<style>body{{margin:0}}svg{{display:block}}</style>{drawn}")
                path = PUBLIC / f"icon-{purpose}-{size}.png"
                page.screenshot(path=path, omit_background=True)
                page.close()
        browser.close()


if __name__ == "__main__":
    main()
