"""The learning context and the project context, out of real memories and repositories."""

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.capture.learnt import Draft
from gitmem.errors import UsageError
from gitmem.memory import Memory
from gitmem.render.context import fitted
from tests.depth import sampled
from tests.observing import observe

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.learning.context import Context, ContextEntry
    from tests.conftest import Checkout

CODE = "def do_cart(items):\n    total = sum(items)\n    return total / 0\n"
OUTPUT = """\
Traceback (most recent call last):
  File "cart.py", line 3, in do_cart
    return total / 0
ValueError: cart is broken
"""
SECRET = "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789"


@pytest.fixture
def memory(repo: "Checkout", monkeypatch: pytest.MonkeyPatch) -> "Iterator[Memory]":
    for name in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE", "CI"):
        monkeypatch.delenv(name, raising=False)
    repo.add("cart.py", CODE)
    repo.add("README.md", "# Shop\n\nA shop that sells tea.\n")
    repo.add("pyproject.toml", '[project]\nname = "shop"\ndependencies = ["httpx"]\n')
    repo.add("web/package.json", '{"dependencies": {"react": "19"}}')
    Memory.init(str(repo))
    repo.commit("The cart")
    with Memory.open(str(repo), settings={"packs.off": "all"}) as memory:
        yield memory


def titles(context: "Context", name: str) -> list[str]:
    section = context.section(name)
    return [one.title for one in section.entries] if section else []


def entry(context: "Context", name: str, at: int = 0) -> "ContextEntry":
    section = context.section(name)
    assert section
    return section.entries[at]


def said(one: "ContextEntry", name: str) -> str:
    return next(text.text for text in one.texts if text.name == name)


def fill(memory: Memory) -> dict[str, str]:
    """Record an error with a fix that worked and one that failed, and a decision on its file."""
    (error,) = memory.failures.record_text(OUTPUT).ids
    good = {"approach": "divide by the count", "analysis": "the model saw the zero",
            "lessons": "never divide by a constant"}  # fmt: skip
    bad = {"approach": "catch it", "outcome": "failed", "why_failed": "the total is wrong then"}
    rule = {"title": "Totals are exact", "decision": "use Decimal", "governs": ["cart.py"]}
    return {
        "error": error,
        "bad": memory.resolve(error, bad).id,
        "good": memory.resolve(error, good).id,
        "rule": memory.add("decision", rule).id,
    }


# The learning context


def test_s0_57_s0_81_s0_97_the_learning_context_has_all_its_parts(
    memory: Memory, repo: "Checkout"
) -> None:
    ids = fill(memory)
    observe(repo, "cart")
    repo.add("app.py", "tried\n")
    observe(repo, "cart")
    memory.workspace.settings.set("capture.attempts", "3", "team")
    with Memory.open(str(repo), settings={"packs.off": "all"}) as fresh:
        found = fresh.advice.context()
    assert [one.name for one in found.sections] == [
        "failing", "tried", "worked", "avoid", "code", "decisions", "errors", "project",
        "changes", "settings",
    ]  # fmt: skip
    assert entry(found, "worked").record == ids["good"]
    assert entry(found, "avoid").record == ids["bad"]
    assert entry(found, "errors").record == ids["error"]


def test_s0_59_s0_84_failed_cases_of_the_latest_run(memory: Memory, repo: "Checkout") -> None:
    assert memory.advice.context().section("failing") is None
    observe(repo, "cart", "order")
    assert titles(memory.advice.context(), "failing") == [
        "ValueError: cart is broken", "ValueError: order is broken",
    ]  # fmt: skip
    assert entry(memory.advice.context(), "failing").mark == "failed"
    observe(repo)
    assert memory.advice.context().section("failing") is None


