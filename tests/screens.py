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
# What a screenshot of these tests shows, and what a model that sees is to answer for it.
TRACE: Final = """Traceback (most recent call last):
  File "src/clock.py", line 12, in is_late
    return due < datetime.now(UTC)
TypeError: can't compare offset-naive and offset-aware datetimes"""
SEEN: Final = {
    "error_type": "TypeError", "message": "can't compare them", "file": "src/clock.py", "line": 12,
    "key_frames": ["src/clock.py:12 is_late"], "visible_code": "return due < datetime.now(UTC)",
    "suspected_cause": "due has no time zone.", "confidence": "medium",
}  # fmt: skip
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
    "dracula": Theme((40, 42, 54), (248, 248, 242), (255, 85, 85), (139, 233, 253), (241, 250, 9)),
    "green": Theme((0, 0, 0), (0, 220, 80), (0, 220, 80), (0, 220, 80), (0, 220, 80)),
}  # fmt: skip


class Style(NamedTuple):
    """How a terminal looks, and how its picture was taken.

    Attributes:
        font: a name of ``FONTS``.
        size: of the letters, in pixels.
        theme: a name of ``THEMES``.
        window: with the window's frame and title.
        form: as which the picture was saved.

    """

    font: str
    size: int
    theme: str
    window: bool = False
    form: str = "PNG"

    def __str__(self) -> str:
        more = f" {self.form}" if self.form != "PNG" else ""
        return f"{self.font} {self.size} {self.theme}{' window' if self.window else ''}{more}"


def there(style: Style) -> bool:
    """Tell whether the style's font is on this machine."""
    return os.path.exists(FONTS[style.font])


def plain(text: str) -> str:
    """Give a text as it is shown: without colours, tabs as blanks."""
    return "\n".join(line.expandtabs(8).rstrip() for line in _SGR.sub("", text).split("\n"))


def terminal(text: str, style: Style) -> bytes:
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
        across, down = cell, (number + 1) * tall
        for piece, ink, paper in _pieces(line.expandtabs(8), theme):
            wide = font.getlength(piece)
            if paper != theme.paper:
                draw.rectangle((across, down, across + wide, down + tall), paper)
            draw.text((across, down), piece, ink, font)
            across += wide
    if style.window:
        image = _framed(image, font)
    file = io.BytesIO()
    image.save(file, style.form, quality=85)
    return file.getvalue()


def _framed(image: Image.Image, font: ImageFont.FreeTypeFont) -> Image.Image:
    """Put a window around a terminal: a grey frame, a title, three buttons."""
    bar = 34
    window = Image.new("RGB", (image.width + 40, image.height + bar + 40), (90, 120, 160))
    draw = ImageDraw.Draw(window)
    draw.rounded_rectangle((19, 19, image.width + 20, image.height + bar + 20), 8, (60, 60, 64))
    for number, colour in enumerate(((255, 95, 87), (254, 188, 46), (40, 200, 64))):
        draw.ellipse((30 + 22 * number, 29, 42 + 22 * number, 41), colour)
    title = font.font_variant(size=13)
    draw.text((window.width // 2, 36), "ann@shop: ~/project", (200, 200, 200), title, "mm")
    window.paste(image, (20, 20 + bar))
    return window


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
