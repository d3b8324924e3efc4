"""What one face said of a failure or a record, and another one did not."""

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from gitmem.assistants.payloads import payload
from gitmem.capture.learnt import Draft
from gitmem.memory import Memory
from tests.e2e.assistants import piped, said, talk
from tests.e2e.lsp_editor import Editor, wait_until
from tests.e2e.pages import serving
from tests.e2e.running import ok, run

if TYPE_CHECKING:
    from gitmem.records.kinds import Decision
    from tests.conftest import Checkout

pytestmark = [pytest.mark.usefixtures("sealed_git"), pytest.mark.timeout(300)]
TRACE = """\
Traceback (most recent call last):
  File "a.py", line 1, in <module>
    print({}["a"])
KeyError: 'a'
"""
PATCH = "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-print({}['a'])\n+print(1)\n"


def recorded(repo: "Checkout", *attempts: dict[str, str]) -> str:
    """Record the failure and attempts on it; give the error's id."""
    ok(repo, "init")
    repo.add("a.py", "print({}['a'])\n")
    repo.commit("first")
    with Memory.open(str(repo)) as memory:
        (error,) = memory.failures.capture([TRACE], command="python a.py", record=True).written
        for fields in attempts:
            memory.resolve(error, fields)
    return str(error)


def mcp(repo: "Checkout", tool: str, **arguments: Any) -> str:
    texts: list[str] = []

    async def conversation() -> None:
        async with piped(repo) as client:
            texts.append(await said(client, tool, **arguments))

    talk(conversation)
    return texts[0]


def hook(repo: "Checkout", command: str, output: str, client: str = "claude") -> str:
    event = payload(client, "red", str(repo), command, output, 1)
    done = run(repo, "assistant-hook", client, stdin=json.dumps(event))
    assert (done.code, done.err) == (0, "")
    answer = json.loads(done.out or "{}").get("hookSpecificOutput", {})
    return str(answer.get("additionalContext", ""))


def hover(repo: "Checkout", path: Path, source: str, message: str, wanted: str) -> str:
    """Give the hover over what another server says, once it tells of something."""
    ends = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 5}}
    shown = ""
    editor = Editor(repo, real=True)
    try:
        links = {"commandLinks": True}
        editor.initialize(repo, options=links)
        editor.open(path, path.read_text())
        given = {"range": ends, "severity": 1, "source": source, "message": message}
        editor.forward(path, given)

        def is_there() -> bool:
            nonlocal shown
            shown = str(((editor.hover(path, 0, 1) or {}).get("contents") or {}).get("value", ""))
            return wanted in shown

        wait_until(is_there)
    finally:
        editor.close()
    return shown


@pytest.mark.parametrize("source", ["pytest", "Python", "jest"])
@pytest.mark.parametrize("file", ["a.py", "other.py"])
def test_a_hover_knows_what_hint_knows_of_a_message_with_a_type(
    repo: "Checkout", source: str, file: str
) -> None:
    """There was no hover, as the type stayed in the message."""
    recorded(repo, {"approach": "use a default", "outcome": "worked"})
    repo.add(file, "print(2)\n")
    assert "use a default" in ok(repo, "hint", "KeyError: 'a'")
    assert "use a default" in hover(repo, repo / file, source, "KeyError: 'a'", "use a default")


def test_what_was_done_alike_is_one_line_in_every_face(repo: "Checkout") -> None:
    """A fix stood there twice, once as worked and once as claimed."""
    fix = {"approach": "use a default", "outcome": "worked"}
    error = recorded(repo, fix, fix, {"approach": "Use a  default", "outcome": "failed"})
    (repo / "fails.txt").write_text(TRACE)
    texts = {
        "hint": ok(repo, "hint", stdin=TRACE),
        "search": ok(repo, "search", TRACE),
        "MCP": mcp(repo, "gitmem_hint", text=TRACE),
        "MCP show": mcp(repo, "gitmem_show", id=error),
        "ci": ok(repo, "ci", "fails.txt", "--summary", "s.md"),
        "summary": "",
        "hover": hover(repo, repo / "a.py", "Python", "KeyError: 'a'", "use a default"),
        "hook": hook(repo, "python a.py", TRACE),
    }
    texts["summary"] = (repo / "s.md").read_text()
    for face, text in texts.items():
        told = text.partition("came back")[0] if face in {"hint", "ci"} else text
        told = re.sub(r"## Links.*", "", told, flags=re.DOTALL)
        assert len(re.findall("use a +default", told, re.IGNORECASE)) == 1, (face, text)
        assert "worked 2 times, failed once" in told, (face, text)


