"""Words, names and paths with the skew of natural text: few are common, most are rare."""

import random
import re
from bisect import bisect
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Final

from benchmarks.words import ADJECTIVES, ADVERBS, NOUNS, SENTENCES, SYLLABLES, VERBS

_SLOT = re.compile(r"\{(\w)\}")
_FOLDERS: Final = ("src", "src", "src", "lib", "app", "services", "packages", "internal")
_MODULES: Final = 4000
_RARE: Final = 20_000


class Zipf:
    """Draws ranks 0, 1, 2 … with frequency 1 / (rank + shift) ** power, as words have it."""

    def __init__(self, count: int, power: float = 1.0, shift: float = 2.7) -> None:
        self._bounds = list(accumulate((rank + shift) ** -power for rank in range(count)))

    def draw(self, rng: random.Random) -> int:
        """Draw a rank."""
        return bisect(self._bounds, rng.random() * self._bounds[-1])


class _Words:
    """Draws from a list of words in which the common ones stand first."""

    def __init__(self, words: Sequence[str], power: float = 0.9) -> None:
        self._words = tuple(dict.fromkeys(words))
        self._ranks = Zipf(len(self._words), power)

    def draw(self, rng: random.Random) -> str:
        return self._words[self._ranks.draw(rng)]


_NOUNS: Final = _Words(NOUNS)
_VERBS: Final = _Words(VERBS)
_ADJECTIVES: Final = _Words(ADJECTIVES)
_ADVERBS: Final = _Words(ADVERBS)
_MODULE_RANKS: Final = Zipf(_MODULES, 0.8)
_RARE_RANKS: Final = Zipf(_RARE, 0.7, 20.0)


def third(verb: str) -> str:
    """``retry`` -> ``retries``."""
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("s", "x", "z", "ch", "sh")) else "s")


def past(verb: str) -> str:
    """``retry`` -> ``retried``; irregular verbs come out wrong, as typed in haste."""
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ied"
    return verb + "ed"


def noun(rng: random.Random) -> str:
    """Draw a noun."""
    return _NOUNS.draw(rng)


def verb(rng: random.Random) -> str:
    """Draw a verb."""
    return _VERBS.draw(rng)


def rare(rng: random.Random) -> str:
    """Draw one of many made-up product names: the long tail of a vocabulary."""
    rank = _RARE_RANKS.draw(rng)
    base = len(SYLLABLES)
    parts = [SYLLABLES[rank % base], SYLLABLES[rank // base % base]]
    if rank >= base * base:
        parts.append(SYLLABLES[rank // base // base % base])
    return "".join(parts)


def snake(rng: random.Random) -> str:
    """Name a function or variable, ``read_token_cache``."""
    words = [verb(rng), noun(rng)]
    if rng.random() < 0.5:  # noqa: PLR2004  half of the names are longer
        words.append(noun(rng) if rng.random() < 0.7 else rare(rng))  # noqa: PLR2004
    return "_".join(words)


def camel(rng: random.Random) -> str:
    """Name a function, ``readTokenCache``."""
    first, *rest = snake(rng).split("_")
    return first + "".join(word.capitalize() for word in rest)


def pascal(rng: random.Random) -> str:
    """Name a type, ``TokenCacheReader``."""
    words = [noun(rng), noun(rng) if rng.random() < 0.8 else rare(rng)]  # noqa: PLR2004
    return "".join(word.capitalize() for word in words)


def constant(rng: random.Random) -> str:
    """Name a setting, ``TOKEN_CACHE_LIMIT``."""
    return "_".join((noun(rng), noun(rng), noun(rng))).upper()


def digits(rng: random.Random) -> str:
    """Draw a number; small ones are common."""
    return str(int(10 ** rng.uniform(0, 4.5)))


def hexadecimal(rng: random.Random, length: int = 8) -> str:
    """Draw a hash or an address."""
    return f"{rng.getrandbits(4 * length):0{length}x}"


def module(rng: random.Random) -> str:
    """Draw a module of the project by its path without ending, ``src/billing/token_cache``."""
    rank = _MODULE_RANKS.draw(rng)
    return _module(rank)


def _module(rank: int) -> str:
    own = random.Random(f"module {rank}")
    folder = own.choice(_FOLDERS)
    package = noun(own) if rank % 3 else rare(own)
    return f"{folder}/{package}/{noun(own)}_{noun(own)}"


_FILLERS: Final[dict[str, Callable[[random.Random], str]]] = {
    "n": noun,
    "v": verb,
    "a": _ADJECTIVES.draw,
    "r": _ADVERBS.draw,
    "k": digits,
    "f": lambda rng: f"{snake(rng)}()" if rng.random() < 0.5 else camel(rng),  # noqa: PLR2004
    "p": lambda rng: f"{module(rng)}.py",
    "s": constant,
    "S": constant,
    "V": lambda rng: verb(rng).capitalize(),
    "c": pascal,
    "i": snake,
    "x": hexadecimal,
    "w": rare,
    "m": module,
}


def fill(template: str, rng: random.Random) -> str:
    """Fill the slots of a template: ``{n}`` a noun, ``{vs}`` a verb in the third person."""
    text = template.replace("{vs}", "{y}").replace("{vd}", "{z}")
    return _SLOT.sub(lambda slot: _filler(slot[1], rng), text)


def _filler(slot: str, rng: random.Random) -> str:
    if slot == "y":
        return third(verb(rng))
    if slot == "z":
        return past(verb(rng))
    return _FILLERS[slot](rng)


def title(templates: Sequence[str], rng: random.Random) -> str:
    """Make a title out of one of several templates."""
    return fill(rng.choice(templates), rng)


def prose(rng: random.Random, least: int, most: int) -> str:
    """Write some sentences, a paragraph for each four of them."""
    sentences = [fill(rng.choice(SENTENCES), rng) for _ in range(rng.randint(least, most))]
    lines = [" ".join(sentences[at : at + 4]) for at in range(0, len(sentences), 4)]
    return "\n\n".join(lines)
