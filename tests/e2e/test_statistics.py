"""The commands that count: their forms, what stands in the views, and that nothing runs away."""

import csv
import io
import json
import re
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.git.events import dependency_changes, manifests, releases
from gitmem.git.git_dirs import find
from gitmem.memory import Memory
from tests.depth import sampled
from tests.e2e.running import USAGE, complains, ok, run, shown_on_terminal, untouched
from tests.e2e.test_startup import NOT_FOR_READING, imported, none

if TYPE_CHECKING:
    from tests.conftest import Checkout

ROOT = Path(__file__).resolve().parents[2]
NASTY = "=cmd|' /C calc'!A0 \x1b[31mred\x1b[0m <b>"
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("stats",), ("stats", "--by", "subject"), ("stats", "recent", "3650"), ("stats", "successful"),
    ("stats", "recurring"), ("stats", "subject", "payment"), ("stats", "trends"),
    ("stats", "fixers"), ("stats", "query", "SELECT * FROM attempts"), ("stats", "query"),
)  # fmt: skip


def _name(command: tuple[str, ...]) -> str:
    """Give the name that a command is imported by: that of the member, if there is one."""
    return command[1] if len(command) > 1 and command[1].isalpha() else command[0]


@pytest.fixture
def told(repo: "Checkout") -> "Checkout":
    """Give a memory with a failure that came back, told by people, assistants and a trickster."""
    Memory.init(str(repo))
    with Memory.open(str(repo)) as memory:
        ids: list[str] = []
        for number in range(6):
            error = memory.add("error", {
                "error_type": "TimeoutError", "message": f"no answer from {NASTY[:4]}host",
                "subject": "payment", "category": "TIMEOUT", "tags": ["net"],
                "created": _at(3 * number), "title": NASTY,
            })  # fmt: skip
            ids.append(error.id)
            result = "passed" if number else "failed"
            memory.add("fix", {
                "approach": NASTY, "outcome": "worked" if number else "failed",
                "verification": {"command": "pytest", "after": {"result": result}},
                "created": _at(3 * number + 1), "links": {"fixes": [error.id]},
                "author": {"name": "bot", "via": "agent", "tool": "claude"}, "seconds": 5.0,
            })  # fmt: skip
        memory.resolve(ids[-1], {"approach": "by hand", "created": _at(20)})
        memory.add(
            "note", {"title": "payment is slow on Mondays", "body": "x", "tags": ["Payment"]}
        )
    repo.commit()
    return repo


def _at(days: float) -> str:
    return (datetime(2026, 1, 5, 9, tzinfo=UTC) + timedelta(days=days)).isoformat()


@sampled(4)
@pytest.mark.parametrize("command", COMMANDS, ids="-".join)
def test_each_answers_as_text_json_and_csv(told: "Checkout", command: tuple[str, ...]) -> None:
    with untouched(told):
        text = ok(told, *command)
        data = json.loads(ok(told, *command, "--json"))
        table = list(csv.reader(io.StringIO(ok(told, *command, "--csv"))))
    assert text.strip()
    assert "\x1b" not in text
    assert data["format"] == 1
    assert data["command"] == {"recurring": "patterns"}.get(_name(command), _name(command))
    assert len(table) > 1
    assert len({len(row) for row in table}) == 1
    assert not any(
        cell.startswith(("=", "+", "@")) or "\x1b" in cell for row in table for cell in row
    )
    complains(run(told, *command, "--csv", "--json"), USAGE, "--json", "--csv")


@sampled(3)
@pytest.mark.parametrize("command", COMMANDS[:8], ids="-".join)
def test_each_fits_a_terminal(told: "Checkout", command: tuple[str, ...]) -> None:
    shown = shown_on_terminal(told, *command, columns=60).out
    lines = re.sub(r"\x1b\[[0-9;]*m", "", shown).splitlines()
    assert any(lines)
    for line in lines:
        assert len(line) <= 60, line


