"""Names of tests that are printed as sentences."""


def method_of_sentence(group: str, title: str) -> str:
    """Turn the words of PHPUnit's testdox back into the names of a class and a method.

    Args:
        group: the line above, such as ``Cart (Shop/Cart)``, with backslashes, for ``CartTest``.
        title: such as ``Sums nothing`` for ``testSumsNothing``.

    """
    pretty, _, whole = group.strip().partition(" (")
    name = whole.rstrip(")") or pretty
    words, data, rest = title.partition(" with data set ")
    method = "test" + "".join(word[:1].upper() + word[1:] for word in words.split())
    return f"{name}Test::{method}{data}{rest}" if name else f"{method}{data}{rest}"
