"""Secrets that somebody wrote into record files stay there, and come out nowhere."""

from typing import TYPE_CHECKING

import pytest

from gitmem.memory import Memory
from tests.depth import sampled
from tests.e2e.running import ok, run

if TYPE_CHECKING:
    from tests.conftest import Built, Checkout

TOKEN = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
PASSWORD = "correct horse battery"
KEY = "AKIAQ3EGRYZ7XW2MNLKD"
SECRETS = (TOKEN, PASSWORD, KEY)


@pytest.fixture
def careless(repo: "Checkout", built: "Built") -> "Checkout":
    """Give a memory whose files hold secrets: written by hand, after gitmem had written them."""
    return built(repo, write_secrets)


def write_secrets(repo: "Checkout") -> None:
    ok(repo, "init")
    repo.commit("begin")
    (repo / "shop.py").touch()
    with Memory.open(str(repo)) as memory:
        error = memory.add(
            "error",
            {
                "error_type": "AuthError",
                "message": "login refused XTOKENX",
                "location": {"file": "shop.py", "line": 1},
            },
        )
        fix = {"approach": "sent XKEYX", "notes": "db_password = 'XPASSX'"}
        memory.resolve(error.id, fix)
        memory.add("decision", {"title": "Rotate XTOKENX each month", "decision": "by hand"})
    for path in (repo / ".memory").rglob("*.yaml"):
        text = path.read_text()
        for mark, secret in zip(("XTOKENX", "XPASSX", "XKEYX"), SECRETS, strict=True):
            text = text.replace(mark, secret)
        path.write_text(text)
    repo.add("shop.py", "price = 1\n")
    repo.commit(f"careless: use {TOKEN} for now")


QUESTIONS = (
    ("list",), ("list", "--json"), ("search", "login refused"), ("search", "rotate", "--json"),
    ("search", "login", "--explain"), ("backup", "export"),
    ("backup", "export", "--csv", "error"), ("status",),
    ("check",), ("stats", "recent"), ("context", "--focus", "login"), ("context", "--json"),
    ("advise", "login refused"), ("hint", "AuthError: login refused"), ("diff", "HEAD~1"),
    ("review", "HEAD~1"), ("stats",), ("stats", "analyse"), ("why", "shop.py"),
    ("why", "--by-line", "shop.py"),
    ("log",), ("review", "describe"), ("stats", "query", "SELECT title FROM all_records"),
)  # fmt: skip


@sampled(5)
@pytest.mark.parametrize("question", QUESTIONS, ids=" ".join)
def test_no_answer_holds_one(careless: "Checkout", question: tuple[str, ...]) -> None:
    answer = run(careless, *question)
    assert answer.code in (0, 1, 4), answer
    told = answer.out + answer.err
    assert [secret for secret in SECRETS if secret in told] == []


def test_records_are_shown_without_them(careless: "Checkout") -> None:
    told = ""
    with Memory.open(str(careless)) as memory:
        ids = [row.id for row in memory.list()]
    for record in ids:
        for form in ((), ("--json",), ("--yaml",)):
            told += run(careless, "show", record, *form).out
    assert told.count("<redacted:") >= len(SECRETS)
    assert [secret for secret in SECRETS if secret in told] == []


def test_escapes_hide_none(careless: "Checkout") -> None:
    (path,) = (careless / ".memory/decisions").rglob("*.yaml")
    escaped = "".join(f"\\x{ord(char):02x}" for char in TOKEN)
    hidden = f'"Rotate {escaped} each month"'
    path.write_text(path.read_text().replace(f"Rotate {TOKEN} each month", hidden))
    assert TOKEN not in path.read_text()
    told = run(careless, "show", path.stem[-14:], "--yaml").out
    assert escaped not in told
    assert TOKEN not in told
    assert "<redacted:" in told
    assert "[secret]" in run(careless, "check").out


def test_assistants_and_commits_are_told_none(careless: "Checkout") -> None:
    with Memory.open(str(careless)) as memory:
        records = [row.id for row in memory.list()]
        told = [repr(memory.history.provenance(record)) for record in records]
        told.append(repr(memory.code.project()))
    assert any("careless: use <redacted:" in text for text in told)
    assert [secret for secret in SECRETS if any(secret in text for text in told)] == []


def test_the_file_stays_as_it_is_and_a_backup_is_exact(careless: "Checkout") -> None:
    before = {path: path.read_bytes() for path in (careless / ".memory").rglob("*.yaml")}
    ok(careless, "index", "rebuild")
    assert {path: path.read_bytes() for path in before} == before
    with Memory.open(str(careless)) as memory:
        data = memory.transfer.backup().data
        assert memory.transfer.restore(data, dry_run=True).present == len(list(memory.list()))


def test_what_the_team_allows_stays(careless: "Checkout") -> None:
    marker = careless / ".memory/gitmem.yaml"
    allow = f"settings:\n  redaction.allow:\n  - value: {TOKEN}\n    why: an example\n"
    marker.write_text(marker.read_text() + allow)
    assert TOKEN in ok(careless, "list", "kind:decision")
    assert KEY not in ok(careless, "list")
