"""Everybody at once: command lines, an editor, an assistant, watched runs and git, for minutes.

Afterwards the memory answers as one that reads the same files for the first time, and every
record whose writing was confirmed is in the work tree or among git's objects.
"""

import json
import random
import shutil
import subprocess
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import anyio
import pytest

from gitmem.memory import Memory
from tests.answers import assert_right
from tests.depth import DEEP, amount, deep, only_deep
from tests.e2e.assistants import piped, text_of
from tests.e2e.lsp_editor import Editor
from tests.e2e.running import environment, observer, ok

if TYPE_CHECKING:
    from tests.conftest import Checkout

pytestmark = [deep, only_deep, pytest.mark.slow, pytest.mark.timeout(3600 if DEEP else 600)]
SEEDS: Final = amount(share=1, ci=1, whole=5)
TURNS: Final = amount(share=25, ci=25, whole=150)
"""So many things each of them does; 150 take two to three minutes."""
CODE: Final = "def total(cart):\n    return cart['total']\n"
LOG: Final = (
    'Traceback (most recent call last):\n  File "{0}.py", line 2, in total\nKeyError: "{0}"\n'
)
GIT: Final = ("commit", "commit", "switch", "switch", "branch", "stash", "pop", "merge", "rebase")
QUESTIONS: Final = ("storm", "KeyError total", "decided", "kind:note", "thing 3")


