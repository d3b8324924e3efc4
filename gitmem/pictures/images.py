"""The pixels of a picture. The only user of Pillow; the size is looked at before decoding."""

import io
import warnings
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from gitmem.errors import EnvironmentProblem, InvalidError, install
from gitmem.pictures import forms

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_PIXELS: Final = 40_000_000
"""Above what screens show (8K is 33 million); larger pictures are not decoded."""
_LONGEST_SIDE: Final = 8_000
_SEARCHED: Final = 736
"""The model that finds lines enlarges a picture whose shorter side is less, to this."""
_WIDEST: Final = 4_000
"""Where a side would then be longer than so, there is paper put beside it instead."""
_LEAST_SIDE: Final = 8
Colour = tuple[int, int, int]
_PAPER: Final[Colour] = (255, 255, 255)
_FAINT: Final = 64
"""Of 255: what differs less from the background than so, against the darkest ink, is none."""
_FLAT: Final = 24
"""Of 255: a strip that differs less is empty."""


class Box(NamedTuple):
    """A rectangle in pixels; right and bottom lie outside."""

    left: int
    top: int
    right: int
    bottom: int


class Strip:
    """A line of a screen as dark ink on white paper, whatever its theme.

    Args:
        image: the line, in shades of grey.
        paper: the colour that its background had.

    """

    def __init__(self, image: "Image", paper: Colour) -> None:
        self._image = image
        self.paper = paper

    @cached_property
    def _dark(self) -> "Image":
        return self._image.point([255 if value < 255 - _FAINT else 0 for value in range(256)])

    @cached_property
    def ink(self) -> list[bool]:
        """Tell for each column whether there is ink in it."""
        from PIL.Image import Resampling

        dark = self._dark
        # A column's mean is above zero if any of its pixels is: 255 / height does not round to 0.
        row = dark.resize((dark.width, 1), Resampling.BOX)
        return [value > 0 for value in row.tobytes()]

    @cached_property
    def bands(self) -> list[tuple[int, int]]:
        """Give where there is ink from top to bottom: rows of pixels, the last lies outside."""
        dark = self._dark
        tall = dark.height
        filled = [bool(dark.crop((0, y, dark.width, y + 1)).getbbox()) for y in range(tall)]
        ends = [y for y in range(tall + 1) if (y < tall and filled[y]) != (y > 0 and filled[y - 1])]
        return list(zip(ends[::2], ends[1::2], strict=True))

    def extent(self, left: float, right: float) -> Box | None:
        """Give where the ink between two columns lies; None if there is none."""
        across = max(0, round(left)), min(self._image.width, round(right))
        if across[0] >= across[1]:
            return None
        box = self._dark.crop((across[0], 0, across[1], self._image.height)).getbbox()
        if box is None:
            return None
        left_rim, top, right_rim, bottom = box
        return Box(left_rim + across[0], top, right_rim + across[0], bottom)

    @property
    def height(self) -> int:
        """Pixels from top to bottom."""
        return self._image.height

    def cut(self, left: float, right: float) -> "Strip":
        """Give the part between two columns."""
        box = (max(0, round(left)), 0, min(self._image.width, round(right)), self._image.height)
        return Strip(self._image.crop(box), self.paper)

    def data(self, height: int, stretch: float) -> bytes:
        """Give the strip as a file for the reader.

        Args:
            height: in pixels.
            stretch: how much wider than tall the letters become.

        """
        from PIL import Image, ImageOps

        factor = height / self._image.height
        size = (max(1, round(self._image.width * factor * stretch)), height)
        part = self._image.resize(size, Image.Resampling.BICUBIC)
        # Letters at the rim are read badly.
        rim = height // 6
        return _encoded(ImageOps.expand(part, (rim, rim // 2, rim, rim // 2), 255).convert("RGB"))


class Screen:
    """A picture that has passed all checks.

    Args:
        image: in RGB.

    """

    def __init__(self, image: "Image") -> None:
        self._image = image

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self._image.size

    def data(self, factor: float = 1) -> bytes:
        """Give the whole as a file to be searched, its sides so many times as long."""
        from PIL import Image
        from PIL.Image import Resampling

        width, height = self._image.size
        size = (max(1, round(width * factor)), max(1, round(height * factor)))
        image = self._image.resize(size, Resampling.BICUBIC) if factor != 1 else self._image
        if min(size) < _SEARCHED and max(size) * _SEARCHED > _WIDEST * min(size):
            wide = Image.new("RGB", (max(size[0], _SEARCHED), max(size[1], _SEARCHED)), _PAPER)
            wide.paste(image)
            image = wide
        return _encoded(image)

    def strip(self, box: Box) -> Strip | None:
        """Cut out a line: how far each pixel is from the background; None if it is empty."""
        from PIL import Image, ImageChops, ImageOps

        part = self._image.crop(box)
        colours = part.getcolors(part.width * part.height) or [(0, _PAPER)]
        # Of pixels in RGB, which the stubs can't know.
        background = cast("Colour", max(colours, key=lambda colour: colour[0])[1])
        apart = ImageChops.difference(part, Image.new("RGB", part.size, background))
        red, green, blue = apart.split()
        ink = ImageChops.lighter(ImageChops.lighter(red, green), blue)
        darkest = max(value for value, count in enumerate(ink.histogram()) if count)
        if darkest < _FLAT:
            return None
        return Strip(ImageOps.invert(ImageOps.autocontrast(ink)), background)


def load(data: bytes, name: str) -> Screen:
    """Decode a picture; of a moving one the first frame, transparent ones on white.

    Args:
        data: the file.
        name: what it is called, for messages.

    Raises:
        EnvironmentProblem: the extra is not installed.
        InvalidError: it is no picture of a known form, or too large, too small or damaged.

    """
    try:
        from PIL import Image, ImageOps
    except ImportError:
        raise EnvironmentProblem("reading pictures needs Pillow", install("ocr")) from None
    if not forms.form(data):
        raise InvalidError(
            f"{name} is not a picture that can be read", "give a PNG, JPEG, WebP or GIF file"
        )
    picture_form = forms.form(data)
    try:
        with warnings.catch_warnings():
            # Our own limit, below, is lower than the one Pillow warns of.
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            opened = Image.open(io.BytesIO(data), formats=[picture_form.upper()])
        _check_size(opened.width, opened.height, name)
        # The first frame only; EXIF says which way up it is, and is gone with the conversion.
        image = ImageOps.exif_transpose(opened)
        if image.has_transparency_data:
            image = image.convert("RGBA")
            paper = Image.new("RGBA", image.size, (*_PAPER, 255))
            image = Image.alpha_composite(paper, image)
        return Screen(image.convert("RGB"))
    except Image.DecompressionBombError:
        raise _too_large(name) from None
    except InvalidError:
        raise
    except (OSError, ValueError, SyntaxError, EOFError, MemoryError, IndexError, TypeError):
        raise InvalidError(
            f"{name} is a damaged {picture_form.upper()} picture", "save it, or take it again"
        ) from None


def _check_size(width: int, height: int, name: str) -> None:
    if width * height > MOST_PIXELS:
        raise _too_large(name, f": {width} x {height}")
    if max(width, height) > _LONGEST_SIDE:
        raise InvalidError(
            f"{name} is {width} x {height}, longer than {_LONGEST_SIDE} pixels",
            "cut out the part that shows the error",
        )
    if min(width, height) < _LEAST_SIDE:
        raise InvalidError(
            f"{name} is only {width} x {height} pixels", "give a picture that shows text"
        )


def _too_large(name: str, hint: str = "") -> InvalidError:
    return InvalidError(
        f"{name} has more than {MOST_PIXELS // 1_000_000} million pixels{hint}",
        "cut out the part that shows the error",
    )


def _encoded(image: "Image") -> bytes:
    file = io.BytesIO()
    image.save(file, "BMP")
    return file.getvalue()
