"""When two failures are *the same error*: not only the same place or message, but surely one.

The key of the ``exact`` level. Two bugs can fail in one function with one type, and one
message can stand for many mistakes; so beside the ``site`` what tells most must agree:

- the source line that failed, where the output shows it;
- of an assertion without one (JUnit shows none) the compared values, or the line's number;
- of a compiler's or linter's message the file and the names in it;
- of any other error its message without what varies.

No proof, and so without such a key, is a message alone, without type, code and place; an
assertion without a place: any test can expect 1 and get 2; and how a command ended. Nor is a
bare assertion known by its message: ``says_nothing``.
"""

import builtins
import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from gitmem.lazy_pattern import lazily
from gitmem.matching.basis import EXIT, basis
from gitmem.matching.masks import MaskRule
from gitmem.matching.normalise import QUOTED_NAME, template
from gitmem.matching.site import error_name, is_assertion
from gitmem.output.failure import Failure, StackFrame
from gitmem.tools.choice import pattern, values
from gitmem.tools.common.frames import asserting, file_key

# The words of comparisons, of all frameworks: what is left of a message without them tells.
_COMPARING: Final = frozenset({
    "actual", "and", "are", "as", "assert", "asserting", "assertion", "assertionerror", "be", "but",
    "by", "compared", "comparison", "contain", "contained", "contains", "deep", "deeply", "did",
    "differ", "different", "does", "element", "elements", "equal", "equality", "equals",
    "equivalent", "evaluated", "exactly", "expect", "expectation", "expected", "expression",
    "failed", "failure", "false", "falsy", "following", "found", "from", "function", "got",
    "greater", "has", "have", "identical", "in", "instance", "is", "it", "item", "left", "length",
    "less", "loosely", "match", "matches", "must", "nil", "none", "not", "null", "object", "of",
    "one", "ones", "only", "operator", "or", "received", "result", "returned", "right", "same",
    "should", "strict", "strictly", "than", "that", "the", "these", "this", "to", "true", "truthy",
    "two", "type", "undefined", "unequal", "using", "value", "values", "want", "wanted", "was",
    "were", "where", "which", "with",
})  # fmt: skip
_QUOTED: Final = lazily(QUOTED_NAME)
_QUOTES: Final = "'\"`\u2018\u2019"
_CALLED: Final = lazily(r"(\w+)\(")
_BUILT_IN: Final = frozenset(dir(builtins))
_WORD: Final = lazily(r"[^\W\d_]{2,}")
_MASK: Final = lazily(r"<[^<>\n]{0,40}>")


def says_nothing(failure: Failure, message_template: str) -> bool:
    """Tell whether a message stands in any failing test: of a comparison only its values.

    So does one that an error was expected and did not come.

    Args:
        failure: the failure.
        message_template: its message with everything masked that varies.

    """
    if pattern("identity.silent").match(message_template):
        return True
    # What Rust compares stands in quotation marks, and is masked as any quotation.
    compares = pattern("identity.compares").match(message_template) or pattern(
        "identity.compares_unmasked"
    ).match(failure.message)
    if not is_assertion(error_name(failure)) and not compares:
        return False
    shown, explained = _with_origin(message_template)
    words = _WORD.findall(_MASK.sub(" ", shown).lower())
    calls = (name for name in _CALLED.findall(explained) if name not in _BUILT_IN)
    return all(word in _comparing() for word in words) and not any(calls)


def _with_origin(message_template: str) -> tuple[str, str]:
    """Part what a comparison shows from where it says that a value comes from.

    There the function that gave the value tells, an attribute's name does not.
    """
    compares = values("identity.compares")
    for name, joint in values("identity.origin").items():
        if re.match(compares[name], message_template):
            shown, _, explained = message_template.partition(joint)
            return shown, explained
    return message_template, ""


@cache
def _comparing() -> frozenset[str]:
    """Give all words that comparisons consist of, those that only one framework has, too."""
    own = (word for words in values("identity.comparing").values() for word in words)
    return _COMPARING.union(own)


def names_alone(message_template: str) -> frozenset[str]:
    """Give the names that are all that a message says; none where it says more, or nothing.

    ``KeyError: 'zz'`` is like another one only if that is about ``zz``, and a comparison only if
    the same function gave the value.

    Args:
        message_template: a message with everything masked that varies.

    """
    plain = _QUOTED.sub(" ", _MASK.sub(" ", message_template))
    called = {name for name in _CALLED.findall(plain) if name not in _BUILT_IN}
    words = _WORD.findall(plain)
    if any(word.lower() not in _comparing() and word not in called for word in words):
        return frozenset()
    return frozenset(
        {*called, *(name.strip(_QUOTES) for name in _QUOTED.findall(message_template))}
    )


def exact_key(failure: Failure, site: str, rules: Sequence[MaskRule] = ()) -> str:
    """Write the key; an empty text where nothing proves that two failures are one."""
    if basis(failure) == EXIT:
        return ""
    own = _useful(failure)
    last = own[-1] if own else None
    source = _source(failure, last)
    if source:
        return f"{site} | {source}"
    if is_assertion(error_name(failure)):
        compared = template(failure.message, rules, keep="values")
        values_or_line = compared or (f"line {last.line}" if last and last.line else "")
        return f"{site} | {values_or_line}" if values_or_line and _placed(failure, own) else ""
    if own or failure.error_type or failure.test:
        return f"{site} | {template(failure.message, rules)}"
    if failure.location and failure.location.file:
        names = template(failure.message, rules, keep="names")
        return f"{site} | {file_key(failure.location.file)} | {names}"
    return f"{site} | {template(failure.message, rules)}" if failure.code else ""


def own_line(failure: Failure) -> str:
    """Give the project's own line that failed; empty: it is not shown."""
    own = _useful(failure)
    # Node shows the line above the stack, and not with its frame.
    return (own[-1].code if own else "") or (failure.location.code if failure.location else "")


def _placed(failure: Failure, own: Sequence[StackFrame]) -> bool:
    """Tell whether it is known where in the project it failed."""
    return bool(own or failure.test or (failure.location and failure.location.file))


def _useful(failure: Failure) -> list[StackFrame]:
    own = [frame for frame in failure.frames if frame.in_app and frame.file]
    return [frame for frame in own if not asserting(frame)] or own


def _source(failure: Failure, last: StackFrame | None) -> str:
    """Give the source line that failed, of those whose place is known as a function's."""
    if last and last.code:
        return " ".join(last.code.split())
    stands = failure.location and failure.location.code and (failure.error_type or failure.test)
    return " ".join(failure.location.code.split()) if stands and failure.location else ""