class Storm:
    """What goes on in one repository, and what was confirmed.

    Attributes:
        confirmed: ids of the records whose writing a command or a server confirmed.
        deleted: ids of those that were to be deleted.
        faults: what nobody should have seen.

    """

    def __init__(self, root: "Checkout", seed: int) -> None:
        self.root = root
        self.seed = seed
        self.confirmed: list[str] = []
        self.deleted: set[str] = set()
        self.faults: list[str] = []
        self.over = threading.Event()
        self.git_calls = 0

    def rng(self, name: str) -> random.Random:
        return random.Random(f"{self.seed} {name}")

    def gitmem(self, *arguments: str, fine: tuple[int, ...] = (0,)) -> str:
        """Run a command; what it exits with, and what it must not say, is a fault."""
        done = subprocess.run(
            [*observer(), *arguments], cwd=self.root, capture_output=True, text=True, check=False,
            stdin=subprocess.DEVNULL, env=environment(), timeout=120,
        )  # fmt: skip
        if done.returncode not in fine or "Traceback" in done.stderr:
            self.faults.append(f"{arguments}: {done.returncode}: {done.stderr}")
        return done.stdout if done.returncode == 0 else ""

    def git(self, *arguments: str) -> None:
        """Run git; what it refuses in some states is no matter."""
        self.git_calls += 1
        subprocess.run(
            ["git", *arguments], cwd=self.root, capture_output=True, check=False,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip

    # Those who take part

    def command_line(self, name: str) -> None:
        """Add, resolve, forget, ask."""
        rng, own = self.rng(name), list[str]()
        for turn in range(TURNS):
            what = rng.choice(("note", "error", "resolve", "forget", "search", "export", "status"))
            title = f"storm {name} thing {turn}"
            if what in ("note", "error"):
                text = ("--body", "b") if what == "note" else ("--message", f"KeyError: {turn}")
                added = self.gitmem("add", what, "--title", title, *text)
                own += added.split()[:1]
                self.confirmed += added.split()[:1]
            elif what == "resolve" and own:
                # It may be on another branch by now, or be no error.
                self.confirmed += self.gitmem("resolve", own[-1], title, fine=(0, 2, 3)).split()[:1]
            elif what == "forget" and own and turn % 3 == 0:
                record = own.pop()
                self.deleted.add(record)
                self.gitmem("forget", record, "--yes", fine=(0, 3, 6))
            elif what == "export":
                # Files that git takes away meanwhile are named, and it exits with 1.
                self.gitmem("backup", "export", fine=(0, 1))
            else:
                self.gitmem(*(("search", "storm thing") if what == "search" else ("status",)))

    def watched(self, name: str) -> None:
        """Run a command that fails or not."""
        rng = self.rng(name)
        for _ in range(TURNS // 2):
            text, code = (LOG.format(name), 1) if rng.random() < 0.6 else ("fine\n", 0)
            (self.root.parent / f"{name}.log").write_text(text)
            line = f"cat ../{name}.log; exit {code}"
            self.gitmem("run", "--", "sh", "-c", line, fine=(0, 1))

    def editor(self, _name: str) -> None:
        """Hover, and change what is open."""
        editor, path = Editor(self.root, real=True), self.root / "shop.py"
        try:
            editor.initialize(self.root)
            editor.open(path, CODE)
            for turn in range(TURNS):
                editor.hover(path, 1, 8)
                editor.change(path, CODE + f"# {turn}\n", turn + 2)
            editor.request("shutdown")
            editor.notify("exit")
            editor.gone()
        finally:
            editor.close()

    def assistant(self, name: str) -> None:
        """Record decisions, and search."""

        async def conversation() -> None:
            async with piped(self.root, real=True) as client:
                for turn in range(TURNS // 2):
                    asked = {"decision": f"decided {name} {turn}", "rationale": "why"}
                    answer = await client.call_tool("coding_record_decision", asked)
                    if answer.is_error:  # it writes so many records a minute, and no more
                        assert "writes a minute" in text_of(answer)
                    else:
                        self.confirmed += (answer.structured_content or {})["written"]
                    await client.call_tool("gitmem_search", {"query": "storm thing"})

        anyio.run(conversation)

    def versions(self, name: str) -> None:
        """Commit, stash, switch, merge, rebase, until the others are done."""
        rng, branches = self.rng(name), ["main"]
        while not self.over.is_set():
            what = rng.choice(GIT)
            other = rng.choice(branches)
            if what == "commit":
                self.git("add", "-A")
                self.git("commit", "-q", "-m", "storm")
            elif what == "switch":
                self.git("checkout", "-q", other)
            elif what == "branch" and len(branches) < 4:
                branches.append(f"branch-{len(branches)}")
                self.git("checkout", "-q", "-b", branches[-1])
            elif what in ("stash", "pop"):
                self.git("stash", *(("push", "-q", "-u") if what == "stash" else ("pop", "-q")))
            elif what in ("merge", "rebase"):
                self.git(what, "-q", other)
                self.git(what, "--abort")

    def blow(self) -> None:
        """Let all of them go on until they are done."""
        who: list[tuple[Callable[[str], None], str]] = [
            (self.command_line, "first"), (self.command_line, "second"), (self.editor, "editor"),
            (self.assistant, "assistant"), (self.watched, "one"), (self.watched, "two"),
        ]  # fmt: skip

        def whole(work: Callable[[str], None], name: str) -> None:
            try:
                work(name)
            except BaseException as error:  # noqa: BLE001  a thread's failure is the test's
                self.faults.append(f"{name}: {''.join(traceback.format_exception(error))}")

        threads = [threading.Thread(target=whole, args=pair) for pair in who]
        git = threading.Thread(target=whole, args=(self.versions, "git"))
        for thread in (git, *threads):
            thread.start()
        for thread in threads:
            thread.join()
        self.over.set()
        git.join()


def in_git(root: "Checkout") -> str:
    """Give the text of every object that git has."""
    listed = root.git("cat-file", "--batch-check", "--batch-all-objects").splitlines()
    blobs = [line.split()[0] for line in listed if " blob " in line]
    return root.git("cat-file", "--batch", stdin="\n".join(blobs).encode())


def exported(root: Path) -> Any:
    return json.loads(ok(root, "backup", "export"))["records"]


def found(root: Path) -> list[list[str]]:
    # All of them: where more hits are equal than are shown, the order of reading chooses.
    answers = (ok(root, "search", question, "--limit", "1000", "--json") for question in QUESTIONS)
    return [[hit["id"] for hit in json.loads(answer)["hits"]] for answer in answers]


@pytest.mark.parametrize("seed", range(SEEDS))
def test_after_a_storm_nothing_is_lost_and_answers_are_those_of_a_fresh_copy(
    repo: "Checkout", tmp_path: Path, seed: int
) -> None:
    ok(repo, "init")
    (repo / "shop.py").write_text(CODE)
    repo.commit("begin")
    storm = Storm(repo, seed)
    storm.blow()
    if storm.faults:
        pytest.fail("\n".join(storm.faults))
    assert len(storm.confirmed) > TURNS / 2
    assert storm.git_calls > TURNS
    # Answers
    with Memory.open(str(repo)) as memory:
        assert memory.checks.verify() == []
        assert_right(memory)
        here = {row.id for row in memory.list()}
    copy = tmp_path / "copy"
    shutil.copytree(repo / ".memory", copy / ".memory")
    subprocess.run(["git", "init", "-q", str(copy)], check=True)
    assert exported(copy) == exported(repo)
    assert found(copy) == found(repo)
    # Records
    objects = in_git(repo)
    lost = [
        record
        for record in storm.confirmed
        if record not in here and record not in storm.deleted and record not in objects
    ]
    assert lost == []
    print(  # noqa: T201  the counts are what the test is for
        f"seed {seed}: {len(storm.confirmed)} records, {storm.git_calls} calls of git"
    )
