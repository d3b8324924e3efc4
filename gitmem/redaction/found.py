"""The values that redaction speaks in: where a secret stands, and what is told of it."""

from typing import NamedTuple


class SecretSpan(NamedTuple):
    """A piece of a text that has to go.

    Attributes:
        start: where it begins.
        end: where it ends.
        kind: what it is, as in ``<redacted:kind>``.
        secret: what the label's number goes by; the same secret has the same label.
        hint: how it was recognised, without a part of it.
        told: whether it is a finding of its own; the further lines of a key are not.

    """

    start: int
    end: int
    kind: str
    secret: str
    hint: str
    told: bool = True


class SecretFinding(NamedTuple):
    """A secret that was found, told without the secret.

    Attributes:
        kind: what it is, as in ``<redacted:kind>``.
        line: its line in the text that was given, from 1.
        column: its first character in that line, from 1.
        length: how many characters it has.
        hint: how it was recognised.

    """

    kind: str
    line: int
    column: int
    length: int
    hint: str


class Redacted(NamedTuple):
    """A text without its secrets, and what they were."""

    text: str
    found: tuple[SecretFinding, ...]