def test_a_terminal_gets_a_chart_and_a_pipe_does_not(told: "Checkout") -> None:
    assert not re.search("[▁-█]", ok(told, "stats", "--by", "subject"))
    assert re.search("[▁-█]", shown_on_terminal(told, "stats", "--by", "subject", columns=120).out)


@sampled(3)
@pytest.mark.parametrize(
    "command", ["stats", "recent", "successful", "patterns", "trends", "fixers"]
)
def test_an_empty_memory_is_no_fault(repo: "Checkout", command: str) -> None:
    Memory.init(str(repo))
    for form in ((), ("--json",), ("--csv",)):
        ok(repo, command, *form)


def test_s1_68_an_unknown_subject_names_the_nearest(told: "Checkout") -> None:
    complains(
        run(told, "stats", "subject", "paymnt"), 3, "no error is about", "did you mean payment?"
    )


def test_a_subject_leads_on_to_advice(told: "Checkout") -> None:
    assert run(told, "stats", "subject", "payment").notes[-1].endswith("gitmem advise payment")
    assert json.loads(run(told, "stats", "subject", "payment", "--json").out)["names"] == [
        "payment"
    ]
    told.add("src/a cart.py", "")
    complains(
        run(told, "stats", "subject", "src/a cart.py"), 3, "gitmem advise --file 'src/a cart.py'"
    )


def test_s1_58_s1_68_a_subject_has_what_the_older_tool_told(told: "Checkout") -> None:
    said = json.loads(ok(told, "stats", "subject", "PAYMENT", "--json"))
    assert said["total"]["attempts"] == 7  # S1.32 total_tests
    assert said["total"]["rate"]["share"] == round(6 / 7, 4)  # S1.33
    assert said["types"][0]["label"] == ["TimeoutError"]  # S1.34 common_issues
    assert said["effective"][0]["best"]  # S1.35 effective_fixes
    assert said["last"].startswith("2026-01-25")  # S1.36 last_updated
    assert [one["title"] for one in said["notes"]] == ["payment is slow on Mondays"]  # S1.37
    assert len(said["history"]) == 7  # recent_history


def test_s1_31_a_family_is_meant_by_the_name_before_the_colon(repo: "Checkout") -> None:
    Memory.init(str(repo))
    for name in ("qwen2.5:7b", "qwen2.5:14b", "other"):
        ok(repo, "add", "error", "--message", f"no output of {name}", "--set", f"subject='{name}'")
    assert json.loads(ok(repo, "stats", "subject", "qwen2.5", "--json"))["names"] == [
        "qwen2.5:14b", "qwen2.5:7b",
    ]  # fmt: skip
    assert json.loads(ok(repo, "stats", "subject", "Qwen2.5:7b", "--json"))["names"] == [
        "qwen2.5:7b"
    ]


def test_s1_67_stats_tells_what_the_older_tool_told(told: "Checkout") -> None:
    said = json.loads(ok(told, "stats", "--json"))
    assert said["total"]["attempts"] == 7  # total_fixes_attempted
    assert said["total"]["worked"] == 6  # successful_fixes
    assert said["total"]["rate"]["share"] == round(6 / 7, 4)  # success_rate
    assert said["subjects"] == 1  # models_encountered
    assert said["categories"] == 1  # issue_types_seen
    assert said["recent"] == {"days": 7, "errors": 0, "attempts": 0}  # recent_activity_7days
    assert said["size"] > 1000  # knowledge_base_size
    assert said["folder"] == str(told / ".memory")  # memory_directory


def test_s2_8_statistics_count_each_kind_of_record(told: "Checkout") -> None:
    assert json.loads(ok(told, "stats", "--json"))["records"] == {"error": 6, "fix": 7, "note": 1}


