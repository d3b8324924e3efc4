"""Numbers in addresses, which anybody may have typed."""


def number_of(text: str | None, usual: int, most: int) -> int:
    """Read a number from 1 on; what is none is the usual one, what is more than ``most`` is that.

    Args:
        text: as it stands in the address.
        usual: where there is none.
        most: the highest.

    """
    if not text or not (text.isascii() and text.isdecimal()):
        return usual
    return min(int(text[:9]), most) or usual
