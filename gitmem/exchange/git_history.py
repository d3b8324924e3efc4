"""Commits as records: an error with its fix, and attempts that were reverted. Pure.

A record follows from its commit alone, never from what came later: whoever imports the same
history in another year gets the same records. That a fix was taken back is told by a record of
the revert's own, an attempt that failed and that names the fix it took up.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from gitmem.exchange.git_failures import added_tests, named_failure
from gitmem.exchange.git_messages import CommitMessage, who_tested, why_taken_back
from gitmem.exchange.git_symptoms import symptom_of
from gitmem.exchange.identity import id_of
from gitmem.git.log import AuthoredCommit
from gitmem.git.patches import CommitChange
from gitmem.matching.parse import parse
from gitmem.output.failure import Failure, as_fields
from gitmem.records.type_in_title import with_type
from gitmem.tools.choice import alternatives

TOOL: Final = "gitmem import git"
TAG: Final = "imported"
NO_REASON: Final = "It was reverted; the commit does not say why."
_LONGEST_TITLE: Final = 300
_LONGEST_TEXT: Final = 8_000
_LONGEST_NAME: Final = 200
_INDENTED: Final = re.compile(r"(?:>|[ \t])")
_WIDEST_INDENT: Final = 12
_DOCS: Final = re.compile(
    r"(?:^|/)(?:docs?|documentation|man|changes|changelog\.d|newsfragments|releasenotes|\.github)/"
    r"|(?:^|/)(?:readme|changelog|changes|history|news|authors|contributors|contributing|licen[cs]e"
    r"|copying|notice|todo|codeowners|\.mailmap|\.gitignore|\.gitreview|\.gitattributes)(?:\.\w+)?$"
    r"|\.(?:md|markdown|rst|adoc|asciidoc|tex|texi|pod|po|pot|png|svg|jpe?g|gif)$",
    re.IGNORECASE,
)
_TEST: Final = re.compile(
    r"(?:^|/)(?:tests?|testing|specs?|__tests__|testdata|fixtures)/|(?:^|/)(?:test_|conftest|tests?\.\w+$)"
    r"|(?:_test|_spec|\.test|\.spec|Tests?)\.\w+$"
)


class Made(NamedTuple):
    """What becomes of one commit.

    Attributes:
        commit: its id.
        what: ``fix``, ``taken back`` or ``applied again``.
        title: one line that names it.
        records: (kind, fields) of its records; one comes after those that it links to.

    """

    commit: AuthoredCommit
    what: str
    title: str
    records: tuple[tuple[str, dict[str, Any]], ...]


def failure_in(body: str) -> Failure | None:
    """Find the failure that a message quotes, however far it is indented; guesses do not count."""
    for failure in parse(_outdented(body)) if "\n" in body else ():
        recognised = failure.tool and (failure.error_type or failure.code)
        if failure.severity == "error" and (failure.frames or recognised):
            return failure
    return None


def _outdented(body: str) -> str:
    """Take from each block of indented lines what all of them are indented by."""
    outdented: list[str] = []
    block: list[str] = []
    for line in [*body.split("\n"), "end"]:
        if _INDENTED.match(line) or (block and not line.strip()):
            block.append(line.removeprefix("> "))
            continue
        indents = [len(line) - len(line.lstrip()) for line in block if line.strip()]
        cut = min([*indents, _WIDEST_INDENT])
        outdented += [line[cut:] for line in block]
        block = []
        outdented.append(line)
    return "\n".join(outdented[:-1])


def against(change: CommitChange) -> str:
    """Say why a change can't be a fix that is worth a record; empty if it can."""
    if change.missing:
        return "its content is missing in this clone"
    if any(f"/{kind}/" in f"/{path}" for kind in ("errors", "fixes") for path in change.excluded):
        return "it brought its own records"
    if not change.key:
        return "without a change"
    if all(map(_DOCS.search, change.paths)):
        return "it changes documentation only"
    if all(_DOCS.search(path) or _services().search(path) for path in change.paths):
        return "it changes settings of services only"
    if all(_DOCS.search(path) or _TEST.search(path) for path in change.paths):
        return "it changes tests only"
    beside = (_DOCS, _services(), _TEST, _aside())
    if all(any(form.search(path) for form in beside) for path in change.paths):
        return "it changes packages or settings of tools only"
    if change.blank:
        return "it changes white space only"
    return ""


@cache
def _services() -> re.Pattern[str]:
    """Give the pattern of paths of what is for a service only."""
    named = alternatives("files.services")
    return re.compile(rf"(?:^|/)(?:{named})(?:/|(?:\.(?:ya?ml|json5?|toml))?$)")


@cache
def _aside() -> re.Pattern[str]:
    """Give the pattern of paths of dependencies, and of settings of tools."""
    return re.compile(rf"(?:^|/)(?:{alternatives('files.aside')})$", re.IGNORECASE)


def mends_code_with_a_test(change: CommitChange) -> bool:
    """Tell whether a change comes with a test: then it is about what code does."""
    tests = [path for path in change.paths if _TEST.search(path)]
    others = [path for path in change.paths if not _DOCS.search(path) and path not in tests]
    return bool(tests and others)


