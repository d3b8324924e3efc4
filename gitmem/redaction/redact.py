"""Take the secrets out of a text: blocks of whole lines, each searched to the end or cut.

What is found is replaced by ``<redacted:kind>``; a second secret of the kind in the same text
by ``<redacted:kind:2>``, and the same secret by the same label, so that what was equal stays
equal. No line is added or lost, and the first column of a diff stays, so a patch stays a patch.

The work is bounded: detectors go forward only, a text is read as far as ``BUDGET`` characters,
a block of it may cost so many looks at a character, and the rest is cut with a mark. What was
not searched is never passed on.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from gitmem.lazy_pattern import lazily
from gitmem.redaction.allowed import Allowed, passes, without_allowed
from gitmem.redaction.assigned import assigned_values
from gitmem.redaction.environment import Form, environment_secrets, forms
from gitmem.redaction.literals import column_values
from gitmem.redaction.plain_form import NAME_CLUES, is_foreign, plain_form
from gitmem.redaction.plausible import STEMS, is_words
from gitmem.redaction.positional_secrets import POSITIONAL_CLUES, positional_secrets
from gitmem.redaction.private_keys import private_keys
from gitmem.redaction.providers import PROVIDER_CLUES, provider_tokens
from gitmem.redaction.spans import (
    BLOCK,
    OverBudget,
    Redacted,
    ScanBudget,
    SecretFinding,
    SecretSpan,
    blocks,
    escapes,
    inside_lines,
    last_break,
    lowered,
    merged,
    repeats,
)
from gitmem.redaction.word_clues import Clues, WordClues

_CLUES: Final = WordClues(NAME_CLUES, PROVIDER_CLUES, POSITIONAL_CLUES)
_LABEL: Final = lazily(r"<redacted:([a-z][a-z0-9-]{0,40})(?::(\d{1,6}))?>")


class SecretLabels:
    """The labels of one text or record: the same for the same secret, another for another."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, str], int] = {}
        self._last: dict[str, int] = {}

    def reserve(self, text: str) -> None:
        """Keep clear of labels that stand in a text already, from an earlier redaction."""
        if "<redacted:" in text:
            for label in _LABEL.finditer(text):
                self._last[label[1]] = max(self._last.get(label[1], 0), int(label[2] or 1))

    def of(self, kind: str, secret: str) -> str:
        """Give the label of a secret."""
        number = self._numbers.get((kind, secret))
        if number is None:
            number = self._numbers[kind, secret] = self._last[kind] = self._last.get(kind, 0) + 1
        return f"<redacted:{kind}>" if number == 1 else f"<redacted:{kind}:{number}>"

    def apply(self, text: str, spans: Sequence[SecretSpan]) -> str:
        """Give the text with labels in place of the spans, which are in order and apart."""
        return render(text, spans, [self.of(span.kind, span.secret) for span in spans]).text


