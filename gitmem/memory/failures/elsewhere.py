"""What other repositories know of a failure: asked of the organisation's hub, behind all else.

The memory's own answer is there first, and stays as it is. Of a failure nothing but hashes is
sent; words only if the user's settings say so. A hub that does not answer three times in a row is
left alone for five minutes.
"""

import os
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import msgspec

from gitmem.errors import UsageError
from gitmem.hub.client import TOKEN, Address, ask
from gitmem.hub.messages import AlikeQuestion, Elsewhere, WordsQuestion
from gitmem.hub.prints import prints_asked
from gitmem.index.fillers import STOP_WORDS
from gitmem.matching.labels import SAME_ERROR
from gitmem.memory.core.fingerprints import fingerprinted, seen_in
from gitmem.memory.core.redaction import redact_for_model
from gitmem.memory.core.site import own_folder
from gitmem.query import parse

if TYPE_CHECKING:
    from gitmem.capture.fingerprinted import FingerprintedFailure
    from gitmem.capture.observed import Match
    from gitmem.memory.core.workspace import Workspace
    from gitmem.output.failure import Failure

_MOST_ASKED: Final = 3
_MOST_WORDS: Final = 24
_LONGEST: Final = 200
_FAILURES: Final = 3
_SILENCE: Final = 300.0


class _Silence(msgspec.Struct):
    failures: int = 0
    until: float = 0.0


def of_matches(
    workspace: "Workspace", matches: "Iterable[Match]", seconds: float
) -> list[Elsewhere]:
    """Ask the hub about failures of which the memory does not have the same error.

    Args:
        workspace: of the memory.
        matches: what it knows itself.
        seconds: for all of them together.

    """
    failures = [match.seen for match in matches if match.label != SAME_ERROR]
    return _of_failures(workspace, failures, seconds)


def of_failure(workspace: "Workspace", failure: "Failure", seconds: float) -> list[Elsewhere]:
    """Ask the hub about a failure, whatever the memory knows of it."""
    return _of_failures(workspace, [fingerprinted(workspace, failure)], seconds)


def of_text(
    workspace: "Workspace", text: str, labels: Iterable[str], seconds: float
) -> list[Elsewhere]:
    """Ask the hub about a text that somebody searched for.

    Args:
        workspace: of the memory.
        text: a pasted error, or words; words are sent only if ``hub.send`` says so.
        labels: of the memory's own hits.
        seconds: how long to wait at most.

    """
    if SAME_ERROR in labels:
        return []
    if failures := seen_in(workspace, text):
        return _of_failures(workspace, failures, seconds)
    if workspace.site.config.hub_send != "words" or "\n" in text.strip():
        return []
    clean = str(redact_for_model(workspace, text)[0])
    typed = dict.fromkeys(parse(clean, workspace.clock()).words.split())
    words = tuple(word[:_LONGEST] for word in typed if word.casefold() not in STOP_WORDS)
    question = WordsQuestion(words[:_MOST_WORDS])
    return _asked(workspace, [("", question)], seconds) if words else []


def _of_failures(
    workspace: "Workspace", failures: "Sequence[FingerprintedFailure]", seconds: float
) -> list[Elsewhere]:
    questions = {
        prints: (failure.title, AlikeQuestion(prints))
        for failure in reversed(failures[:_MOST_ASKED])
        if (prints := prints_asked(failure.fields))
    }
    return _asked(workspace, list(reversed(questions.values())), seconds)


def _asked(
    workspace: "Workspace",
    questions: "Sequence[tuple[str, AlikeQuestion | WordsQuestion]]",
    seconds: float,
) -> list[Elsewhere]:
    try:
        address = Address(workspace.site.config.hub_url)
    except UsageError as error:
        workspace.notices.append(f"{error.message} ({error.hint})")
        return []
    breaker = _Breaker(workspace)
    token = workspace.environ.get(TOKEN, "")
    answers: list[Elsewhere] = []
    began = time.monotonic()
    for title, question in questions:
        left = seconds - (time.monotonic() - began)
        if left <= 0 or not breaker.may_ask():
            break
        asked_at = time.monotonic()
        answer = ask(address, token, question, left)
        breaker.note(answered=answer is not None)
        if answer is None:
            break
        took = int((time.monotonic() - asked_at) * 1000)
        answers.append(Elsewhere(title, answer, address.host, took))
    return answers


class _Breaker:
    """Remembers, for all commands of a user, that a hub does not answer."""

    def __init__(self, workspace: "Workspace") -> None:
        folder = own_folder(workspace.environ, "CACHE", ".cache", "hub")
        self._path = os.path.join(folder, "silence.json") if folder else ""
        self._state = self._read()

    def may_ask(self) -> bool:
        """Tell whether the hub may be asked now."""
        ahead = self._state.until - time.time()
        return not 0 < ahead <= _SILENCE  # a clock that was set back silences nobody for long

    def note(self, *, answered: bool) -> None:
        """Note whether it answered."""
        failures = 0 if answered else self._state.failures + 1
        until = time.time() + _SILENCE if failures >= _FAILURES else 0.0
        state = _Silence(0 if until else failures, until)
        if state != self._state:
            self._state = state
            self._write()

    def _read(self) -> _Silence:
        try:
            with open(self._path, "rb") as file:
                return msgspec.json.decode(file.read(4096), type=_Silence)
        except (OSError, msgspec.MsgspecError):
            return _Silence()

    def _write(self) -> None:
        if not self._path:
            return
        beside = f"{self._path}.{os.getpid()}"
        with suppress(OSError):  # then the next command asks once more
            os.makedirs(os.path.dirname(self._path), mode=0o700, exist_ok=True)
            with open(beside, "wb") as file:
                file.write(msgspec.json.encode(self._state))
            os.replace(beside, self._path)
