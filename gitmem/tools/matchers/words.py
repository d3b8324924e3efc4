"""What must stand in each line that a pattern matches: so other lines cost next to nothing."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

_MOST_WORDS: Final = 8
_LEAST: Final = 2
_REPEATS: Final = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")

Words = tuple[str, ...]


def best_words(tree: Iterable[Any]) -> Words:
    """Give words of which one stands in each text that a parsed pattern matches.

    Returns:
        Those of the choice whose shortest is longest; nothing if no text is fixed.

    """
    usable = [words for words in _choices(list(tree)) if all(map(_is_word, words))]
    return max(usable, key=_weight, default=())


def _weight(words: Words) -> tuple[int, int]:
    return min(map(len, words)), -len(words)


def _is_word(word: str) -> bool:
    """Tell a word that does not stand in nearly each line."""
    if not word.strip():
        return False
    return len(word) >= _LEAST or not word.isalnum()


def _choices(items: Sequence[Any]) -> list[Words]:
    """List all that is fixed in a sequence, each as the words of which one must stand there."""
    choices: list[Words] = []
    run: list[str] = []

    def end_run() -> None:
        if run:
            choices.append(("".join(run),))
            run.clear()

    for op, value in _flat(items):
        name = str(op)
        if name == "LITERAL":
            run.append(chr(value))
        elif name != "AT":
            end_run()
        if name in _REPEATS and value[0] >= 1:
            choices += _choices(list(value[2]))
        elif name == "BRANCH":
            best = [best_words(branch) for branch in value[1]]
            words = tuple(dict.fromkeys(word for each in best for word in each))
            if all(best) and len(words) <= _MOST_WORDS:
                choices.append(words)
    end_run()
    return choices


def _flat(items: Sequence[Any]) -> list[Any]:
    """Open the groups of a sequence."""
    flat: list[Any] = []
    for op, value in items:
        if str(op) == "SUBPATTERN":
            flat += _flat(list(value[3]))
        elif str(op) == "ATOMIC_GROUP":
            flat += _flat(list(value))
        else:
            flat.append((op, value))
    return flat