def test_s0_43_s0_58_a_case_is_told_with_its_place_and_values(
    memory: Memory, repo: "Checkout"
) -> None:
    repo.add("test_cart.py", "def test_total():\n    assert 1 + 1 == 3\n")
    output = (
        "=================================== FAILURES ===================================\n"
        "__________________________________ test_total __________________________________\n\n"
        "    def test_total():\n>       assert 1 + 1 == 3\nE       assert (1 + 1) == 3\n\n"
        "test_cart.py:2: AssertionError\n"
        "=========================== short test summary info ============================\n"
        "FAILED test_cart.py::test_total - assert (1 + 1) == 3\n"
        "============================== 1 failed in 0.01s ===============================\n"
    )
    memory.failures.capture([output], command="pytest")
    found = memory.advice.context(output)
    assert titles(found, "code") == ["test_cart.py:2"]
    assert said(entry(found, "code"), "") == "def test_total():\n    assert 1 + 1 == 3"
    observe(repo, "cart", command=("pytest",))
    case = entry(memory.advice.context(), "failing")
    assert case.title == "tests/test_cart.py::test_cart"
    assert case.about == ("cart.py:3", "in do_cart", "not seen before")


def test_s0_85_what_was_tried_since_it_fails(memory: Memory, repo: "Checkout") -> None:
    repo.add("app.py", "one\n")
    observe(repo, "cart")
    repo.add("app.py", "two\n")
    observe(repo, "cart")
    found = entry(memory.advice.context(), "tried")
    assert found.mark == "still there"
    assert "app.py" in found.title
    assert found.about[1] == "on ValueError: cart is broken"


def test_s0_86_s0_87_s1_53_what_to_avoid_and_what_worked(memory: Memory) -> None:
    fill(memory)
    found = memory.advice.context(OUTPUT)
    assert titles(found, "worked") == ["divide by the count"]
    assert titles(found, "avoid") == ["catch it"]
    assert said(entry(found, "avoid"), "why it failed") == "the total is wrong then"


def test_s0_88_reasoning_and_lessons(memory: Memory) -> None:
    fill(memory)
    one = entry(memory.advice.context(OUTPUT), "worked")
    assert said(one, "analysis") == "the model saw the zero"
    assert said(one, "lessons") == "never divide by a constant"


def test_s0_89_the_code_as_it_failed(memory: Memory, repo: "Checkout") -> None:
    observe(repo, "cart")
    repo.add("cart.py", "# changed since\n")
    one = entry(memory.advice.context(), "code")
    assert (one.title, one.about) == ("cart.py:3", ("lines 1 to 3", "as it failed"))
    assert said(one, "") == CODE.rstrip("\n")
    one = entry(memory.advice.context("cart.py:1"), "code")
    # The newest run is red on other code: that is what is asked about.
    assert one.about[1] == "as it failed"
    observe(repo)
    one = entry(memory.advice.context("cart.py:1"), "code")
    assert (said(one, ""), one.about[1]) == ("# changed since", "as it is now")


def test_s0_90_settings_of_the_team_without_secrets(memory: Memory, repo: "Checkout") -> None:
    memory.workspace.settings.set("search.limit", "7", "team")
    with Memory.open(str(repo), settings={"packs.off": "all"}) as fresh:
        one = entry(fresh.advice.context(), "settings")
    assert (one.mark, one.title) == ("search.limit", "7")


def test_code_is_shown_without_secrets(memory: Memory, repo: "Checkout") -> None:
    repo.add("keys.py", f'TOKEN = "{SECRET}"\n')
    text = fitted(memory.advice.context("keys.py")).markdown
    assert "TOKEN" in text
    assert SECRET not in text


def test_s1_4_s1_8_s1_51_s1_52_s1_54_s1_59_history_for_a_fixer(memory: Memory) -> None:
    ids = fill(memory)
    text = fitted(memory.advice.context(OUTPUT)).markdown
    for part in (ids["error"], ids["good"], ids["bad"], ids["rule"], "divide by the count",
                 "the total is wrong then"):  # fmt: skip
        assert part in text


def test_s2_40_the_top_two_are_there_before_anything_is_written(memory: Memory) -> None:
    (error,) = memory.failures.record_text(OUTPUT).ids
    for number in range(9):
        memory.resolve(error, {"approach": f"way {number} " + "with many words " * 30})
    done = fitted(memory.advice.context(OUTPUT, budget=1000))
    assert done.left_out >= 6
    assert {"way 8", "way 7"} <= {f"way {n}" for n in range(9) if f"way {n} " in done.markdown}


def test_s2_47_a_focus_brings_what_it_is_about(memory: Memory) -> None:
    memory.add("note", {"title": "Taxes", "type": "howto", "body": "taxes are rounded down"})
    memory.add("note", {"title": "Parcels", "type": "howto", "body": "parcels go by ship"})
    assert titles(memory.advice.context("how are taxes rounded"), "knowledge") == ["Taxes"]


