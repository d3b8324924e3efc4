"""One memory, one failure: every face gives the same verdict and the same records in one order.

Real outputs of all tools are asked about in every face: of some the memory knows what failed, of
some what ended them, of some it knows one that is like them, and of some nothing. A face that
composed its own answer called a known failure new, or left out the only attempt that failed.
"""

import json
import os
import re
import shlex
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pytest

from gitmem.assistants.payloads import payload
from gitmem.matching.parse import parse
from gitmem.memory import Memory
from gitmem.output.failure import Failure
from tests.depth import amount, deep
from tests.e2e.assistants import piped, said, talk
from tests.e2e.lsp_editor import Editor
from tests.e2e.pages import Served, serving
from tests.e2e.running import ok, run

if TYPE_CHECKING:
    from tests.conftest import Checkout

pytestmark = [pytest.mark.usefixtures("sealed_git"), pytest.mark.timeout(900), deep]
CORPUS: Final = Path(__file__).parent.parent
LONGEST: Final = 4_000
STATES: Final = ("ended", "failed only", "like it", "nothing", "ended")
UNIDENTIFIED: Final = ("the lamp is off again\n", "nothing works since Monday\n")
QUIET: Final = {"GITMEM_CAPTURE_MODE": "off"}
KNOWN: Final = re.compile(
    r"gitmem: (?:known|same|fixed before)|^same (?:error|place|message): |fixed before",
    re.MULTILINE,
)
_QUOTED: Final = re.compile(r"['\"`‘]([A-Za-z_][\w.]{2,})['\"`’]")  # noqa: RUF001


class Question(NamedTuple):
    """A failure, as a tool printed it, and what was recorded of it.

    Attributes:
        text: the output.
        failure: what is read in it; None: nothing.
        approaches: ids of attempts on it, those that say the same together, in the order in which
            they are to be told: of each at least one, and none of the others before its turn.

    """

    text: str
    failure: Failure | None
    approaches: tuple[frozenset[str], ...] = ()


class Told(NamedTuple):
    """What a face says: whether it is known, and which approaches it names, in their order."""

    known: bool
    approaches: tuple[frozenset[str], ...]


def approaches(names: Iterable[str], question: Question) -> tuple[frozenset[str], ...]:
    """Give the approaches that names of attempts stand for, each once."""
    own = (each for name in names for each in question.approaches if name in each)
    return tuple(dict.fromkeys(own))


def told(text: str, question: Question) -> Told:
    """Read what a face says of a failure as text: what was done alike stands there once."""
    named = list(dict.fromkeys(re.findall(r"fix-[0-9a-z]{10}", text)))
    for each in question.approaches:
        assert len(each.intersection(named)) <= 1 or "came back" in text, text
    return Told(bool(KNOWN.search(text)), approaches(named, question))


def told_as_data(answer: dict[str, Any], question: Question) -> Told:
    """Read the same of an answer for programs, which names every attempt."""
    failures = answer["failures"]
    named = [fix["id"] for each in failures for fix in each["attempts"]]
    return Told(any(each["label"] for each in failures), approaches(named, question))


# The questions


@cache
def failures() -> tuple[tuple[str, Failure], ...]:
    """Give outputs that show one failure, at most two of a tool."""
    found: dict[tuple[str, str], tuple[str, Failure]] = {}
    of_tool: Counter[str] = Counter()
    for path in sorted([*CORPUS.glob("tools/*/*.txt"), *CORPUS.glob("corpus/*/*.txt")]):
        data = path.read_bytes()
        if len(data) > LONGEST or of_tool[path.parent.name] > 1:
            continue
        shown = parse(data)
        if len(shown) != 1 or shown[0].severity != "error" or not shown[0].message:
            continue
        key = shown[0].error_type, shown[0].message
        if key not in found:
            of_tool[path.parent.name] += 1
            found[key] = data.decode(errors="replace"), shown[0]
    return tuple(found.values())


