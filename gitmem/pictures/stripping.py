"""Removes metadata from pictures: what is not needed to show the pixels (pure).

Nothing is decoded: the parts of the file are walked, and only those on a list of known harmless
ones are kept. So position, camera, names, comments, thumbnails, further pictures and what was
put behind the end are gone, the pixels are what they were, and no extra has to be installed.
"""

import struct
from collections.abc import Callable, Iterator
from typing import Final

from gitmem.errors import InvalidError
from gitmem.pictures import forms
from gitmem.pictures.orientation import orientation, upright

# What changes how pixels look. A colour profile may hold names and is left out.
_PNG_KEPT: Final = frozenset({
    b"IHDR", b"PLTE", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"IDAT", b"IEND",
})  # fmt: skip
_WEBP_KEPT: Final = frozenset({b"VP8 ", b"VP8L", b"VP8X", b"ALPH", b"ANIM", b"ANMF"})
# Of VP8X's flags: profile, EXIF and XMP.
_WEBP_FLAGS: Final = 0x20 | 0x08 | 0x04
_SOI, _EOI, _SOS, _APP0, _APP1, _ADOBE, _COMMENT = 0xD8, 0xD9, 0xDA, 0xE0, 0xE1, 0xEE, 0xFE
_BARE: Final = frozenset({0x01, *range(0xD0, 0xD8)})
_GIF_TRAILER, _GIF_EXTENSION, _GIF_IMAGE = 0x3B, 0x21, 0x2C
_GIF_CONTROL, _GIF_APPLICATION = 0xF9, 0xFF


def stripped(data: bytes, name: str) -> bytes:
    """Give the file without its metadata; other files than pictures as they are.

    Args:
        data: the file.
        name: what it is called, for messages.

    Raises:
        InvalidError: it is a picture that is cut off or damaged, or of a form whose metadata
            we can't take out.

    """
    picture_form = forms.form(data)
    if not picture_form:
        if other := forms.opaque(data):
            raise InvalidError(
                f"{name}: place and camera data can't be removed from a {other} picture",
                "convert it to PNG, JPEG, WebP or GIF",
                "attachments",
            )
        return data
    try:
        return b"".join(_WALKS[picture_form](data))
    except (IndexError, struct.error, ValueError):
        raise InvalidError(
            f"{name} is a damaged {picture_form.upper()} picture",
            "save it, or take it again",
            "attachments",
        ) from None


def _png(data: bytes) -> Iterator[bytes]:
    yield data[:8]
    at, kind = 8, b""
    # What ends between two parts has lost pixels only; whoever reads it says so.
    while kind != b"IEND" and at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        end = at + 12 + size
        if end > len(data):
            raise ValueError(kind)
        if kind in _PNG_KEPT:
            yield data[at:end]
        at = end


def _jpeg(data: bytes) -> Iterator[bytes]:
    yield data[:2]
    turned = orientation(data)
    at, marker = 2, _SOI
    while marker != _EOI:
        if data[at] != 0xFF:  # noqa: PLR2004  what begins each marker
            raise ValueError(at)
        marker = data[at + 1]
        if marker == 0xFF:  # noqa: PLR2004  filling
            at += 1
            continue
        if marker == _EOI or marker in _BARE:
            yield data[at : at + 2]
            at += 2
            continue
        (size,) = struct.unpack_from(">H", data, at + 2)
        end = at + 2 + size
        if end > len(data):
            raise ValueError(at)
        yield from _segment(data[at:end], marker)
        if turned != 1:
            yield upright(turned)
            turned = 1
        at = end
        if marker == _SOS:
            end = _scan_end(data, at)
            yield data[at:end]
            at = end


def _segment(segment: bytes, marker: int) -> Iterator[bytes]:
    if marker == _APP0:
        # Only the density; its thumbnail and extensions are left out.
        if segment[4:9] == b"JFIF\0":
            yield b"\xff\xe0\x00\x10" + segment[4 : 4 + 12] + b"\0\0"
    elif marker == _ADOBE and segment[4:9] == b"Adobe":
        yield segment  # says how the colours are coded
    elif not (_APP0 <= marker <= 0xEF or marker == _COMMENT):  # noqa: PLR2004  the last APP
        yield segment


def _scan_end(data: bytes, at: int) -> int:
    """Find the marker that ends the entropy-coded data from ``at`` on."""
    while True:
        at = data.index(b"\xff", at)
        if data[at + 1] != 0 and data[at + 1] not in _BARE:
            return at
        at += 2


def _webp(data: bytes) -> Iterator[bytes]:
    (size,) = struct.unpack_from("<I", data, 4)
    if 8 + size > len(data):
        raise ValueError(size)
    body = b"".join(_riff(data[: 8 + size], 12))
    yield b"RIFF" + struct.pack("<I", 4 + len(body)) + b"WEBP"
    yield body


def _riff(data: bytes, at: int) -> Iterator[bytes]:
    while at < len(data):
        kind, size = struct.unpack_from("<4sI", data, at)
        end = at + 8 + size
        if end > len(data):
            raise ValueError(kind)
        if kind in _WEBP_KEPT:
            part = data[at:end]
            if kind == b"VP8X":
                part = part[:8] + bytes([part[8] & ~_WEBP_FLAGS]) + part[9:]
            yield part + b"\0" * (size % 2)
        at = end + size % 2


def _gif(data: bytes) -> Iterator[bytes]:
    flags = data[10]
    at = 13 + (3 << (flags & 7) + 1 if flags & 0x80 else 0)
    if at > len(data):
        raise ValueError(at)
    yield data[:at]
    while data[at] != _GIF_TRAILER:
        if data[at] == _GIF_EXTENSION:
            end = _blocks_end(data, at + 2)
            loops = data[at + 1] == _GIF_APPLICATION and data[at + 3 : at + 14] == b"NETSCAPE2.0"
            if data[at + 1] == _GIF_CONTROL or loops:
                yield data[at:end]
        elif data[at] == _GIF_IMAGE:
            local = data[at + 9]
            head = at + 10 + (3 << (local & 7) + 1 if local & 0x80 else 0)
            end = _blocks_end(data, head + 1)
            yield data[at:end]
        else:
            raise ValueError(at)
        at = end
    yield data[at : at + 1]


def _blocks_end(data: bytes, at: int) -> int:
    while size := data[at]:
        at += 1 + size
    return at + 1


_WALKS: Final[dict[str, Callable[[bytes], Iterator[bytes]]]] = {
    forms.PNG: _png, forms.JPEG: _jpeg, forms.WEBP: _webp, forms.GIF: _gif,
}  # fmt: skip
