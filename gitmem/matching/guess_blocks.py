"""Guesses that stand together in an output of a tool that nobody knows: what they are known by.

A headline says that something failed, and the reason stands in another statement of the block,
below it or above. Alone it would be the same for any reason: so it is left out where the reason
names its place or its type, and else both are one failure.
"""

from collections.abc import Sequence
from operator import itemgetter
from typing import Final

from gitmem.lazy_pattern import lazily
from gitmem.matching.basis import GUESS, basis
from gitmem.output.failure import MAX_MESSAGE, Failure, excerpt

_NEAR: Final = 6
"""Lines between two guesses of one block."""
_MOST: Final = 6
"""Guesses of a block; more of them are a list of faults, or a log."""
_NAMES: Final = lazily(r"['\"`\u2018\u201c]|\w[./:@\\_]\w|\w-\w|\d")
_LABEL: Final = lazily(r"\s*(?:\[[^\]\n]{1,60}\]\s*)+")

_HEADLINE: Final = lazily(
    r"(?:[\w.+-]{1,40}: |\[[\w -]{1,30}\] ){0,2}(?P<form>(?i:(?:error|failed) \w{3,20}ing"
    r"|(?:failed to|unable to|could ?n[o']t|can(?:no|')t) "
    r"(?:apply|boot|build|complete|compile|configure|create|deploy|execute|generate|init\w*"
    r"|install|launch|load|prepare|process|publish|render|run"
    r"|set up|start|sync|update|upgrade|upload)))\b(?!.*: )[^\n]*$"
)
"""What could not be done; why stands in the next line."""
_NEXT: Final = 2
_FAR: Final = 60
"""Lines between a statement and the reason that another one tells."""
_MOST_REASONED: Final = 8
"""Failures of an output of one run; a log has more, of many."""

Numbered = tuple[int, Failure]


def together(numbered: Sequence[Numbered]) -> list[Numbered]:
    """Put guesses of one block together, each with its line."""
    if alone := _of_only_test([item for _, item in numbered]):
        return [(numbered[0][0], alone)]
    blocks: list[list[Numbered]] = []
    for line, failure in _reasoned(numbered):
        near_by = blocks and line - blocks[-1][-1][0] <= _NEAR
        if near_by and _is_guess(failure) and _is_guess(blocks[-1][-1][1]):
            blocks[-1].append((line, failure))
        else:
            blocks.append([(line, failure)])
    return _with_reasons([each for block in blocks for each in _of_block(block)])


def _of_only_test(failures: Sequence[Failure]) -> Failure | None:
    """Put the only guess to the only test, of which is no more than said that it failed."""
    test = next((item for item in failures if item.test), None)
    guess = next((item for item in failures if _is_guess(item)), None)
    if not (test and test.test and guess) or len(failures) > _NEXT:
        return None
    if test.location or test.message != f"{test.test.name} failed":
        return None
    return guess._replace(test=test.test, severity="error")


def _with_reasons(numbered: list[Numbered]) -> list[Numbered]:
    """Give guesses that are known by their words alone what else went wrong near them, as a cause.

    What a program says of a step that failed is the same for any reason, which another one told.
    """
    bare = [item for _, item in numbered if _is_guess(item) and _is_bare(item)]
    if not 1 < len(numbered) <= _MOST_REASONED or _is_list(bare):
        return numbered
    reasons = [each for each in numbered if each[1] not in bare] or numbered[:1]
    return [
        (line, item._replace(causes=_nearest(line, reasons)) if item in bare else item)
        for line, item in numbered
    ]


def _nearest(line: int, reasons: Sequence[Numbered]) -> tuple[Failure, ...]:
    distances = [(abs(line - at), item) for at, item in reasons if at != line]
    distance, reason = min(distances, key=itemgetter(0), default=(_FAR + 1, None))
    near_by = reason is not None and distance <= _FAR
    return (reason._replace(causes=(), excerpt=""),) if reason and near_by else ()


def _reasoned(numbered: Sequence[Numbered]) -> list[Numbered]:
    """Put headlines to the reason below them; of a list of alike headlines none is another's."""
    result: list[Numbered] = []
    for line, failure in numbered:
        if result and line - result[-1][0] <= _NEXT and _heads(result[-1][1], failure):
            _, above = result.pop()
            reason = _joined([above, failure]) if _is_bare(failure) else failure
            result.append((line, reason))
        elif result and line - result[-1][0] <= _NEXT and _follows(result[-1][1], failure):
            above_line, above = result[-1]
            if _is_bare(above) and _names(failure):
                result[-1] = above_line, _joined([above, failure])
        else:
            result.append((line, failure))
    return result


def _heads(above: Failure, failure: Failure) -> bool:
    if not (_is_guess(above) and _is_guess(failure) and _is_bare(above)):
        return False
    head, own = _headline(above), _headline(failure)
    return bool(head) and head != own


def _follows(above: Failure, failure: Failure) -> bool:
    """Tell whether a guess only says what could not be done after what the one above it says."""
    return (
        _is_guess(above)
        and _is_guess(failure)
        and bool(_headline(failure))
        and not _headline(above)
    )


def _headline(failure: Failure) -> str:
    """Give how a headline at the end of a message begins: who could not do what."""
    match = _HEADLINE.match(failure.message.rpartition("\n")[2])
    return match.string[: match.end("form")].lower() if match else ""


def _of_block(block: list[Numbered]) -> list[Numbered]:
    bare = [each for each in block if _is_bare(each[1])]
    fuller = [each for each in block if not _is_bare(each[1])]
    if not bare or not 1 < len(block) <= _MOST:
        return block
    if fuller:
        reason = fuller[0][1]
        named = [(line, _joined([item, reason])) for line, item in bare if _names(item)]
        return sorted([*fuller, *named], key=lambda each: each[0])
    if _is_list([item for _, item in bare]):
        return block
    return [(bare[0][0], _joined([item for _, item in bare]))]


def _is_list(failures: Sequence[Failure]) -> bool:
    """Tell whether two say the same of other things, as ``Unable to locate package`` twice."""
    statements = [item.message.split() for item in failures]
    return any(
        len(words) == len(others) and 2 * sum(map(str.__eq__, words, others)) > len(words)
        for at, words in enumerate(statements)
        for others in statements[:at]
    )


def _joined(failures: Sequence[Failure]) -> Failure:
    """Make one failure of what is said together; the place and the type are those of the first."""
    lines = dict.fromkeys(
        line for item in failures for line in (_words(item), *item.message.split("\n")[1:])
    )
    shown = dict.fromkeys(line for item in failures for line in item.excerpt.split("\n"))
    sure = any(item.severity == "error" for item in failures)
    return failures[0]._replace(
        message="\n".join(lines)[:MAX_MESSAGE],
        severity="error" if sure else failures[0].severity,
        excerpt=excerpt(list(shown), 0, len(shown)),
    )


def _words(failure: Failure) -> str:
    first = failure.message.partition("\n")[0]
    kind = failure.error_type
    return f"{kind}: {first}" if kind and kind not in first else first


def _is_guess(failure: Failure) -> bool:
    return basis(failure) == GUESS and not failure.test


def _is_bare(failure: Failure) -> bool:
    """Tell whether a guess has neither place nor type: it is known by its words alone."""
    return not (failure.location or failure.error_type or failure.code or failure.causes)


def _names(failure: Failure) -> bool:
    """Tell whether a failure says what it is about."""
    return bool(_NAMES.search(_LABEL.sub("", failure.message, count=1)))
