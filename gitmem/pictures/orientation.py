"""The orientation of a JPEG: the one EXIF field that is needed to show it (pure)."""

import struct
from typing import Final

_TAG: Final = 0x0112
_SHORT: Final = 3
_MOST: Final = 8
_EXIF: Final = b"Exif\0\0"


def orientation(data: bytes) -> int:
    """Give 1 (upright) to 8, as EXIF counts; what can't be read is upright."""
    at = data.find(_EXIF, 0, 1 << 16)
    if at < 0:
        return 1
    tiff = data[at + len(_EXIF) : at + len(_EXIF) + (1 << 16)]
    order = {b"II": "<", b"MM": ">"}.get(tiff[:2])
    if order is None:
        return 1
    try:
        (first,) = struct.unpack_from(order + "I", tiff, 4)
        (count,) = struct.unpack_from(order + "H", tiff, first)
        for number in range(min(count, 200)):
            tag, kind, _, value = struct.unpack_from(order + "HHIH", tiff, first + 2 + 12 * number)
            if tag == _TAG and kind == _SHORT and 1 <= value <= _MOST:
                return int(value)
    except struct.error:
        pass
    return 1


def upright(value: int) -> bytes:
    """Give an EXIF segment that says nothing but the orientation."""
    entry = struct.pack(">HHIHH", _TAG, _SHORT, 1, value, 0)
    tiff = b"MM\0*" + struct.pack(">IH", 8, 1) + entry + bytes(4)
    body = _EXIF + tiff
    return b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body
