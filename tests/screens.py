"""Pictures of terminals, drawn as terminals draw them: letters in cells, colours, a theme."""

import io
import os
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from PIL import Image, ImageDraw, ImageFont

_FONTS: Final = "/usr/share/fonts/truetype"
_MORE: Final = os.environ.get("GITMEM_TEST_FONTS", "")  # a folder with packages of @fontsource
# What is on the machine is drawn with.
FONTS: Final = {
    "dejavu": f"{_FONTS}/dejavu/DejaVuSansMono.ttf",
    "dejavu-bold": f"{_FONTS}/dejavu/DejaVuSansMono-Bold.ttf",
    "dejavu-oblique": f"{_FONTS}/dejavu/DejaVuSansMono-Oblique.ttf",
    "liberation": f"{_FONTS}/liberation/LiberationMono-Regular.ttf",
    **{
        name: f"{_MORE}/{name}/files/{name}-latin-400-normal.woff"
        for name in ("cousine", "fira-code", "jetbrains-mono", "source-code-pro", "ubuntu-mono")
    },
}
_SGR: Final = re.compile(r"\x1b\[([\d;]*)m")
Colour = tuple[int, int, int]


class Theme(NamedTuple):
    """Paper, ink, and the colours 1 to 7 of the terminal."""

    paper: Colour
    ink: Colour
    red: Colour
    cyan: Colour
    yellow: Colour


THEMES: Final = {
    "light": Theme((255, 255, 255), (30, 30, 30), (205, 49, 49), (5, 130, 150), (148, 120, 0)),
    "dark": Theme((30, 30, 30), (212, 212, 212), (244, 71, 71), (41, 184, 219), (229, 229, 16)),
    "solarized": Theme((0, 43, 54), (131, 148, 150), (220, 50, 47), (42, 161, 152), (181, 137, 0)),
    "paper": Theme((253, 246, 227), (101, 123, 131), (220, 50, 47), (42, 161, 152), (181, 137, 0)),
    "dracula": Theme((40, 42, 54), (248, 248, 242), (255, 85, 85), (139, 233, 253), (241, 250, 140)),
    "green": Theme((0, 0, 0), (0, 220, 80), (0, 220, 80), (0, 220, 80), (0, 220, 80)),
}  # fmt: skip


class Style(NamedTuple):
    """How a terminal looks: a name of ``FONTS``, its size in pixels, a name of ``THEMES``."""

    font: str
    size: int
    theme: str


def there(style: Style) -> bool:
    """Tell whether the style's font is on this machine."""
    return os.path.exists(FONTS[style.font])


def plain(text: str) -> str:
    """Give a text as it is shown: without colours, tabs as blanks."""
    return "\n".join(line.expandtabs(8).rstrip() for line in _SGR.sub("", text).split("\n"))


def terminal(text: str, style: Style, form: str = "PNG") -> bytes:
    """Draw a text; its ANSI colours are the theme's."""
    theme = THEMES[style.theme]
    font = ImageFont.truetype(FONTS[style.font], style.size)
    box = font.getbbox("Mg|_")
    cell, tall = font.getlength("M"), round((box[3] - box[1]) * 1.3) + 1
    lines = text.rstrip("\n").split("\n")
    longest = max(font.getlength(line) for line in plain(text).split("\n"))
    size = (round(longest + 3 * cell), tall * len(lines) + 2 * tall)
    image = Image.new("RGB", size, theme.paper)
    draw = ImageDraw.Draw(image)
    for number, line in enumerate(lines):
        across = cell
        for piece, ink, paper in _pieces(line.expandtabs(8), theme):
            wide = font.getlength(piece)
            if paper != theme.paper:
                draw.rectangle((across, (number + 1) * tall, across + wide, (number + 2) * tall), paper)
            draw.text((across, (number + 1) * tall), piece, ink, font)
            across += wide
    file = io.BytesIO()
    image.save(file, form)
    return file.getvalue()


def _pieces(line: str, theme: Theme) -> Iterator[tuple[str, Colour, Colour]]:
    ink, paper = theme.ink, theme.paper
    parts = _SGR.split(line)
    for number, part in enumerate(parts):
        if number % 2 == 0:
            if part:
                yield part, ink, paper
            continue
        for code in part.split(";"):
            colour = {"1": theme.red, "6": theme.cyan, "3": theme.yellow}.get(code[1:])
            if code in {"", "0"}:
                ink, paper = theme.ink, theme.paper
            elif code == "7":
                ink, paper = paper, ink
            elif code[:1] in {"3", "9"} and len(code) == 2:
                ink = colour or theme.ink