def test_an_assistants_short_answer_has_the_failed_attempt_before_a_second_success(
    repo: "Checkout",
) -> None:
    """What was cut off at the end of a long answer was the only attempt that had failed."""
    long = " and then look at the whole of it once more" * 12
    worked = [{"approach": f"{name}{long}", "outcome": "worked"} for name in ("one", "two", "six")]
    recorded(repo, *worked, {"approach": "catch the KeyError", "outcome": "failed"})
    text = hook(repo, "python a.py", TRACE)
    assert "more lines, which do not fit" in text
    assert text.index("worked: ") < text.index("failed: `catch the KeyError`")


def test_a_hover_offers_a_patch_only_where_it_applies(repo: "Checkout") -> None:
    """The link stood wherever there was a patch; the click ended in "does not apply here"."""
    recorded(repo, {"approach": "print something", "outcome": "worked", "patch": PATCH})
    repo.add("other.py", "print(2)\n")
    there = hover(repo, repo / "other.py", "Python", "KeyError: 'a'", "print something")
    assert "gitmem.apply" in there
    repo.add("a.py", "print('it is another text')\n")
    gone = hover(repo, repo / "other.py", "Python", "KeyError: 'a'", "print something")
    assert "gitmem.apply" not in gone
    assert "print(1)" in gone  # what it would do is still to be seen


def test_an_assistant_is_told_the_commit_of_a_record(repo: "Checkout") -> None:
    """Every record was "in no commit yet": nobody had looked."""
    ok(repo, "init")
    ok(repo, "add", "decision", "--title", "Take Rust", "--rationale", "speed")
    (decision,) = (
        row["id"] for row in json.loads(ok(repo, "list", "kind:decision", "--json"))["records"]
    )
    assert "in no commit yet" in mcp(repo, "gitmem_show", id=decision)
    repo.git("add", ".memory")
    repo.commit("the decision")
    text = mcp(repo, "gitmem_show", id=decision)
    assert "in no commit" not in text
    assert "the decision" in text
    assert repo.git("rev-parse", "--short=7", "HEAD").strip()[:7] in text


@pytest.mark.parametrize("client", ["claude", "codex", "gemini"])
def test_a_hook_tells_that_an_edit_did_not_help_and_what_it_broke(
    repo: "Checkout", client: str
) -> None:
    """Both were "new, nothing recorded", or nothing was said."""
    ok(repo, "init")
    repo.add("shop.py", "RATE = 1\n")
    repo.commit("first")
    line = "python -m pytest -q"
    one = "FAILED test_shop.py::test_one - AssertionError: assert 1 == 2\n"
    two = "FAILED test_shop.py::test_two - KeyError: 'tea'\n"
    assert told(repo, client, line, f"{one}1 failed in 0.1s\n") == ""
    repo.add("shop.py", "RATE = 3\n")
    text = told(repo, client, line, f"{one}{two}2 failed in 0.1s\n")
    assert re.search(
        r"still failing: `.*1 == 2`; the last edit \(.*shop\.py.*\) did not help", text
    )
    assert re.search(r"new since your last edit.*KeyError: 'tea'", text)
    assert told(repo, client, line, f"{one}{two}2 failed in 0.1s\n").count("last edit") == 0


def told(repo: "Checkout", client: str, command: str, output: str) -> str:
    event = payload(client, "red", str(repo), command, output, 1)
    begins = payload(client, "begins", str(repo), command)
    run(repo, "assistant-hook", client, stdin=json.dumps(begins))
    done = run(repo, "assistant-hook", client, stdin=json.dumps(event))
    assert (done.code, done.err) == (0, "")
    answer = json.loads(done.out or "{}")
    inner = answer.get("hookSpecificOutput", answer)
    return str(inner.get("additionalContext", ""))


