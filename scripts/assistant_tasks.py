"""Does what assistants do, ten tasks with ``gitmem mcp``: how many calls and tokens each takes.

Each task is carried out by the SDK's client on the real command, in two small repositories whose
memories hold some twenty records, and has to be told what it needs. With ``--write`` the table in
docs/assistants.md is written anew; else it is printed.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from unittest import mock

from gitmem.learning.tokens import estimate
from gitmem.memory import Memory

if TYPE_CHECKING:
    from mcp import Client

PAGE: Final = Path(__file__).parents[1] / "docs" / "assistants.md"
_TABLE: Final = re.compile(r"(<!-- ten tasks -->\n).*?(<!-- end -->)", re.DOTALL)
_SEALED: Final = {
    "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.org",
}  # fmt: skip
PRICE: Final = """\
from decimal import Decimal


def total(net, rate):
    return net + net * rate
"""
TRACE: Final = """\
tests/test_price.py F                                                    [100%]

    def test_total():
>       assert total(Decimal("10"), 0.19) == Decimal("11.90")

tests/test_price.py:7:
_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _

    def total(net, rate):
>       return net + net * rate
E       TypeError: unsupported operand type(s) for *: 'decimal.Decimal' and 'float'

src/price.py:5: TypeError
=========================== short test summary info ============================
FAILED tests/test_price.py::test_total - TypeError: unsupported operand type(s)...
"""
STUCK: Final = """\
Traceback (most recent call last):
  File "src/orders.py", line 2, in place
    db.execute("insert into orders values (1)")
sqlite3.OperationalError: database is locked
"""
PATCH: Final = """\
--- a/src/price.py
+++ b/src/price.py
@@ -4,2 +4,2 @@
 def total(net, rate):
-    return net + net * rate
+    return net + net * Decimal(str(rate))
"""
DECISIONS: Final[tuple[tuple[str, str, list[str]], ...]] = (
    ("Prices are Decimal, never float", "Cents were lost in sums.", ["src/price.py"]),
    ("Orders live in SQLite", "One file, no server to run.", ["src/orders.py"]),
    ("Times are stored in UTC", "Shops stand in three zones.", ["src/orders.py"]),
    ("Mails are sent by the queue", "Requests must not wait for SMTP.", []),
    ("Pages are rendered on the server", "Old phones took six seconds.", []),
    ("Names of tables are plural", "So it grew.", []),
)
NOTES: Final = (
    ("The tests need TZ=UTC", "TZ=UTC make test; else two of them fail in summer."),
    ("The label printer answers only in the office", "Use --fake-printer elsewhere."),
    ("Fixtures are made by make seed", "They are not committed."),
)


class AssistantTask(NamedTuple):
    """A task: its name, how it is done, and what the answers must hold."""

    name: str
    calls: Sequence[tuple[str, Mapping[str, Any]]]
    wanted: Sequence[str]


class TaskCost(NamedTuple):
    """What a task took: tools in order, tokens of what was sent and of what was answered."""

    name: str
    tools: tuple[str, ...]
    sent: int
    answered: int


class _Repositories(NamedTuple):
    shop: Path
    bank: Path
    stuck: str


@contextmanager
def repositories(folder: Path) -> Iterator[_Repositories]:
    """Make two repositories with memories."""
    shop, bank = folder / "shop", folder / "bank"
    stuck = _shop(shop)
    _begin(bank, {"README.md": "# Bank\n\nKeeps accounts.\n"})
    with _memory(bank) as memory:
        title = "Money is moved in one transaction"
        fields = {"title": title, "decision": "Both sides or none.", "rationale": "Audit."}
        memory.add("decision", fields)
    yield _Repositories(shop, bank, stuck)


def _shop(root: Path) -> str:
    _begin(root, {
        "README.md": "# Shop\n\nSells tea to those who come by.\n",
        "Makefile": "build:\n\tpython -m build\ntest:\n\tpytest -q\nlint:\n\truff check\n",
        "pyproject.toml": '[project]\nname = "shop"\ndependencies = ["flask"]\n',
        "src/price.py": PRICE,
        "src/orders.py": 'def place(db):\n    db.execute("insert into orders values (1)")\n',
    })  # fmt: skip
    with _memory(root) as memory:
        for title, why, files in DECISIONS:
            memory.add("decision", {"title": title, "decision": f"{title}.", "rationale": why,
                                    "governs": files})  # fmt: skip
        for title, body in NOTES:
            memory.add("note", {"title": title, "body": body})
        (price,) = memory.failures.record_text(TRACE).ids
        memory.resolve(price, {"approach": "Turn the rate into a float, too", "outcome": "failed",
                               "why_failed": "Sums were wrong by a cent afterwards."})  # fmt: skip
        memory.resolve(price, {"approach": "Make a Decimal of the rate", "patch": PATCH,
                               "lessons": "Rates come as floats from the tax table.",
                               "verification": {"command": "pytest -q"}})  # fmt: skip
        (stuck,) = memory.failures.record_text(STUCK).ids
        for way in ("Wait 5 s for the lock", "Open the file anew", "Retry three times"):
            why = "The import holds the lock for minutes."
            memory.resolve(stuck, {"approach": way, "outcome": "failed", "why_failed": why})
        for number, kind in enumerate(("KeyError", "ValueError", "OSError", "RuntimeError")):
            error = memory.add("error", {"error_type": kind, "message": f"tea {number} is out"})
            memory.resolve(error.id, {"approach": f"Order tea {number} a day earlier"})
    _git(root, "add", "-A")
    _git(root, "commit", "-qm", "what was learnt")
    (root / "src/price.py").write_text(PRICE.replace("net * rate", "net * Decimal(str(rate))"))
    _git(root, "commit", "-qam", "rates are exact")
    return stuck


def _begin(root: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    _git(root, "init", "-qb", "main")
    _git(root, "add", "-A")
    _git(root, "commit", "-qm", "begin")
    Memory.init(str(root), environ=environment())


def _memory(root: Path) -> Memory:
    return Memory.open(str(root), environ=environment())


def _git(root: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=root, env=environment(), check=True)


def environment() -> dict[str, str]:
    """Give an environment without anybody's settings."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
    return {**kept, **_SEALED}