class Rendered(NamedTuple):
    """A text with labels, and the way back from it to the original.

    Attributes:
        text: with labels.
        starts: where each piece of it begins, text and labels by turns.
        origins: where each piece lies in the original: start and end.

    """

    text: str
    starts: list[int]
    origins: list[tuple[int, int]]

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Give the place in the original of a place in the text; labels count as a whole."""
        first, last = bisect_right(self.starts, start) - 1, bisect_right(self.starts, end - 1) - 1
        begin, close = self.origins[first][0], self.origins[last][1]
        if first % 2 == 0:
            begin += start - self.starts[first]
        if last % 2 == 0:
            close = self.origins[last][0] + end - self.starts[last]
        return begin, close


def render(text: str, spans: Sequence[SecretSpan], labels: Sequence[str]) -> Rendered:
    """Put labels in place of spans."""
    parts: list[str] = []
    starts: list[int] = []
    origins: list[tuple[int, int]] = []
    at = size = 0
    for span, label in zip(spans, labels, strict=True):
        for piece, origin in (
            (text[at : span.start], (at, span.start)),
            (label, (span.start, span.end)),
        ):
            parts.append(piece)
            starts.append(size)
            origins.append(origin)
            size += len(piece)
        at = span.end
    parts.append(text[at:])
    starts.append(size)
    origins.append((at, len(text)))
    return Rendered("".join(parts), starts, origins)


BUDGET: Final = 8_388_608
"""Characters that are searched for one text or record; what comes after them is cut."""

_MOST_NAMES: Final = 1_000
_ROUNDS: Final = 5
_AGAIN: Final = "<redacted:again>"
_AROUND: Final = 2_048


@lru_cache(maxsize=8)
def _harmless_names(_known: tuple[Form, ...], _allow: tuple[Allowed, ...]) -> set[str]:
    """Give the set of names in which nothing was found with such settings, to be added to."""
    return set()


class Redactor:
    """Redaction with its settings: environment, allow-list, budget, and the labels given so far.

    Args:
        environ: whose secret values are looked for.
        allow: what stays.
        budget: how many characters are searched, over all texts together.

    """

    def __init__(
        self, environ: Mapping[str, str], allow: Sequence[Allowed] = (), budget: int = BUDGET
    ) -> None:
        self._known = forms(environ)
        self._allow = passes(allow)
        self._left = budget
        self._labels = SecretLabels()
        self._harmless: set[str] = set()
        self._harmless_names = _harmless_names(self._known, tuple(allow))

    def redact(self, text: str) -> Redacted:
        """Take the secrets out of one text; labels are shared with the texts before."""
        if text in self._harmless:  # a record has the same keys and paths many times
            return Redacted(text, ())
        spans, stop = self._search(text, last_break(text, self._left))
        whole, searched = text, text[:stop]
        for _ in range(_ROUNDS):
            if not spans:
                break
            # A label may have joined what a secret kept apart: look again until nothing comes.
            rendered = render(searched, spans, [_AGAIN] * len(spans))
            more, reached = self._search(rendered.text, len(rendered.text), again=True)
            if not more and reached == len(rendered.text):
                break
            spans = merged([*spans, *(_back(span, rendered) for span in more)], searched)
        else:
            spans = _whole_lines(searched, spans)
        self._left -= stop
        self._labels.reserve(searched)
        shown = self._labels.apply(searched, spans)
        findings = list(_told(searched, spans))
        if stop < len(whole):
            rest = len(whole) - stop
            shown += (
                f"<redacted:rest, {rest} characters that were not searched>"
                + "\n" * whole.endswith("\n")
            )
            findings.append(
                SecretFinding("rest", *_position(whole, stop), rest, "more than is searched")
            )
        if not findings:
            self._harmless.add(text)
        return Redacted(shown, tuple(findings))

    def redact_name(self, name: str) -> Redacted:
        """Take the secrets out of the name of a field: few names stand in record after record."""
        if name in self._harmless_names:
            return Redacted(name, ())
        redacted = self.redact(name)
        if not redacted.found:
            if len(self._harmless_names) >= _MOST_NAMES:
                self._harmless_names.clear()
            self._harmless_names.add(name)
        return redacted

    def redact_value(self, name: str, value: str) -> Redacted:
        """Take the secrets out of a value that has a name, such as a field of a record."""
        before = f'{name}: "'
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        spans = self._search(before + escaped + '"', len(before) + len(escaped) + 1)[0]
        if [
            span
            for span in spans
            if span.start == len(before) and span.end == len(before) + len(escaped)
        ]:
            kind = spans[0].kind
            self._labels.reserve(value)
            return Redacted(
                self._labels.of(kind, value),
                (SecretFinding(kind, 1, 1, len(value), spans[0].hint),),
            )
        return self.redact(value)

    def _search(self, text: str, stop: int, *, again: bool = False) -> tuple[list[SecretSpan], int]:
        """Find all secrets up to a place; give them, and how far the search came."""
        spans: list[SecretSpan] = []
        low = lowered(text)
        done = 0
        try:
            for start, reach, end in blocks(text, stop, _AROUND if again else BLOCK):
                if again and text.find(_AGAIN, reach, end) < 0:
                    continue
                done = start
                # Most words stand in a block many times: clues are looked for in each word once.
                clues = _CLUES.among(text, reach, end)
                spans += self._in_block(text, low, reach, end, clues)
                spans += self._as_meant(text, escapes(text, reach, end))
                plain = plain_form(text, low, reach, end, clues[0])
                spans += self._as_meant(text, plain, deeper=True)
        except OverBudget:
            stop = done
        spans += private_keys(text, 0, stop)
        own = without_allowed((span for span in spans if span.end <= stop), self._allow, text)
        own += without_allowed(repeats(text, own, stop), self._allow, text)
        return merged(inside_lines(text, own), text), stop

    def _as_meant(
        self, text: str, read_as: Iterable[tuple[SecretSpan, str]], *, deeper: bool = False
    ) -> Iterator[SecretSpan]:
        """Find secrets in a text as it is meant; ``deeper``: there, escapes are read, too."""
        pieces = list(read_as)
        if not pieces:
            return
        meant = render(text, *map(list, zip(*pieces, strict=True)))
        whole = len(meant.text)
        clues = _CLUES.among(meant.text, 0, whole)
        low = lowered(meant.text)
        secrets = list(self._in_block(meant.text, low, 0, whole, clues))
        if deeper:
            secrets += self._as_meant(meant.text, escapes(meant.text, 0, whole))
        for span in secrets:
            # What other languages say of a password is no password.
            says = is_words(span.secret) or not span.secret.isascii()
            if not (says and deeper and is_foreign(meant.text, span)):
                yield _back(span, meant)

    def _in_block(
        self, text: str, low: str, start: int, end: int, clues: Sequence[Clues]
    ) -> Iterator[SecretSpan]:
        yield from environment_secrets(text, start, end, self._known)
        names, forms_of_tokens, places = clues
        yield from provider_tokens(text, start, end, forms_of_tokens)
        yield from positional_secrets(text, start, end, places)
        stems = [stem for stem in STEMS if stem in names]
        work = ScanBudget(end - start)
        yield from assigned_values(text, low, stems, start, end, work)
        yield from column_values(text, low, names, start, end, work)


def redact(
    text: str, *, environ: Mapping[str, str], allow: Sequence[Allowed] = (), budget: int = BUDGET
) -> Redacted:
    """Take the secrets out of a text.

    Args:
        text: any text; a unified diff stays well-formed.
        environ: variables whose secret values must not be in the outcome either.
        allow: what stays, with reasons.
        budget: how many characters are searched; the rest is cut.

    """
    return Redactor(environ, allow, budget).redact(text)


def _back(span: SecretSpan, rendered: Rendered) -> SecretSpan:
    start, end = rendered.origin(span.start, span.end)
    return span._replace(start=start, end=end)


def _whole_lines(text: str, spans: Iterable[SecretSpan]) -> list[SecretSpan]:
    """Give up on what could not be told apart: whole lines go."""
    wide = []
    for span in spans:
        start = text.rfind("\n", 0, span.start) + 1
        end = text.find("\n", span.end)
        wide.append(span._replace(start=start, end=len(text) if end < 0 else end))
    return list(inside_lines(text, merged(wide, text)))


def _told(text: str, spans: Iterable[SecretSpan]) -> Iterator[SecretFinding]:
    line, begin, last = 1, 0, 0
    for span in spans:
        if passed := text.count("\n", last, span.start):
            line += passed
            begin = text.rfind("\n", last, span.start) + 1
        last = span.start
        if span.told:
            column = span.start - begin + 1
            yield SecretFinding(span.kind, line, column, span.end - span.start, span.hint)


def _position(text: str, at: int) -> tuple[int, int]:
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