def fix_ids(key: str) -> tuple[str, str]:
    """Give the ids of the error and the fix that come of a change with this key."""
    return id_of("error", "git fix", key), id_of("fix", "git fix", key)


def attempt_id(key: str, depth: int) -> str:
    """Give the id of the attempt that was taken back, or applied again, at this depth."""
    return id_of("fix", "git revert", str(depth), key)


def fix(
    commit: AuthoredCommit,
    message: CommitMessage,
    change: CommitChange,
    points: Mapping[str, int],
    failure: Failure | None,
    patch: str,
) -> Made | None:
    """Make an error and its fix of a commit; None where nothing tells what went wrong.

    Args:
        commit: the commit.
        message: its message.
        change: what it changes.
        points: the evidence that was counted.
        failure: the failure that the message quotes.
        patch: what it changes, bounded.

    """
    error_id, fix_id = fix_ids(change.key)
    tests_added = added_tests(change.text, _TEST.search)
    named = symptom_of(message, tests_added)
    if not named and not failure:
        return None
    symptom = _line(named)
    evidence_fields: dict[str, Any] = (
        as_fields(failure) if failure else {"symptom": None, **named_failure(message)}
    )
    if tests_added:
        evidence_fields["tests"] = tests_added
    title = _failure_title(failure) if failure else symptom
    if words := evidence_fields.get("message"):
        title = _line(with_type(words, evidence_fields.get("error_type", "")))
    error = {
        **evidence_fields,
        **_envelope(commit, message, error_id, title),
        "subject": message.scope,
        **({"symptom": symptom} if failure and symptom != title else {}),
    }
    tests = [path for path in change.paths if _TEST.search(path)]
    notes = [f"From commit {commit.id[:12]}.", f"Counted as a fix: {', '.join(points)}."]
    if tests and len(tests) < len(change.paths):
        notes.append(f"With the code it changes a test: {', '.join(tests[:3])}.")
    tested = who_tested(message)
    notes += [f"Tested by {name}." for name in tested[:3]]
    attempt = {
        **_envelope(commit, message, fix_id, _line(message.subject)),
        "approach": _text(message),
        "outcome": "worked" if tested else "unverified",
        "applied": True,
        "patch": patch,
        "notes": "\n".join(notes),
        "links": {"fixes": [error_id]},
    }
    return Made(commit, "fix", error["title"], (("error", error), ("fix", attempt)))


def taken_back(
    commit: AuthoredCommit,
    message: CommitMessage,
    key: str,
    patch: str,
    of: tuple[str, str] | None = None,
    earlier: str | None = None,
) -> Made:
    """Make an attempt that failed of a revert, or one that is open of a change applied again.

    Args:
        commit: the commit.
        message: its message.
        key: the key of what was taken back, or came back.
        patch: the same as a diff, bounded.
        of: ids of the error and the fix, if a fix was taken back and has its record.
        earlier: id of an attempt that stands for the change otherwise.

    """
    again = message.depth % 2 == 0
    record_id = attempt_id(key, message.depth)
    core = _line(message.core)
    title = f"applied again: {core}" if again else f"did not hold: {core}"
    fields = {
        **_envelope(commit, message, record_id, title[:_LONGEST_TITLE]),
        "approach": core,
        "outcome": "unverified" if again else "failed",
        "applied": True,
        "patch": patch,
        "notes": f"{'Applied again' if again else 'Taken back'} by commit {commit.id[:12]}.",
    }
    why = why_taken_back(message)[:_LONGEST_TEXT].strip()
    if again and why:
        fields["analysis"] = why
    elif not again:
        fields["why_failed"] = why or NO_REASON
    if of:
        fields |= {"links": {"fixes": [of[0]]}, "reuses": of[1]}
    elif earlier and earlier != record_id:
        fields["reuses"] = earlier
    what = "applied again" if again else "taken back"
    return Made(commit, what, core, (("fix", fields),))


def _envelope(
    commit: AuthoredCommit, message: CommitMessage, record_id: str, title: str
) -> dict[str, Any]:
    name = " ".join(re.sub(r"[\x00-\x1f\x7f<>]", " ", commit.name).split())[:_LONGEST_NAME]
    email = commit.email if re.fullmatch(r"[^\s<>]{1,320}", commit.email) else ""
    author = {"name": name or "unknown", "email": email, "via": "tool", "tool": TOOL}
    return {
        "id": record_id,
        "title": title,
        "created": commit.at.isoformat().replace("+00:00", "Z"),
        "author": {key: value for key, value in author.items() if value},
        "tags": [TAG, *(tag for tag in message.references if tag != TAG)],
    }


def _text(message: CommitMessage) -> str:
    return "\n\n".join(filter(None, (message.subject, message.body)))[:_LONGEST_TEXT].strip()


def _failure_title(failure: Failure) -> str:
    message = _line(failure.message)
    kind = failure.error_type or failure.code
    return _line(with_type(message, kind))


def _line(text: str) -> str:
    line: Sequence[str] = text.strip().splitlines()
    return line[0].strip()[:_LONGEST_TITLE].strip() if line else "without words"