def test_s4_1_work_of_earlier_sessions(memory: Memory) -> None:
    start = datetime(2026, 1, 2, tzinfo=UTC)
    fields: dict[str, Any] = {"title": "Moved to Decimal", "goal": "Moved to Decimal"}
    times = {"started": start.isoformat(), "ended": (start + timedelta(hours=1)).isoformat()}
    memory.add("session", {**fields, **times, "summary": "all totals are exact now"})
    one = entry(memory.advice.context(), "knowledge")
    assert (one.title, said(one, "summary")) == ("Moved to Decimal", "all totals are exact now")


def test_a_path_brings_its_records(memory: Memory) -> None:
    ids = fill(memory)
    found = memory.advice.context("cart.py:3")
    assert entry(found, "decisions").record == ids["rule"]
    assert entry(found, "errors").record == ids["error"]
    assert entry(found, "code").title == "cart.py:3"


def test_a_path_brings_what_was_tried_on_the_same_failure_in_another_file(memory: Memory) -> None:
    fields = {"error_type": "TypeError", "message": "naive and aware datetimes"}
    memory.add("error", {**fields, "location": {"file": "src/a.py", "line": 1}})
    other = memory.add("error", {**fields, "location": {"file": "lib/b.py", "line": 9}})
    fix = memory.resolve(other.id, {"approach": "take UTC everywhere", "outcome": "worked"})
    known = memory.advice.context("src/a.py")
    assert fix.id in str(known)


def test_a_folder_brings_what_speaks_of_files_below_it(memory: Memory, repo: "Checkout") -> None:
    repo.add("src/pay/card.py", "pass\n")
    rule = memory.add("decision", {"title": "Cards", "decision": "x", "governs": ["src/pay/*"]})
    memory.add("decision", {"title": "Carts", "decision": "x", "governs": ["cart.py"]})
    found = memory.advice.context("src/pay")
    assert [one.record for one in found.section("decisions").entries] == [rule.id]  # type: ignore[union-attr]
    assert found.section("code") is None


def test_superseded_decisions_are_not_in_force(memory: Memory) -> None:
    ids = fill(memory)
    newer = {"title": "Totals are cents", "decision": "use whole cents", "governs": ["cart.py"]}
    memory.supersede(ids["rule"], newer)
    for focus in ("", "cart.py", OUTPUT, "totals"):
        assert titles(memory.advice.context(focus), "decisions") == ["Totals are cents"]


def test_stale_records_are_left_out(memory: Memory, repo: "Checkout") -> None:
    (error,) = memory.failures.record_text(OUTPUT).ids
    anchor = {"path": "cart.py", "lines": [2, 2], "quote": "total = sum(items)"}
    memory.resolve(error, {"approach": "sum otherwise", "anchors": [anchor]})
    assert titles(memory.advice.context("cart is broken"), "worked") == ["sum otherwise"]
    repo.add("cart.py", "pass\n")
    for focus in ("cart is broken", OUTPUT, "cart.py"):
        assert titles(memory.advice.context(focus), "worked") == []


# The project


def test_s4_3_s4_30_the_project_context(memory: Memory) -> None:
    ids = fill(memory)
    found = memory.advice.context()
    told = [(one.mark, one.title, one.about) for one in found.section("project").entries]  # type: ignore[union-attr]
    assert told == [
        ("purpose", "A shop that sells tea.", ("README.md",)),
        ("stack", "Python (shop): httpx", ("pyproject.toml",)),
        ("stack", "JavaScript: react", ("web/package.json",)),
        ("layout", ".memory/ README.md cart.py pyproject.toml web/", ()),
    ]
    assert titles(found, "changes") == ["The cart", "first"]
    assert entry(found, "decisions").record == ids["rule"]


def test_s4_30_conventions_of_the_code(memory: Memory, repo: "Checkout") -> None:
    for number in range(12):
        repo.add(
            f"src/part_{number}.py", f"def do_it_{number}(some_value):\n    return some_value\n"
        )
    repo.commit("more")
    assert memory.advice.context().section("conventions") is None
    found = memory.advice.context(conventions=True)
    (naming,) = [one for one in found.section("conventions").entries  # type: ignore[union-attr]
                 if one.mark == "naming" and "functions" in one.title]  # fmt: skip
    assert naming.about == ("13 of 13",)
    assert "snake_case" in naming.title