def test_what_a_better_fix_replaces_leads_in_no_face(repo: "Checkout") -> None:
    """It worked, and had been seen to: it stood above the one that somebody wrote in its place."""
    error = recorded(repo)
    with Memory.open(str(repo)) as memory:
        proof = {
            "command": "python a.py",
            "before": {"result": "failed"},
            "after": {"result": "passed"},
        }
        fields = {"approach": "hide it", "patch": PATCH, "verification": proof}
        old = memory.resolve(error, fields).id
        links = {"supersedes": [old]}
        new = memory.resolve(error, {"approach": "give a default", "links": links}).id
        trials = memory.advice.advise(TRACE)
    editor = Editor(repo, real=True)
    try:
        editor.initialize(repo)
        given = {"command": "gitmem.tell", "arguments": [TRACE]}
        shown = editor.request("workspace/executeCommand", given)["markdown"]
    finally:
        editor.close()
    answers = (
        ok(repo, "hint", stdin=TRACE),
        mcp(repo, "gitmem_hint", text=TRACE),
        hook(repo, "python a.py", TRACE),
    )
    for text in answers:
        assert text.index(new) < text.index(old)
        assert re.search(rf"superseded\W.*{old}", text)
    assert new in shown
    assert old not in shown, "of what worked the editor shows what stands"
    assert "hide it" not in str(trials)


def test_nothing_empty_is_quoted_to_an_assistant(repo: "Checkout") -> None:
    """A note without a status was followed by a quoted sign for what can't be seen."""
    ok(repo, "init")
    ok(repo, "add", "note", "--title", "Never retry a payment by hand", "--set", "body=It is paid.")
    text = mcp(repo, "gitmem_advise", task="retry a payment")
    assert "Never retry a payment by hand" in text
    assert "\N{REPLACEMENT CHARACTER}" not in text
    assert "()" not in text


def test_what_is_only_proposed_is_not_among_the_decisions_in_force(repo: "Checkout") -> None:
    """A proposal stood under the heading of what is in force."""
    ok(repo, "init")
    ok(repo, "add", "decision", "--title", "Take Go", "--rationale", "x")
    proposal = ("--title", "Maybe Rust", "--rationale", "x", "--set", "status=proposed")
    ok(repo, "add", "decision", *proposal)
    with serving(repo) as served:
        page = served.ask(f"/r/{served.name}/").text
    sections = dict(re.findall(r"<h2>([^<]+)</h2>(.*?)</section>", page, re.DOTALL))
    assert "Take Go" in sections["Decisions in force"]
    assert "Maybe Rust" not in sections["Decisions in force"]
    assert "Maybe Rust" in sections["Proposed decisions"]


def test_an_attempt_says_to_which_error_it_was_attached(repo: "Checkout") -> None:
    """The answer named the attempt alone, whatever the text was taken for."""
    error = recorded(repo)
    text = mcp(repo, "gitmem_record_fix", error=TRACE, approach="use get", outcome="failed")
    assert f"an attempt on {error}: `KeyError: 'a'`" in text


def test_a_wrong_filter_leaves_the_search_box_and_what_was_typed(repo: "Checkout") -> None:
    """The whole page was replaced by the error."""
    ok(repo, "init")
    with serving(repo) as served:
        answer = served.ask(f"/r/{served.name}/search?q=kind:bogus")
    assert answer.status == 200
    assert 'value="kind:bogus"' in answer.text
    assert "unknown kind" in answer.text


