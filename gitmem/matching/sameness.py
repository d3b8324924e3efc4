"""When two failures are *the same error*: not only the same place or message, but surely one.

The key of the ``exact`` level. Two bugs can fail in one function with one type, and one
message can stand for many mistakes; many errors go through one line, such as ``execute(sql)``.
So beside the ``site`` all of this must agree:

- the message with all that it names; of a comparison the compared values, and its test;
- the source line that failed, where the output shows it; of a compiler's message the file;
- what led to it: types, messages and names of its causes.

No proof, and so without such a key, is a message alone, without type, code and place; a
comparison without a place: any test can expect 1 and get 2; and how a command ended. Nor is a
bare comparison known by its message: ``says_nothing``.
"""

import builtins
import re
from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from gitmem.lazy_pattern import lazily
from gitmem.matching.basis import EXIT, basis
from gitmem.matching.masks import MaskRule
from gitmem.matching.naming import names_of
from gitmem.matching.normalise import QUOTED_NAME, template
from gitmem.matching.site import error_name, is_assertion
from gitmem.matching.test_names import case_of
from gitmem.output.failure import Failure, StackFrame, chain_of
from gitmem.tools.choice import pattern, values
from gitmem.tools.common.frames import asserting, file_key

# The words of comparisons, of all frameworks: what is left of a message without them tells.
_COMPARING: Final = frozenset({
    "actual", "and", "are", "array", "arrays", "as", "assert", "asserting", "assertion",
    "assertionerror", "be", "but", "by", "compared", "comparison", "contain", "contained",
    "contains", "deep", "deeply", "did", "diff", "differ", "different", "does", "element",
    "elements", "equal", "equality", "equals", "equivalent", "evaluated", "exactly", "exception",
    "exceptions", "expect", "expectation", "expected", "expression", "failed", "failure", "false",
    "falsy", "following", "found", "from", "function", "got", "greater", "has", "have",
    "identical", "in", "instance", "is", "it", "item", "key", "keys", "left", "length", "less",
    "list", "lists", "loosely", "match", "matches", "must", "nil", "none", "not", "null",
    "object", "objects", "of", "one", "ones", "only", "operator", "or", "received", "result",
    "returned", "right", "same", "should", "size", "sizes", "strict", "strictly", "string",
    "strings", "than", "that", "the", "these", "this", "thrown", "to", "true", "truthy", "two",
    "type", "undefined", "unequal", "using", "value", "values", "want", "wanted", "was", "were",
    "where", "which", "with",
})  # fmt: skip
_ASSERTED: Final = lazily(
    r"(?i)(?:assert\w*|expect\w*|values?|objects?|not|lists?|strings?|arrays?)\b.*\b(?:failed|equal\w*"
    r"|same|match\w*|differ\w*|identical)\b"
)
"""How a comparison of a runner begins that nobody knows."""
_QUOTED: Final = lazily(QUOTED_NAME)
_QUOTES: Final = "'\"`\u2018\u2019"
_CALLED: Final = lazily(r"(\w+)\(")
_BUILT_IN: Final = frozenset(dir(builtins))
_MOST_OF_VALUE: Final = 500
_WORD: Final = lazily(r"[^\W\d_]{2,}")
_MASK: Final = lazily(r"<[^<>\n]{0,40}>")


class IdentityPart(NamedTuple):
    """One thing that a failure is known by: what it is, and its text; an empty one says nothing."""

    what: str
    text: str


def says_nothing(failure: Failure, message_template: str) -> bool:
    """Tell whether a message stands in any failing test: of a comparison only its values.

    So does one that an error was expected and did not come.

    Args:
        failure: the failure.
        message_template: its message with everything masked that varies.

    """
    if pattern("identity.silent").match(message_template):
        return True
    if not compares(failure) and not _ASSERTED.match(message_template):
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


def exact_key(named: Failure, failure: Failure, place: str, rules: Sequence[MaskRule] = ()) -> str:
    """Write the key; an empty text where nothing proves that two failures are one.

    Args:
        named: the failure in the words of its tool.
        failure: the same in canonical words.
        place: the key of its place.
        rules: the user's masks.

    """
    proof = proof_of(named, failure, rules)
    if proof is None:
        return ""
    return _joined([*site_parts(named, failure, place, rules), *proof])


def proof_of(
    named: Failure, failure: Failure, rules: Sequence[MaskRule] = ()
) -> list[IdentityPart] | None:
    """Give what proves, beside the site, that two failures are one; None: nothing does."""
    if basis(failure) == EXIT:
        return None
    own = _useful(failure)
    last = own[-1] if own else None
    source = IdentityPart("source line", _source(failure, last))
    file = failure.location.file if failure.location and not own else ""
    if compares(failure):
        compared = template(_compared(named), rules, keep="values")
        line = f"line {last.line}" if last and last.line else ""
        if not (source.text or compared or line) or not _placed(failure, own):
            return None
        values_shown = IdentityPart("compared values", compared)
        return [source, values_shown if compared else IdentityPart("line number", line)]
    if own or file or failure.error_type or failure.test or failure.code:
        return [source, IdentityPart("file", file_key(file))]
    return None


def site_key(named: Failure, failure: Failure, place: str, rules: Sequence[MaskRule] = ()) -> str:
    """Write the key of the ``site`` level: the place, and what was said there."""
    return _joined(site_parts(named, failure, place, rules))


def site_parts(
    named: Failure, failure: Failure, place: str, rules: Sequence[MaskRule] = ()
) -> list[IdentityPart]:
    """Give what the ``site`` level is made of.

    Of a comparison that is its test, whatever the values are: it fails still, with others.

    Args:
        named: the failure in the words of its tool.
        failure: the same in canonical words.
        place: the key of its place.
        rules: the user's masks.

    """
    parts = [IdentityPart("place", place)]
    if compares(failure):
        test = failure.test
        parts.append(IdentityPart("test", case_of(test.name, failure.language) if test else ""))
    else:
        parts.append(IdentityPart("message", template(failure.message, rules)))
        parts += [IdentityPart("name", name) for name in names_of(named, rules)]
    for cause in chain_of(failure):
        words = [error_name(cause), template(cause.message, rules), *names_of(cause, rules)]
        parts += [IdentityPart("cause", word) for word in words]
    return parts


def _joined(parts: Sequence[IdentityPart]) -> str:
    return " | ".join([part.text for part in parts if part.text])


def _compared(named: Failure) -> str:
    """Give what a comparison says, and the values that stand below it alone."""
    values = (named.test.expected, named.test.actual) if named.test else ()
    # A value may fill pages; the message is cut, too.
    below = [value[:_MOST_OF_VALUE] for value in values if value and value not in named.message]
    return "\n".join([named.message, *below])


def compares(failure: Failure) -> bool:
    """Tell whether a test compared two values: then the values are what it says."""
    if is_assertion(error_name(failure)):
        return True
    if failure.test and (not failure.error_type or failure.test.expected or failure.test.actual):
        return True
    # What Rust compares stands in quotation marks, and is masked as any quotation.
    return bool(
        pattern("identity.compares").match(failure.message)
        or pattern("identity.compares_unmasked").match(failure.message)
    )


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