def tasks(there: _Repositories) -> list[AssistantTask]:
    """Give the ten tasks."""
    shop = {"project": "shop"}
    replaced = {"decision": "Orders live in PostgreSQL", "rationale": "The import locks SQLite."}
    return [
        AssistantTask("debug a failing test", [("gitmem_hint", {"text": TRACE, **shop})],
             ["Make a Decimal of the rate", "Sums were wrong by a cent", "Decimal(str(rate))"]),
        AssistantTask("before an edit",
             [("gitmem_advise", {"path": "src/price.py", "task": "round prices", **shop})],
             ["Prices are Decimal", "Turn the rate into a float"]),
        AssistantTask("after a fix",
             [("gitmem_record_fix", {"error": there.stuck, "outcome": "worked",
               "approach": "Import into a table of its own, and rename it at the end",
               "verified_with": "make test", **shop})], ["Written: fix-"]),
        AssistantTask("a decision",
             [("gitmem_search", {"query": "kind:decision where orders live", "limit": 3, **shop}),
              ("gitmem_record_decision", {**replaced, "supersedes": "{Orders live in SQLite}",
               "files": ["src/orders.py"], **shop})],
             ["Orders live in SQLite", "Written: dec-"]),
        AssistantTask("end of a session",
             [("gitmem_record_fix", {"error": TRACE, "approach": "Round at the end",
               "outcome": "failed", "why_failed": "Lines no longer add up.", **shop}),
              ("gitmem_note", {"title": "The tax table comes from the ministry each January",
               "files": ["src/price.py"], **shop})], ["Written: fix-", "Written: note-"]),
        AssistantTask("onboarding", [("gitmem_context", {"budget": 1200, **shop})],
             ["Sells tea", "make build, make test", "Prices are Decimal"]),
        AssistantTask("review a change", [("gitmem_context", {"focus": "HEAD~1..HEAD", **shop})],
             ["price.py", "Prices are Decimal"]),
        AssistantTask("tried before?",
             [("gitmem_advise", {"task": "turn the tax rate into a float", **shop})],
             ["avoid", "Sums were wrong by a cent"]),
        AssistantTask("repeated failures", [("gitmem_advise", {"text": STUCK, **shop})],
             ["Wait 5 s for the lock", "The import holds the lock"]),
        AssistantTask("two repositories",
             [("gitmem_search", {"query": "is money moved in one transaction",
               "project": "bank"}),
              ("gitmem_search", {"query": "what are prices kept as", **shop})],
             ["Both sides or none", "Prices are Decimal"]),
    ]  # fmt: skip