def test_s1_18_s1_19_s1_64_applied_and_verified_are_two_facts(repo: "Checkout") -> None:
    Memory.init(str(repo))
    after = {"after": {"result": "passed"}}
    with Memory.open(str(repo)) as memory:
        for fields in (
            {"applied": True, "verification": after, "outcome": "worked"},
            {"applied": True, "outcome": "failed"},
            {"applied": False, "outcome": "failed"},
            {"outcome": "unverified"},
        ):
            memory.add("fix", {"approach": "x", "fixer": "qwen", **fields})
        ((label, found),) = memory.statistics.fixers()
    assert label == ("qwen",)
    assert (found.attempts, found.applied, found.verified, found.worked) == (4, 2, 1, 1)


@sampled(2)
@pytest.mark.parametrize("name", ["claude", "qwen", "gpt", "gemini", "custom", "Fixomat 3000"])
def test_s1_40_every_fixer_is_compared_by_its_name(repo: "Checkout", name: str) -> None:
    Memory.init(str(repo))
    ok(repo, "add", "fix", "--approach", "x", "--set", f"fixer={name}")
    assert json.loads(ok(repo, "stats", "fixers", "--json"))["fixers"][0]["label"] == [name]


def test_a_person_is_never_a_row_of_fixers(told: "Checkout") -> None:
    with Memory.open(str(told)) as memory:
        memory.add("fix", {"approach": "y", "fixer": "ADA LOVELACE",
                           "author": {"name": "bot", "via": "agent"}})  # fmt: skip
    for command in (("stats", "fixers"), ("stats", "--by", "fixer")):
        for form in ((), ("--json",), ("--csv",)):
            said = ok(told, *command, *form)
            assert "lovelace" not in said.lower()
            assert "people" in said


@sampled(3)
@pytest.mark.parametrize(
    "issue", ["MODEL_NOT_AVAILABLE", "a word of our own", "TIMEOUT", "UNEXPECTED_RESPONSE",
              "NO_OUTPUT", "ERROR", "CUSTOM"],
)  # fmt: skip
def test_s1_38_s1_39_every_type_of_issue_is_counted(repo: "Checkout", issue: str) -> None:
    Memory.init(str(repo))
    ok(repo, "add", "error", "--message", "m", "--set", f"category={issue}")
    groups = json.loads(ok(repo, "stats", "--by", "category", "--json"))["groups"]
    assert [group["label"] for group in groups] == [[issue]]


def test_s1_41_system_info_is_kept_and_told(repo: "Checkout") -> None:
    Memory.init(str(repo))
    info = {"os": "Linux", "ram_gb": 16, "gpu_available": True, "ollama_version": "0.1.17"}
    with Memory.open(str(repo)) as memory:
        fix = memory.add("fix", {"approach": "x", "environment": info})
    shown = json.loads(ok(repo, "show", fix.id, "--json"))
    assert shown["record"]["environment"] == info


def test_s1_24_s1_28_a_pattern_has_its_best_fix_and_support(told: "Checkout") -> None:
    (one,) = json.loads(ok(told, "stats", "recurring", "--json"))["failures"]
    assert one["records"] == 7  # six errors, and an attempt on what was fixed already
    assert one["came_back"] == 5  # once for each fix that had worked, but the last
    assert one["rate"]["worked"] == 6  # S1.26
    assert one["rate"]["tried"] - one["rate"]["worked"] == 1  # S1.27
    assert one["best"]["approach"].startswith("=cmd")  # S1.28
    assert one["last"].startswith("2026-01-25")  # S1.29
    assert one["confidence"] == 0.7  # S1.30


def test_s2_36_failed_sessions_can_be_asked_for(repo: "Checkout") -> None:
    Memory.init(str(repo))
    for outcome in ("--failure", "--success"):
        ok(repo, "session", "start", f"task {outcome[2:]}")
        ok(repo, "session", "end", outcome, "--approach", "parallel")
    answer = json.loads(ok(repo, "stats", "query", "--json", (
        "SELECT title, approach FROM sessions WHERE success = 0 ORDER BY created DESC LIMIT 10"
    )))  # fmt: skip
    assert answer["rows"] == [["task failure", "parallel"]]
    assert json.loads(ok(repo, "stats", "trends", "--json"))["sessions"]["rate"]["tried"] == 2


