"""Numbers with their nouns, said in one way everywhere."""


def counted(number: int, noun: str, plural: str = "", *, grouped: bool = False) -> str:
    """Say how many: ``1 record``, ``2 records``.

    Args:
        number: how many.
        noun: what one is called.
        plural: what several are called; empty: the noun with an s.
        grouped: thousands are set apart: ``1,200 files``.

    """
    shown = f"{number:,}" if grouped else str(number)
    return f"{shown} {noun if number == 1 else plural or noun + 's'}"
