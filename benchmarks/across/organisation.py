"""Repositories with memories, a hub that reads them, and somebody who asks from another one."""

import os
import subprocess
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Final, NamedTuple

import uvicorn

from benchmarks.across.cases import TYPED, Case, Filed
from benchmarks.measure import sealed
from gitmem.errors import InvalidError
from gitmem.matching.parse import main_failure
from gitmem.memory import Memory
from gitmem.memory.core.redaction import redact_record
from gitmem.output.failure import as_fields
from gitmem.parts.hub.protocol import Engine
from gitmem.parts.hub.registry import Registry
from gitmem.parts.hub.taking import SourceRepository, Taker
from gitmem.parts.hub.web.application import application
from gitmem.parts.hub.web.shared import Hub
from gitmem.parts.hub.web.upkeep import Housekeeping
from gitmem.records.convert import encode, from_data
from gitmem.records.guide import title_from
from gitmem.records.kinds import Record
from gitmem.records.layout import make_id, path_for
from gitmem.serve.serving import listening

_ENVELOPE: Final = {"author": {"name": "Eva", "type": "human"}, "created": "2026-11-21T00:00:00Z"}
_SECONDS: Final = 60.0
"""How long a question may take: what is measured is what is answered, not how soon."""


class Shown(NamedTuple):
    """A record that an answer shows, by the cause that it is of."""

    cause: str
    label: str


class Answer(NamedTuple):
    """What is shown for a question: out of the own memory, and of other repositories."""

    own: tuple[Shown, ...]
    foreign: tuple[Shown, ...]


class Organisation:
    """Repositories and their hub, in a folder.

    Args:
        folder: an empty one.
        filed: what the repositories have recorded.
        engine: of the hub.

    """

    def __init__(self, folder: str, filed: Sequence[Filed], engine: Engine) -> None:
        self._folder = folder
        self._engine = engine
        self._causes: dict[tuple[str, str], str] = {}
        self._environ = sealed() | {"HOME": os.path.join(folder, "home")}
        os.mkdir(self._environ["HOME"])
        by_repository: defaultdict[str, list[Filed]] = defaultdict(list)
        for each in filed:
            by_repository[each.repository].append(each)
        self._own = self._repository("", by_repository.pop("", []))
        self.registry = Registry.read(os.path.join(folder, "hub"))
        os.mkdir(self.registry.folder)
        taker = Taker(engine, self.registry.clones)
        for name, there in by_repository.items():
            source = SourceRepository(name, self._repository(name, there))
            self.registry.add(source)
            taker.take(source)

    def _repository(self, name: str, filed: Sequence[Filed]) -> str:
        """Make a git repository with these records; give its folder."""
        folder = os.path.join(self._folder, "repositories", name or "own")
        os.makedirs(folder)
        _git(folder, "init", "-q", "-b", "main")
        Memory.init(folder, environ=self._environ)
        with Memory.open(folder, environ=self._environ) as memory:
            memory_folder = memory.workspace.site.folder
            for number, each in enumerate(filed):
                for raw in records(each, len(self._causes) + number):
                    record = redact_record(memory.workspace, raw)
                    path = path_for(record.kind, record.id, record.title, record.created)
                    target = os.path.join(memory_folder, path)
                    os.makedirs(os.path.dirname(target), exist_ok=True)
                    with open(target, "wb") as file:
                        file.write(encode(record))
                    self._causes[name, record.id] = each.cause
            with open(os.path.join(memory_folder, "gitmem.yaml"), "w") as file:
                file.write("format: 1\nsettings:\n  hub.publish: true\n")
        _git(folder, "add", "-A")
        _git(folder, "commit", "-qm", "what we learnt")
        return folder

    @contextmanager
    def asking(self, *, words: bool) -> Iterator[Callable[[Case], Answer]]:
        """Serve the hub; give what answers a question, as ``gitmem hint`` and ``search`` do.

        Args:
            words: the user allows that typed words are sent.

        """
        with ExitStack() as stack:
            url = stack.enter_context(self._serving())
            memories: dict[str, Memory] = {}

            def answer(case: Case) -> Answer:
                if case.hidden not in memories:
                    environ = self._environ | {
                        "GITMEM_HUB_URL": url,
                        "GITMEM_HUB_TOKEN": self._token(case.hidden),
                        "GITMEM_HUB_SEND": "words" if words else "fingerprints",
                    }
                    memory = Memory.open(self._own, environ=environ)
                    memories[case.hidden] = stack.enter_context(memory)
                    memory.checks.catch_up()
                return self._answer(memories[case.hidden], case)

            yield answer

    def _answer(self, memory: Memory, case: Case) -> Answer:
        if case.kind in TYPED:
            hits = memory.search(case.text).hits
            own = [(hit.row.id, hit.label) for hit in hits]
            answers = memory.failures.elsewhere_of(case.text, {hit.label for hit in hits}, _SECONDS)
        else:
            matches = memory.failures.meant_by(case.text)
            own = [(row.id, match.label) for match in matches for row in match.errors]
            own += [(hit.row.id, hit.label) for match in matches for hit in match.similar]
            if not own:
                alike = memory.failures.resembling(case.text, matches)
                own = [(hit.row.id, hit.label) for hit in alike]
            answers = memory.failures.elsewhere(matches, _SECONDS)
        return Answer(
            tuple(Shown(self._causes.get(("", name), ""), label) for name, label in own),
            tuple(
                Shown(self._causes[hit.repository, hit.id], hit.label)
                for question in answers
                for hit in question.answer.hits
            ),
        )

    def _token(self, hidden: str) -> str:
        visible = [
            name
            for name in self.registry.repositories
            if not hidden or not f"{name}/".startswith(f"{hidden}/")
        ]
        name = hidden or "everything"
        return self.registry.new_token(name, internal=False, repositories=visible)

    @contextmanager
    def _serving(self) -> Iterator[str]:
        folder = self.registry.folder
        with listening(0) as door:
            upkeep = Housekeeping(folder, lambda: self._engine, 900.0, print)
            app = application(Hub(folder, self._engine, upkeep, {}))
            server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
            thread = threading.Thread(target=server.run, kwargs={"sockets": [door]})
            thread.start()
            try:
                yield f"http://127.0.0.1:{door.getsockname()[1]}"
            finally:
                server.should_exit = True
                thread.join()


def records(filed: Filed, number: int) -> tuple[Record, Record]:
    """Record an error as ``gitmem`` does, and what was done about it."""
    fields = as_fields(main_failure(filed.text))
    error = make_id("error", number.to_bytes(7, "big"))
    data = {"kind": "error", "id": error, "title": title_from(fields), **_ENVELOPE, **fields}
    try:
        read = from_data(data)
    except InvalidError:
        # A guess of a parser at prose that no record may hold, such as a place without a path.
        plain = ("kind", "id", "title", "author", "created", "message", "excerpt")
        read = from_data({name: data[name] for name in plain if name in data})
    fix = from_data({
        "kind": "fix", "id": make_id("fix", number.to_bytes(7, "big")), "title": filed.fix[:200],
        "outcome": "worked", "links": {"fixes": [error]}, **_ENVELOPE,
    })  # fmt: skip
    return read, fix


def _git(folder: str, *arguments: str) -> None:
    identity = ("-c", "user.name=Eva", "-c", "user.email=eva@example.org")
    subprocess.run(["git", *identity, *arguments], cwd=folder, env=sealed(), check=True)