async def carry_out(there: _Repositories) -> list[TaskCost]:
    """Carry all tasks out, each by a client that has just begun.

    Raises:
        SystemExit: a call failed, or a task was not told what it needs.

    """
    return [await _done(there, task) for task in tasks(there)]


async def _done(there: _Repositories, task: AssistantTask) -> TaskCost:
    answers: list[str] = []
    sent = 0

    async def talk(client: "Client") -> None:
        nonlocal sent
        for tool, given in task.calls:
            arguments = {name: _named(value, answers) for name, value in given.items()}
            sent += estimate(" ".join(map(str, arguments.values())))
            result = await client.call_tool(tool, arguments)
            text = "".join(getattr(part, "text", "") for part in result.content)
            if result.is_error:
                raise SystemExit(f"{task.name}: {tool}: {text}")
            answers.append(text)

    await _connected(there, talk)
    whole = "\n".join(answers)
    if missing := [words for words in task.wanted if words not in whole]:
        raise SystemExit(f"{task.name}: not told {missing}:\n{whole}")
    return TaskCost(
        task.name, tuple(tool for tool, _ in task.calls), sent, sum(map(estimate, answers))
    )


def _named(value: object, answers: Sequence[str]) -> object:
    """Put instead of ``{TITLE}`` the id of the record that an answer told with that title."""
    if not isinstance(value, str) or not value.startswith("{"):
        return value
    title = re.escape(value[1:-1])
    match = re.search(rf"\*\*([a-z]{{3}}-\w+)\*\*[^\n]*\n`{title}`", answers[-1])
    return match[1] if match else value


async def _connected(there: _Repositories, talk: "Callable[[Client], Awaitable[None]]") -> None:
    from mcp import Client, StdioServerParameters  # noqa: PLC0415  comes with the extra
    from mcp_types import ListRootsResult, Root  # noqa: PLC0415  likewise
    from pydantic import FileUrl  # noqa: PLC0415  likewise

    async def roots(_: Any) -> ListRootsResult:  # noqa: ANN401  a context of the SDK
        return ListRootsResult(
            roots=[Root(uri=FileUrl(path.as_uri())) for path in (there.shop, there.bank)]
        )

    start = StdioServerParameters(
        command=sys.executable, args=["-P", "-m", "gitmem", "mcp"], cwd=there.shop,
        env=environment(),
    )  # fmt: skip
    offers: dict[str, Any] = {"list_roots_callback": roots}
    async with Client(start, mode="legacy", **offers) as client:
        await talk(client)


def table(outcomes: Sequence[TaskCost]) -> str:
    """Write what the tasks took as a table."""
    lines = ["| task | calls | tokens sent | tokens answered |", "| --- | --- | --- | --- |"]
    lines += [
        f"| {each.name} | {', '.join(f'`{tool}`' for tool in each.tools)} "
        f"| {each.sent} | {each.answered:,} |"
        for each in outcomes
    ]
    calls = median(len(each.tools) for each in outcomes)
    middle = (median(each.sent for each in outcomes), median(each.answered for each in outcomes))
    lines.append(f"| median | {calls:g} | {middle[0]:g} | {middle[1]:g} |")
    return "\n".join(lines)


def measure() -> list[TaskCost]:
    """Make the repositories, and carry the tasks out."""
    import anyio  # noqa: PLC0415  comes with the extra

    # Records are written by this process, under the author that its environment names.
    with (
        mock.patch.dict(os.environ, environment(), clear=True),
        tempfile.TemporaryDirectory() as folder,
        repositories(Path(folder)) as there,
    ):
        return anyio.run(carry_out, there)


def main() -> None:
    """Measure, and print or write the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="write it into docs/assistants.md")
    given = parser.parse_args()
    text = table(measure())
    if not given.write:
        print(text)
        return
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(_TABLE.sub(lambda match: f"{match[1]}{text}\n{match[2]}", page), "utf-8")


if __name__ == "__main__":
    main()