def test_a_page_says_first_what_waits_and_each_fix_with_its_error(repo: "Checkout") -> None:
    """The live session was not there, a draft came last, and fixes stood without their errors."""
    error = recorded(
        repo,
        {"approach": "use a default", "outcome": "worked"},
        {"approach": "sleep one second", "outcome": "failed"},
    )
    with Memory.open(str(repo)) as memory:
        session = memory.sessions.start("mend the prices")
        memory.failures.drafts.add(Draft("d" * 10, "site", {"title": "a lesson"}, [], [], []))
    with serving(repo) as served:
        cookie = served.cookie()
        first = served.ask(f"/r/{served.name}/", bearer=False, cookie=cookie).text
        places = [
            first.index(text)
            for text in ("mend the prices", "a lesson", "came back", "Worked last", "Week by week")
        ]
        assert places == sorted(places)
        for heading in ("Worked last", "Did not work"):
            part = first.partition(f"<h2>{heading}</h2>")[2].partition("</section>")[0]
            assert f'/record/{error}">' in part, "each attempt with its error"
        page = served.ask(f"/r/{served.name}/record/{error}", bearer=False, cookie=cookie).text
        verdict = page.partition('class="card verdict"')[2].partition("</section>")[0]
        assert "Fixed by" in verdict
        assert "use a default" in verdict
        assert "seen once, last today" in verdict
        assert "1 attempt did not help" in verdict
        assert page.index("Fixed by") < page.index(">Message<") < page.index("What was tried")
        moved = served.ask(f"/r/{served.name}/record/{session.id}", bearer=False, cookie=cookie)
        assert moved.status == 303
        assert moved.headers["location"] == f"/r/{served.name}/session/{session.id}"


def test_buttons_answer_and_what_one_click_removes_comes_back(repo: "Checkout") -> None:
    """A draft was gone at a click, and a verdict changed nothing that could be seen."""
    error = recorded(repo)
    with Memory.open(str(repo)) as memory:
        memory.failures.drafts.add(Draft("d" * 10, "site", {"title": "a lesson"}, [], [], []))
    with serving(repo) as served:
        here = f"/r/{served.name}"
        cookie = served.cookie()
        said = served.form(f"{here}/record/{error}/helpful", f"{here}/record/{error}", helped="no")
        told = served.ask(said.headers["location"], bearer=False, cookie=cookie).text
        assert "Noted: it did not help." in told
        gone = served.form(f"{here}/drafts/{'d' * 10}/drop", f"{here}/drafts")
        after = served.ask(gone.headers["location"], bearer=False, cookie=cookie).text
        assert "Dropped: a lesson" in after
        assert "/keep" not in after
        served.form(f"{here}/drafts/{'d' * 10}/undo", gone.headers["location"])
        assert f"{'d' * 10}/keep" in served.ask(f"{here}/drafts", bearer=False, cookie=cookie).text
        wrong = served.form(f"{here}/drafts/{'d' * 10}/undo", f"{here}/drafts")
        assert wrong.status == 404, "nothing was dropped"


def test_a_decision_from_the_form_is_known_at_its_files(repo: "Checkout") -> None:
    """The form had no place for the files; tags of two words became three tags."""
    recorded(repo)
    with serving(repo) as served:
        here = f"/r/{served.name}"
        served.form(
            f"{here}/records", f"{here}/new?kind=decision", kind="decision", title="Whole cents",
            rationale="no rounding", governs="a.py\r\nshop/\r\n", tags="ops, two words",
            alternatives="Floats: they round\r\nStrings",
        )  # fmt: skip
    with Memory.open(str(repo)) as memory:
        (row,) = memory.list("kind:decision")
        record = cast("Decision", memory.show(row.id).record)
        assert record.tags == ("ops", "two-words")
        assert [(each.option, each.why_not) for each in record.alternatives] == [
            ("Floats", "they round"), ("Strings", ""),
        ]  # fmt: skip
        assert [each.id for each in memory.editor.about(str(repo / "a.py")).decisions] == [row.id]


def test_an_empty_memory_shows_three_steps_and_no_zeros(repo: "Checkout") -> None:
    """It said "open 0 of 0", and counted the errors of each week."""
    ok(repo, "init")
    with serving(repo) as served:
        cookie = served.cookie()
        text = served.ask(f"/r/{served.name}/", bearer=False, cookie=cookie).text
    assert "Three first steps" in text
    assert "Week by week" not in text
    assert "gitmem run -- pytest" in text
