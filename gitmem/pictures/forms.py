"""The image format of a file, by its first bytes and never by its name."""

from typing import Final

PNG: Final = "png"
JPEG: Final = "jpeg"
GIF: Final = "gif"
WEBP: Final = "webp"
READ: Final = (PNG, JPEG, WEBP, GIF)
"""The forms that are read; all others carry metadata that we can't take out, or no pixels."""

_OPAQUE: Final = {
    b"ftypheic": "HEIC", b"ftypheix": "HEIC", b"ftypmif1": "HEIF", b"ftypmsf1": "HEIF",
    b"ftypavif": "AVIF", b"ftypavis": "AVIF",
}  # fmt: skip


def form(data: bytes) -> str:
    """Name the form of a picture that can be read; empty: it is none."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return PNG
    if data.startswith(b"\xff\xd8\xff"):
        return JPEG
    if data.startswith((b"GIF87a", b"GIF89a")):
        return GIF
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return WEBP
    return ""


def opaque(data: bytes) -> str:
    """Name the form of a picture whose metadata can't be taken out; empty: it is none."""
    if data[:4] in {b"II*\0", b"MM\0*"}:
        return "TIFF"
    return _OPAQUE.get(data[4:12], "")