# --- query --------------------------------------------------------------------------------------


@sampled(5)
@pytest.mark.parametrize(
    "sql",
    ["DELETE FROM records", "SELECT * FROM records", "PRAGMA user_version", "ATTACH 'x' AS y",
     "SELECT 1; SELECT 2", "CREATE TABLE t (x)", "SELECT * FROM sqlite_master", "nonsense", "",
     "SELECT readfile('/etc/passwd')", "SELECT load_extension('x')", "VACUUM INTO 'copy'"],
)  # fmt: skip
def test_s1_63_a_question_can_only_read_the_views(told: "Checkout", sql: str) -> None:
    with untouched(told):
        complains(run(told, "stats", "query", sql), USAGE)


def test_s1_63_the_older_tools_own_questions_are_answered(told: "Checkout") -> None:
    """The queries of the document, with the views' names for its columns."""
    rate = ok(
        told,
        "stats",
        "query",
        "--csv",
        """
        SELECT fixer, COUNT(*) AS total_attempts,
            SUM(CASE WHEN applied = 1 AND verified = 'passed' THEN 1 ELSE 0 END) AS both,
            ROUND(100.0 * SUM(success) / COUNT(success), 2) AS success_rate
        FROM attempts GROUP BY fixer ORDER BY fixer""",
    )
    assert rate.splitlines()[1:] == ["Ada Lovelace,1,0,100.0", "claude,6,0,83.33"]
    daily = ok(
        told,
        "stats",
        "query",
        "--csv",
        """
        SELECT subject, DATE(created) AS date, COUNT(*) AS daily_attempts, AVG(success) AS rate
        FROM attempts WHERE created > '2026-01-10' GROUP BY subject, DATE(created)
        ORDER BY date DESC LIMIT 2""",
    )
    assert daily.splitlines()[1:] == ["payment,2026-01-25,1,1.0", "payment,2026-01-21,1,1.0"]
    types = ok(
        told,
        "stats",
        "query",
        "--csv",
        """
        SELECT category, COUNT(*) AS occurrences, AVG(seconds) AS avg_fix_time,
            ROUND(100.0 * SUM(success) / COUNT(*), 2) AS success_rate
        FROM attempts GROUP BY category ORDER BY occurrences DESC""",
    )
    assert types.splitlines()[1:] == ["TIMEOUT,7,5.0,85.71"]


def test_s1_83_the_catalog_has_indexes_for_what_is_looked_up(told: "Checkout") -> None:
    with Memory.open(str(told)) as memory:
        catalog = memory.workspace.derived.catalog()
        for sql in (
            "SELECT file FROM records WHERE created >= 'x'",
            "SELECT file FROM records WHERE error_type = 'x' AND error_type <> ''",
            "SELECT file FROM prints WHERE value = 'x' AND level = 'site'",
            "SELECT file FROM records WHERE kind = 'fix' ORDER BY created",
        ):
            plan = " ".join(row[-1] for row in catalog._ask(f"EXPLAIN QUERY PLAN {sql}"))
            assert "USING" in plan, sql
            assert "INDEX" in plan, sql
            assert "SCAN" not in plan, sql


def test_more_rows_than_asked_for_are_told(told: "Checkout") -> None:
    done = run(told, "stats", "query", "SELECT id FROM attempts", "--limit", "2")
    assert len(done.out.splitlines()) == 3
    assert done.notes == ["note: there are more than 2 rows; see --limit"]


def test_the_page_tells_every_view_and_every_column(told: "Checkout") -> None:
    page = (ROOT / "docs" / "query.md").read_text(encoding="utf-8")
    told_: dict[str, set[str]] = {}
    view = ""
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) != 3 or cells[0] in {"view", "---"}:
            continue
        view = cells[0].strip("`") or view
        told_.setdefault(view, set()).update(re.findall(r"`(\w+)`", cells[1]))
    rows: list[list[str]] = json.loads(ok(told, "stats", "query", "--json"))["rows"]
    assert told_ == {name: set(columns.split()) for name, columns in rows}