def test_s4_30_the_languages_are_told_without_any_manifest(
    repo: "Checkout", sealed_git: None
) -> None:
    Memory.init(str(repo))
    repo.add("src/auth.py", "def expired(until):\n    return until\n\n\nLEAST = 5\n")
    repo.add("bin/run.sh", "echo run\n")
    repo.commit("small")
    with Memory.open(str(repo)) as memory:
        found = memory.advice.context(conventions=True)
        conventions = found.section("conventions")
        assert conventions
        first = conventions.entries[0]
        assert (first.mark, first.title) == ("languages", "python, shell")
        assert memory.advice.context().section("conventions") is None


def test_a_broken_manifest_is_noted(memory: Memory, repo: "Checkout") -> None:
    repo.add("pyproject.toml", "[project")
    found = memory.advice.context()
    assert [note.partition(": ")[0] for note in found.notes] == ["pyproject.toml"]
    assert titles(found, "project")[1] == "JavaScript: react"


def test_outside_git_there_are_no_changes(
    tmp_path: "Any", sealed_git: "Any", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    Memory.init(str(tmp_path), here=True)
    (tmp_path / "README.md").write_text("Sells tea.\n")
    with Memory.open(str(tmp_path)) as memory:
        assert [one.name for one in memory.advice.context().sections] == ["project"]


# All of it


def test_the_same_memory_gives_the_same_bytes(memory: Memory, repo: "Checkout") -> None:
    fill(memory)
    observe(repo, "cart", "order")
    one = fitted(memory.advice.context()).markdown
    memory.checks.rebuild()
    with Memory.open(str(repo), settings={"packs.off": "all"}) as again:
        assert fitted(again.advice.context()).markdown == one


@sampled(2)
@pytest.mark.parametrize("budget", [200, 2000, 300, 500, 900])
def test_the_budget_is_kept(memory: Memory, repo: "Checkout", budget: int) -> None:
    fill(memory)
    observe(repo, "cart", "order")
    assert fitted(memory.advice.context(budget=budget)).tokens <= budget


def test_a_budget_for_nothing_is_refused(memory: Memory) -> None:
    with pytest.raises(UsageError, match="too small"):
        memory.advice.context(budget=199)


def test_what_a_tool_only_claims_is_not_told_as_what_worked(memory: Memory) -> None:
    root = memory.workspace.site.root
    with Memory.open(root, settings={"actor": "agent:some-tool"}) as assistant:
        error = assistant.add("error", {"title": "the till is stuck"})
        assistant.resolve(error.id, {"title": "shake the till", "outcome": "worked"})
    found = memory.advice.context("the till is stuck")
    assert "shake the till" not in titles(found, "worked")
    claimed = entry(found, "unverified")
    assert (claimed.mark, claimed.title) == ("claimed", "shake the till")


def test_a_path_that_is_none_is_said_to_be_none(memory: Memory) -> None:
    for focus in ("nowhere.py", "src/nowhere.py", "src/nowhere", "nowhere.py:12"):
        missing = entry(memory.advice.context(focus), "asked")
        assert missing.title == f"there is no file {focus}"
    for focus in ("cart.py", "why is the cart broken", "e.g. this", "ZeroDivisionError"):
        assert titles(memory.advice.context(focus), "asked") == []


def test_a_beginning_tells_what_no_file_tells_before_the_project(memory: Memory) -> None:
    """The live session and what waits to be kept were in no answer."""
    memory.sessions.start("mend the prices")
    memory.failures.drafts.add(Draft("d" * 10, "site", {"title": "a lesson"}, [], [], []))
    told = memory.advice.context("", budget=2_000, project_first=True)
    names = [section.name for section in told.sections]
    assert names.index("work") < names.index("project")
    (work,) = [section for section in told.sections if section.name == "work"]
    assert [entry.title for entry in work.entries] == ["mend the prices", "a lesson"]
    asked = memory.advice.context("prices", budget=2_000)
    assert "work" not in [section.name for section in asked.sections]
