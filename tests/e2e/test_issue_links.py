"""Issues that records and sessions belong to, and the text of a pull request."""

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.errors import InvalidError, NotFoundError, UsageError
from gitmem.memory import Memory
from gitmem.render.description import markdown
from tests.depth import sampled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import Checkout


@pytest.fixture
def world(repo: "Checkout") -> "Checkout":
    Memory.init(str(repo))
    repo.add("src/clock.py", "now = 1\n")
    repo.commit("start")
    return repo


@pytest.fixture
def memory(world: "Checkout") -> "Iterator[Memory]":
    with Memory.open(str(world)) as opened:
        yield opened


def gitmem(world: "Checkout", *arguments: str, code: int = 0) -> str:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "gitmem", *arguments], cwd=world, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + (done.stderr if code else "")


def found(memory: Memory, filters: str) -> list[str]:
    return sorted(row.id for row in memory.list(filters))


def test_a_record_that_is_linked_stays_as_it_was_written(memory: Memory, world: "Checkout") -> None:
    error = memory.add("error", {"error_type": "TypeError", "message": "naive"})
    file = world / ".memory" / memory.find(error.id).path
    before = file.read_bytes()
    made = memory.history.link(
        error.id, "https://github.com/acme/shop/issues/12", "seen there first"
    )
    assert file.read_bytes() == before
    assert made.new
    note = memory.show(made.note)
    assert note.row.title == f"{error.id} belongs to acme/shop#12"
    assert note.record.tags == ("issue:acme/shop#12",)
    assert note.record.links.relates == (error.id,)
    assert ("relates", made.note) in [(how, row.id) for how, row in memory.show(error.id).backlinks]
    again = memory.history.link(error.id, "acme/shop#12")
    assert (again.new, again.note) == (False, "")
    assert memory.statistics.count("kind:note") == 1


def test_records_are_found_by_their_issues(memory: Memory) -> None:
    tagged = memory.add("note", {"title": "a", "body": "x", "tags": ["issue:#12"]}).id
    linked = memory.add("error", {"error_type": "E", "message": "clock"}).id
    other = memory.add("error", {"error_type": "E", "message": "other clock"}).id
    by = memory.history.link(linked, "acme/shop#12").note
    merge = memory.history.link(other, "!7").note
    assert found(memory, "issue:12") == sorted([tagged, linked, by])
    assert found(memory, "issue:#12") == sorted([tagged, linked, by])
    assert found(memory, "issue:acme/shop#12") == sorted([linked, by])
    assert found(memory, "issue:ACME/shop#12") == sorted([linked, by])
    assert found(memory, "issue:!7") == sorted([other, merge])
    assert found(memory, "issue:!12") == []
    assert found(memory, "issue:1") == []
    assert found(memory, "issue:112") == []
    assert found(memory, "kind:error -issue:12") == [other]
    assert found(memory, "issue:12 issue:7") == sorted([tagged, linked, by, other, merge])
    assert [hit.row.id for hit in memory.search("clock issue:12").hits] == [linked]
    with pytest.raises(UsageError, match="is not an issue"):
        memory.list("issue:soon")


def test_a_live_session_that_is_linked_has_its_tag_at_the_end(memory: Memory) -> None:
    live = memory.sessions.start("Mend the clock", tags=["issue:#3"])
    assert memory.history.link(live.id, "#12").new
    assert not memory.history.link(live.id[:8], "#12").new
    assert not memory.history.link(live.id, "#3").new
    memory.sessions.log("issue", "hard to see")
    record = memory.end_session()
    assert record.tags == ("issue:#3", "issue:#12")
    assert [event.text for event in record.events if event.type == "issue"] == ["hard to see"]
    assert found(memory, "issue:12") == [record.id]
    # It is a record now.
    assert memory.history.link(record.id, "#4").note


def test_what_cannot_be_linked_is_refused(memory: Memory) -> None:
    row = memory.add("note", {"title": "a", "body": "x"})
    with pytest.raises(InvalidError, match="is not an issue"):
        memory.history.link(row.id, "twelve")
    with pytest.raises(NotFoundError):
        memory.history.link("ses-0000000000", "#1")
    with pytest.raises(NotFoundError):
        memory.history.link("err-0000000000", "#1")
    assert memory.statistics.count() == 1


def test_commands_take_issues_where_they_write(world: "Checkout") -> None:
    error = gitmem(world, "add", "error", "--type", "E", "--message", "m", "--issue", "#5").split()[
        0
    ]
    fix = gitmem(world, "resolve", error, "so", "--issue", "GH-5").split()[0]
    session = gitmem(world, "session", "start", "x", "--issue", "acme/shop#5").split()[0]
    gitmem(world, "session", "end", "--success")
    listed = gitmem(world, "list", "issue:5")
    assert all(one in listed for one in (error, fix, session))
    assert "tags: issue:#5" in gitmem(world, "show", error)
    told = json.loads(gitmem(world, "edit", "link", error, "#5", "!6", "--json"))["links"]
    assert [(one["issue"], one["pull"], one["new"]) for one in told] == [
        ("#5", False, False), ("!6", True, True),
    ]  # fmt: skip
    assert "as before" in gitmem(world, "edit", "link", error, "!6")
    assert "is not an issue" in gitmem(world, "edit", "link", error, "six", code=4)


def test_why_and_review_name_issues(world: "Checkout", memory: Memory) -> None:
    world.git("switch", "-qc", "ann")
    decision = memory.add("decision", {
        "title": "UTC", "decision": "one clock", "governs": ["src/clock.py"],
    })  # fmt: skip
    memory.history.link(decision.id, "#12")
    world.commit("decide")
    assert "UTC  #12" in gitmem(world, "why", "src/clock.py")
    assert json.loads(gitmem(world, "why", "src/clock.py", "--json"))["issues"] == {
        decision.id: ["#12"]
    }
    assert "issues: #12" in gitmem(world, "review")
    assert "Issues: `#12`." in gitmem(world, "review", "--markdown")
    assert json.loads(gitmem(world, "review", "--json"))["issues"] == ["#12"]