# --- start-up -----------------------------------------------------------------------------------


def test_counting_imports_nothing_that_it_does_not_need(told: "Checkout") -> None:
    time.sleep(2.1)  # younger files are compared by content, which reads them
    ok(told, "list")
    ok(told, "stats")  # settles what changed, for which texts are hashed
    for command in COMMANDS[:8]:
        asks_git = {"locale", "signal", "subprocess"} if "recurring" in command else set()
        loaded = imported(told, *command)
        shows_more_than_ascii = {"unicodedata"}
        none(loaded & (NOT_FOR_READING - asks_git - shows_more_than_ascii))
        none({name for name in loaded if name.startswith(("csv", "difflib", "statistics"))})
        used = {name for name in loaded if name.startswith("gitmem.cli.")}
        shared = {"app", "base", "csv_form", "forms", "group", "main", "stats"}
        assert used == {f"gitmem.cli.{name}" for name in shared | {_name(command)}}, command


# --- what git tells -----------------------------------------------------------------------------


def _commit(repo: "Checkout", monkeypatch: pytest.MonkeyPatch, day: int, path: str) -> None:
    monkeypatch.setenv("GIT_COMMITTER_DATE", f"2026-02-{day:02}T10:00:00+00:00")
    repo.add(path, f"{day}\n")
    repo.commit()


def _days(moments: list[float]) -> list[int]:
    return sorted(datetime.fromtimestamp(one, UTC).day for one in moments)


def test_s1_48_dependency_changes_and_releases_are_told_from_git(
    repo: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    places = find(str(repo))
    assert places
    for day, path in enumerate(
        ("package.json", "web/yarn.lock", "src/package.json.py", "requirements-dev.txt",
         ".memory/go.mod", "deep/down/go.sum", "README.md"), 1,
    ):  # fmt: skip
        _commit(repo, monkeypatch, day, path)
        if day in {2, 5}:
            repo.git("tag", f"v{day}")
    repo.git("tag", "-a", "v7", "-m", "release")
    since = "2026-01-20T00:00:00+00:00"
    assert _days(dependency_changes(places, since, ".memory")) == [1, 2, 4, 6]
    assert _days(dependency_changes(places, "2026-02-03T00:00:00+00:00", ".memory")) == [4, 6]
    assert _days(releases(places, since)) == [2, 5, 7]
    assert _days(releases(places, "2026-02-03T00:00:00+00:00")) == [5, 7]
    assert len(manifests()) == len(set(manifests()))


def test_a_repository_without_a_commit_has_no_changes(make_repo: Any) -> None:
    places = find(str(make_repo("empty", commit=False)))
    assert places
    assert dependency_changes(places, _at(0), "") == releases(places, _at(0)) == []


def test_s1_48_what_follows_dependency_changes_is_told(
    repo: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    Memory.init(str(repo))
    for number in range(8):
        _commit(repo, monkeypatch, 2 + 3 * number, "uv.lock")
    with Memory.open(str(repo)) as memory:
        for number in range(8):
            start = datetime(2026, 2, 2 + 3 * number, 10, tzinfo=UTC)
            for what, hours in (("import fails", 1 + number), ("other", 30 + number), ("odd", 41)):
                memory.add("error", {
                    "error_type": "ImportError", "message": what,
                    "created": (start + timedelta(hours=hours)).isoformat(),
                })  # fmt: skip
    failures = json.loads(ok(repo, "stats", "recurring", "--json"))["failures"]
    assert {
        one["title"].partition(": ")[2]: [each["when"] for each in one["rhythms"]]
        for one in failures
        if one["title"] != "ImportError: odd"
    } == {"import fails": ["dependencies"], "other": []}
    assert "within a day after dependencies changed" in ok(repo, "stats", "recurring")