def asked(repo: "Checkout") -> list[Question]:
    """Record what the memory is to know, and give the questions."""
    ok(repo, "init")
    repo.add("src/main.txt", "one\n")
    repo.commit("first")
    questions = [Question(text, None) for text in UNIDENTIFIED]
    every = failures()
    share = every[:: max(1, len(every) // amount(share=12, ci=100, whole=100))]
    with Memory.open(str(repo)) as memory:
        for number, (text, failure) in enumerate(share):
            state = STATES[number % len(STATES)]
            if question := _recorded(memory, Question(text, failure), state, number):
                questions.append(question)
    return questions


def _recorded(memory: Memory, question: Question, state: str, number: int) -> Question | None:
    """Record what is to be known of a failure; None: the memory has it already."""
    if state == "nothing":
        return question
    if state == "like it":
        other = _QUOTED.sub(
            lambda name: name[0].replace(name[1], f"{name[1]}_other"), question.text
        )
        written = memory.failures.capture([other], record=True).written
        for error in written:
            memory.resolve(error, {"approach": f"mend the other one of {number}"})
        return question
    written = memory.failures.capture([question.text], record=True, guesses=True).written
    if len(written) != 1:
        return None
    (error,) = written

    def attempt(approach: str, outcome: str) -> str:
        fields = {"approach": f"{approach} {number}", "outcome": outcome}
        return memory.resolve(error, fields).id

    failed = attempt("try it again", "failed")
    if state == "failed only":
        return question._replace(approaches=(frozenset({failed}),))
    worked = frozenset({attempt("put it right", "worked"), attempt("Put it  right", "worked")})
    return question._replace(approaches=(worked, frozenset({failed})))


# The faces: each gives what it says of a question; None: it can't be asked that.

Face = Callable[[Question], Told | None]


class Faces:
    """All faces of one memory, each started once.

    Args:
        repo: where the memory is.
        opened: ends what was started.

    """

    def __init__(self, repo: "Checkout", opened: ExitStack) -> None:
        self._repo = repo
        self._editor = Editor(repo, real=True)
        opened.callback(self._editor.close)
        self._editor.initialize(repo)
        self._served: Served = opened.enter_context(serving(repo))
        self._files = 0

    def all(self) -> Iterator[tuple[str, Face]]:
        """Give the faces by their names; a new one is a line here."""
        yield "hint", lambda each: told(ok(self._repo, "hint", stdin=each.text), each)
        yield "hint as data", self._hint_as_data
        yield "run", lambda each: told(self._run(each, "run", "--").err, each)
        yield (
            "capture",
            lambda each: told(
                ok(self._repo, "runs", "capture", "-", stdin=each.text, **QUIET), each
            ),
        )
        yield "ci", lambda each: told(ok(self._repo, "ci", self._file(each)), each)
        yield "ci's summary", self._summary
        yield "editor, by text", self._editor_by_text
        yield "editor, hover", self._hover
        yield "page's interface", self._served_hint
        for client in ("claude", "gemini"):  # Codex does not tell whether a command failed
            yield f"hook of {client}", self._hook(client)

    def _file(self, question: Question) -> str:
        self._files += 1
        name = f"fails-{self._files}.txt"
        (self._repo / name).write_text(question.text)
        return name

    def _run(self, question: Question, *before: str) -> Any:
        line = f"cat {shlex.quote(self._file(question))}; exit 1"
        return run(self._repo, *before, "sh", "-c", line, env=QUIET)

    def _hint_as_data(self, question: Question) -> Told:
        answer = json.loads(ok(self._repo, "hint", "--json", stdin=question.text))
        return told_as_data(answer, question)

    def _summary(self, question: Question) -> Told:
        summary = self._repo / f"{self._file(question)}.md"
        ok(self._repo, "ci", self._file(question), "--summary", summary.name)
        return told(summary.read_text(), question)

    def _editor_by_text(self, question: Question) -> Told:
        given = {"command": "gitmem.tell", "arguments": [question.text]}
        return told(self._editor.request("workspace/executeCommand", given)["markdown"], question)

    def _hover(self, question: Question) -> Told | None:
        failure = question.failure
        if failure is None or failure.location is None or not failure.location.line:
            return None
        if failure.error_type or failure.test or failure.frames or not failure.tool:
            return None  # it was no checker's: an editor has it by its text, with its stack
        path = self._repo / failure.location.file.removeprefix("/")
        if path.is_relative_to(self._repo / ".memory") or not path.is_relative_to(self._repo):
            return None
        self._editor.open(path, "\n" * (failure.location.line + 1))
        line = failure.location.line - 1
        ends = {"start": {"line": line, "character": 0}, "end": {"line": line, "character": 0}}
        given = {"range": ends, "severity": 1, "source": failure.tool, "code": failure.code or None}
        self._editor.forward(path, {**given, "message": failure.message})
        shown = None
        for _ in range(30 if question.approaches else 5):  # it answers before it has read all
            if shown := self._editor.hover(path, line, 0):
                break
            time.sleep(0.2)
        return told(str(shown["contents"]["value"]) if shown else "", question)

    def _served_hint(self, question: Question) -> Told:
        asked_with = json.dumps({"text": question.text})
        where = f"/api/v1/{self._served.name}/hint"
        answer = self._served.ask(where, "POST", asked_with, content_type="application/json")
        assert answer.status == 200, answer.text
        return told_as_data(answer.data, question)

    def _hook(self, client: str) -> Face:
        def face(question: Question) -> Told:
            command = f"cat {self._file(question)}; exit 1"
            event = payload(client, "red", os.fspath(self._repo), command, question.text, 1)
            done = run(self._repo, "assistant-hook", client, stdin=json.dumps(event), env=QUIET)
            assert (done.code, done.err) == (0, "")
            return told("\n".join(_texts(json.loads(done.out or "{}"))), question)

        return face


def _texts(answer: Any) -> Iterator[str]:
    if isinstance(answer, dict):
        for each in answer.values():
            yield from _texts(each)
    elif isinstance(answer, str):
        yield answer


def by_assistants(repo: "Checkout", questions: list[Question]) -> list[Told]:
    """Ask an assistant's server, over its pipes, in one conversation."""
    answers: list[Told] = []

    async def conversation() -> None:
        async with piped(repo) as client:
            for question in questions:
                text = await said(client, "gitmem_hint", text=question.text)
                answers.append(told(text, question))

    talk(conversation)
    return answers


def told_by(name: str, answers: dict[str, list[Told | None]], number: int) -> Told:
    """Give the answer of a face that answers everything."""
    answer = answers[name][number]
    assert answer is not None
    return answer


def test_every_face_gives_one_answer(repo: "Checkout") -> None:
    questions = asked(repo)
    answers: dict[str, list[Told | None]] = {"MCP": [*by_assistants(repo, questions)]}
    with ExitStack() as opened:
        for name, face in Faces(repo, opened).all():
            answers[name] = [face(question) for question in questions]
    disagreements, known = [], 0
    for number, question in enumerate(questions):
        # Of what tells only how something ended, no record is known as it: only like it.
        is_known = told_by("hint", answers, number).known
        known += is_known and bool(question.approaches)
        for name, given in answers.items():
            answer = given[number]
            if answer is None:
                continue
            if answer.known != is_known or (is_known and answer.approaches != question.approaches):
                disagreements.append((question.text[:60], name, answer, is_known))
    assert not disagreements, f"{len(disagreements)}: {disagreements}"
    recorded = sum(bool(question.approaches) for question in questions)
    assert known >= 0.9 * recorded > 0
    assert len(questions) > recorded
    hovered = sum(answer is not None for answer in answers["editor, hover"])
    assert hovered >= amount(share=1, ci=8, whole=8)
    assert len(questions) >= amount(share=12, ci=60, whole=60)
