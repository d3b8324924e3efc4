"""Bytes of a file as a text, where they are one."""

import codecs
from typing import Final

_MARKS: Final = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
# Beginnings of files whose bytes are packed, and of what no text begins with.
_PACKED: Final = (b"%PDF-", b"PK\x03\x04", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf", b"Rar!")
_SEEN: Final = 4096


def as_text(data: bytes) -> tuple[str, str] | None:
    """Give a text and its coding; None where the bytes are none, or are packed."""
    if data.startswith(_PACKED):
        return None
    for mark, coding in _MARKS.items():
        if data.startswith(mark):
            try:
                return data.decode(coding), coding
            except UnicodeDecodeError:
                return None
    if b"\0" in data:
        # PowerShell's > writes UTF-16; without a mark its letters alternate with zeros.
        for coding, zeros in (("utf-16-le", data[1::2]), ("utf-16-be", data[::2])):
            if zeros[:_SEEN].count(0) * 2 > len(zeros[:_SEEN]) and not len(data) % 2:
                try:
                    return data.decode(coding), coding
                except UnicodeDecodeError:
                    return None
        return None
    return data.decode("utf-8", "surrogateescape"), "utf-8"