# The text of a pull request


def worked(memory: Memory, world: "Checkout") -> dict[str, str]:
    """Work as people do: a session with an issue, an error, two attempts, a decision, tests."""
    ids = {"session": memory.sessions.start("Make the clock aware", tags=["issue:#12"]).id}
    world.add("src/clock.py", "now = 2\nmore = 3\n")
    world.add("README.md", "# Clock\n")
    memory.sessions.log("change", "", path="src/clock.py", reason="naive times, as @bob said")
    ids["error"] = memory.add(
        "error", {"error_type": "TypeError", "message": "naive", "tags": ["issue:acme/lib#4"]}
    ).id
    memory.resolve(ids["error"], {"approach": "compare as text", "outcome": "failed"})
    ids["fix"] = memory.resolve(ids["error"], {
        "approach": "use UTC", "verification": {
            "command": "pytest -q", "before": {"result": "failed"}, "after": {"result": "passed"}},
    }).id  # fmt: skip
    ids["decision"] = memory.add(
        "decision", {"title": "One clock", "decision": "UTC, see #99", "rationale": "simple"}
    ).id
    gitmem(world, "session", "log", "test", "--result", "failed", "--failed", "1", "--command",
           "make test")  # fmt: skip
    gitmem(world, "session", "log", "test", "--result", "passed", "--passed", "9", "--command",
           "make test")  # fmt: skip
    return ids


_PARTS = [
    "## What it is for\n\nMake the clock aware",
    "- `src/`: 1 file, +2 -1\n  - `src/clock.py` (edit): naive times, as `@bob` said",
    "- At the top: 1 file, +1 -0\n  - `README.md` (create)",
    "- **TypeError: naive** (`{error}`, resolved)\n",
    "  - failed: compare as text (",
    "  - worked: use UTC (`{fix}`); checked with `pytest -q`: failed, then passed",
    "- **One clock** (`{decision}`, accepted): UTC, see `#99`",
    "- `make test`: passed (9 passed)\n- `pytest -q`: passed",
    "## Issues\n\nCloses #12\nRelated: `acme/lib#4`",
]


@sampled(2)
@pytest.mark.parametrize("form", ["live", "ended", "range"])
def test_the_text_of_a_pull_request_tells_the_work(
    world: "Checkout", memory: Memory, form: str
) -> None:
    world.git("switch", "-qc", "ann")
    ids = worked(memory, world)
    if form != "live":
        memory.end_session(success=True)
    if form == "range":
        world.commit("aware")
        world.add("src/clock.py", "not committed\n")
    said = memory.history.describe(ids["session"] if form == "ended" else None)
    text = markdown(said)
    for part in _PARTS:
        assert part.format(**ids) in text
    assert text == markdown(memory.history.describe(ids["session"] if form == "ended" else None))
    assert text.count("@bob") == text.count("`@bob`")


def test_a_range_tells_only_what_is_in_it(world: "Checkout", memory: Memory) -> None:
    error = memory.add("error", {"error_type": "E", "message": "known before"})
    memory.resolve(error.id, {"approach": "first try", "outcome": "failed"})
    world.commit("known")
    world.git("switch", "-qc", "ann")
    memory.resolve(error.id, {"approach": "second try"})
    loose = memory.add("fix", {"approach": "tidy", "title": "tidied", "outcome": "worked"})
    world.commit("mended")
    text = markdown(memory.history.describe())
    assert "E: known before" in text
    assert "worked: second try" in text
    assert "first try" not in text
    assert f"- worked: tidied (`{loose.id}`)" in text
    assert "Closes" not in text
    assert (
        markdown(memory.history.describe(span="main..main"))
        == "Nothing is recorded about this work.\n"
    )


def test_it_is_bounded_and_says_so(world: "Checkout", memory: Memory) -> None:
    live = memory.sessions.start("x")
    for number in range(150):
        world.add(f"src/f{number:03}.py", "x\n")
        memory.sessions.log("change", "", path=f"src/f{number:03}.py", reason="word " * 300)
        if number < 60:
            memory.add("decision", {"title": f"D{number} " + "t" * 300, "decision": "d " * 900})
    text = markdown(memory.history.describe(live.id))
    assert len(text) < 60_000
    assert "and 130 more files" in text
    assert "- and 40 more" in text


def test_a_merge_request_is_not_closed(memory: Memory) -> None:
    live = memory.sessions.start("x", tags=["pull:!7", "issue:#8"])
    said = memory.history.describe(live.id)
    assert [one.name for one in said.closes] == ["#8"]
    assert "Related: `!7`" in markdown(said)


def test_the_command_tells_it_and_refuses_what_is_not_there(world: "Checkout") -> None:
    gitmem(world, "session", "start", "Do it", "--issue", "#1")
    assert (
        gitmem(world, "review", "describe")
        == "## What it is for\n\nDo it\n\n## Issues\n\nCloses #1\n"
    )
    told: dict[str, Any] = json.loads(gitmem(world, "review", "describe", "--json"))
    assert (told["goals"], told["closes"]) == (["Do it"], ["#1"])
    assert "no live session" in gitmem(world, "review", "describe", "ses-0000000000", code=3)
    gitmem(world, "review", "describe", "nowhere..HEAD", code=3)
    assert not list(Path(world, ".memory").rglob("*.yaml"))[1:]
