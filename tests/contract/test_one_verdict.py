"""One attempt, one verdict: every face that tells of it prints the same word.

An error is fixed, and recorded again later, or seen again here. Whether the fix held is told only
by evidence: that all it added is in the code which failed. Without that, it worked.
"""

import json
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.memory import Memory
from tests.e2e.assistants import piped, said, talk
from tests.e2e.lsp_editor import Editor, wait_until
from tests.e2e.running import ok, run

if TYPE_CHECKING:
    from tests.conftest import Checkout

pytestmark = [pytest.mark.usefixtures("sealed_git"), pytest.mark.timeout(300)]
BROKEN = "def total(prices):\n    return sum(prices) / rate\n\n\nprint(total([1, 2]))\n"
MENDED = "rate = 0.19  # of the year\n" + BROKEN
APPROACH = "define the rate of the year"
PATCH = """\
--- a/tax.py
+++ b/tax.py
@@ -1,2 +1,3 @@
+rate = 0.19  # of the year
 def total(prices):
     return sum(prices) / rate
"""
MESSAGE = '"rate" is not defined'
LOG = f"tax.py:{{}}:25 - error: {MESSAGE} (reportUndefinedVariable)\n"
WORDS = ("worked", "claimed", "partial", "did not hold", "failed", "unverified")


def word_before(text: str, what: str = APPROACH) -> str:
    """Give the verdict that stands before the name of the attempt; fail if there is none."""
    match = re.search(rf"({'|'.join(WORDS)})[^a-z]*{re.escape(what)}", text)
    assert match, text
    return match[1]


def reason_behind(advice: str) -> tuple[str, str]:
    """Give whether advice is to try the attempt or to avoid it, and the verdict it rests on."""
    match = re.search(rf"^(TRY|AVOID)\n  {APPROACH}\n    ({'|'.join(WORDS)})", advice, re.MULTILINE)
    assert match, advice
    return match[1], match[2]


def begin(
    repo: "Checkout", code: str, *, claimed: bool = False, again: bool = True
) -> tuple[str, str]:
    """Record the error, its fix and, mostly, the error again; give the ids of error and fix.

    A fix is claimed where an assistant says that it worked, and nobody watched it.
    """
    ok(repo, "init")
    repo.add("tax.py", code)
    repo.commit("first")
    with Memory.open(str(repo)) as memory:
        log = LOG.format(_line(repo) + 1)
        (error,) = memory.failures.capture([log], command="pyright", record=True).written
        checked = {"command": "pyright", "before": {"result": "failed"},
                   "after": {"result": "passed"}}  # fmt: skip
    proof = {"outcome": "worked"} if claimed else {"verification": checked}
    actor = {"actor": "agent:some-tool"} if claimed else {}
    with Memory.open(str(repo), settings=actor) as memory:
        fix = memory.resolve(error, {"approach": APPROACH, "patch": PATCH, **proof})
    with Memory.open(str(repo)) as memory:
        if again:
            memory.add("error", {"excerpt": log, "command": "pyright"})
    return str(error), fix.id


@pytest.mark.parametrize(
    ("code", "verdict", "again"),
    [
        (BROKEN, "worked", True),
        (MENDED, "did not hold", True),
        (BROKEN, "claimed", True),
        (BROKEN, "worked", False),
        (MENDED, "did not hold", False),
    ],
)
def test_every_face_gives_the_same_verdict(
    repo: "Checkout", code: str, verdict: str, *, again: bool
) -> None:
    error, fix = begin(repo, code, claimed=verdict == "claimed", again=again)
    texts = {
        "run": _run(repo),
        "hint": ok(repo, "hint", stdin=LOG.format(_line(repo) + 1)),
        "search": ok(repo, "search", "rate is not defined"),
        "show": ok(repo, "show", error),
        "attempts": ok(repo, "runs", "attempts", error),
        "list": next(line for line in ok(repo, "list", "kind:fix").splitlines() if fix in line),
        "list as JSON": _of_json(ok(repo, "list", "kind:fix", "--json")),
        "context": ok(repo, "context", "--focus", LOG.format(_line(repo) + 1)),
        "review": ok(repo, "review", "--worktree"),
        "ci": ok(repo, "ci", "fails.txt", "--summary", "summary.md"),
        "ci's summary": (repo / "summary.md").read_text(),
        "report": _rows_of_page(ok(repo, "stats", "report", "-")),
        **_of_editors(repo, error),
        **_of_assistants(repo, error),
    }
    if not again:
        del texts["report"]  # it names what came back as records say
    verdicts = {face: word_before(text) for face, text in texts.items()}
    assert verdicts == dict.fromkeys(texts, verdict)
    advice = {
        "advise": ok(repo, "advise", error),
        "advise on what fails": ok(repo, "advise"),
        "advise on the file": ok(repo, "advise", "--file", "tax.py"),
    }
    reasons = {face: reason_behind(text) for face, text in advice.items()}
    sort = {"worked": "TRY", "claimed": "TRY", "did not hold": "AVOID"}[verdict]
    assert reasons == dict.fromkeys(advice, (sort, verdict))


@pytest.mark.parametrize("claimed", [False, True], ids=["proven", "claimed"])
def test_every_face_says_of_an_error_whether_its_end_is_only_claimed(
    repo: "Checkout", *, claimed: bool
) -> None:
    error, _ = begin(repo, BROKEN, claimed=claimed, again=False)
    texts = {
        "list": ok(repo, "list", "kind:error status:resolved"),
        "list as JSON": ok(repo, "list", "kind:error", "--json"),
        "search": ok(repo, "search", "kind:error rate is not defined"),
        "show": ok(repo, "show", error),
        "show as JSON": ok(repo, "show", error, "--json"),
        "page": _of_editors(repo, error)["page"],
        **_of_assistants(repo, error),
    }
    texts.pop("MCP hint")  # what worked, and on which record
    statuses = {
        face: set(re.findall(r"resolved(?: \(claimed\))?", text)) for face, text in texts.items()
    }
    words = "resolved (claimed)" if claimed else "resolved"
    assert statuses == {face: {words} for face in texts}


@pytest.mark.parametrize(
    ("code", "claimed", "again"),
    [(BROKEN, False, False), (BROKEN, True, False), (BROKEN, True, True), (MENDED, False, True)],
)
def test_status_and_overview_count_what_lists_show(
    repo: "Checkout", code: str, *, claimed: bool, again: bool
) -> None:
    begin(repo, code, claimed=claimed, again=again)
    rows = json.loads(ok(repo, "list", "--json"))["records"]
    listed = Counter((row["kind"], row["status"]) for row in rows)
    counts = json.loads(ok(repo, "status", "--json"))["counts"]
    assert {(each["kind"], each["status"]): each["count"] for each in counts} == listed
    with Memory.open(str(repo)) as memory:
        overview = memory.editor.overview()
    assert {(kind, status): number for kind, status, number in overview.counts} == listed


@pytest.mark.parametrize("claimed", [False, True], ids=["proven", "claimed"])
def test_what_is_only_claimed_is_listed_apart_from_what_worked(
    repo: "Checkout", *, claimed: bool
) -> None:
    error, fix = begin(repo, BROKEN, claimed=claimed, again=False)
    own, other = ("claimed", "worked") if claimed else ("worked", "claimed")

    def faces(filters: str, record: str) -> set[bool]:
        """Tell for each face whether it lists a record."""
        texts = [ok(repo, "list", filters), ok(repo, "list", filters, "--json"),
                 ok(repo, "search", filters)]  # fmt: skip

        async def conversation() -> None:
            async with piped(repo) as client:
                texts.append(await said(client, "gitmem_search", query=filters))

        talk(conversation)
        return {record in text for text in texts}

    assert faces(f"kind:fix status:{own}", fix) == {True}
    assert faces(f"kind:fix status:{other}", fix) == {False}
    assert faces(f"kind:fix -status:{other}", fix) == {True}
    assert faces(f"kind:fix -status:{own}", fix) == {False}
    assert faces("kind:error status:resolved -status:claimed", error) == {not claimed}


@pytest.mark.parametrize("again", [True, False], ids=["recorded", "seen here"])
def test_what_did_not_hold_is_not_listed_among_what_worked(
    repo: "Checkout", *, again: bool
) -> None:
    _, fix = begin(repo, MENDED, again=again)
    _run(repo)

    def lists(filters: str) -> set[bool]:
        texts = [ok(repo, "list", filters), ok(repo, "search", filters)]
        texts.append(ok(repo, "search", f"define the rate {filters}"))
        return {fix in text for text in texts}

    assert lists("kind:fix status:worked") == {False}
    assert lists("kind:fix status:did-not-hold") == {True}
    assert lists("kind:fix -status:worked") == {True}
    assert lists("kind:fix -status:did-not-hold") == {False}


def test_the_records_of_a_line_have_the_same_verdict(repo: "Checkout") -> None:
    begin(repo, MENDED)
    assert word_before(ok(repo, "why", "tax.py:1")) == "did not hold"
    assert word_before(ok(repo, "review", "--worktree")) == "did not hold"


@pytest.mark.parametrize("restored", [True, False])
def test_a_failure_shows_that_a_fix_did_not_hold_only_where_its_code_had_the_fix(
    repo: "Checkout", *, restored: bool
) -> None:
    begin(repo, MENDED, again=False)
    assert "did not hold" not in ok(repo, "list", "kind:fix")
    if restored:  # as one who looks whether the test fails without the fix
        repo.add("tax.py", BROKEN)
    _run(repo)
    repo.add("tax.py", MENDED)
    assert ("did not hold" in ok(repo, "list", "kind:fix")) is not restored


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("    return now > at\n", "    return now >= at\n"),
        ("    now += 1\n    return now > at\n", "    return now > at\n"),
    ],
    ids=["a sign", "a line less"],
)
def test_a_fix_of_few_letters_is_known_by_what_stands_around_it(
    repo: "Checkout", before: str, after: str
) -> None:
    head = "def has_expired(now, at):\n"
    test = "from clock import has_expired\nassert has_expired(5, 5) is {}, 'five'\n"
    repo.add("test_clock.py", test.format(">=" in after))
    repo.add("clock.py", head + before)
    repo.commit("first")
    ok(repo, "init")
    command = ("run", "--", "python3", "-B", "test_clock.py")
    run(repo, *command)
    repo.add("clock.py", head + after)
    assert "recorded as" in run(repo, *command).err
    assert "worked" in ok(repo, "list", "kind:fix")
    repo.add("clock.py", f"{head}{after}\n\ndef has_expired(now, at):\n    return None\n")
    run(repo, *command)
    assert "did not hold" in ok(repo, "list", "kind:fix")


def test_a_fix_that_was_broken_and_restored_held(repo: "Checkout") -> None:
    begin(repo, MENDED, again=False)
    (repo / "fails.txt").write_text(LOG.format(_line(repo) + 1))
    check = ("run", "--", "sh", "-c", "cat fails.txt; test ! -s fails.txt")
    run(repo, *check)
    assert "did not hold" in ok(repo, "list", "kind:fix")
    (repo / "fails.txt").write_text("")
    ok(repo, *check)
    assert "did not hold" not in ok(repo, "list", "kind:fix")


def _of_json(document: str) -> str:
    """Give the words that programs read of the attempt."""
    rows = json.loads(document)["records"]
    return next(f"{row['status']} {row['title']}" for row in rows if row["title"] == APPROACH)


def _rows_of_page(page: str) -> str:
    """Give the rows of a page's tables that name the attempt, without markup."""
    rows = [row for row in page.splitlines() if row.startswith("<tr>") and APPROACH in row]
    return "\n".join(re.sub("<[^>]+>", " ", row) for row in rows)


def _in_tree(overview: Any) -> str:
    """Give the words that the tree shows of the attempt."""
    shown = [*overview["attention"]["worked"], *overview["attention"]["failed"]]
    (attempt,) = [row for row in shown if row["title"] == APPROACH]
    return f"{attempt['status']} {attempt['title']}"


def _line(repo: Path) -> int:
    """Give the line that fails, from 0."""
    return (repo / "tax.py").read_text().split("\n").index("    return sum(prices) / rate")


def _run(repo: Path) -> str:
    (repo / "fails.txt").write_text(LOG.format(_line(repo) + 1))
    return run(repo, "run", "--", "sh", "-c", "cat fails.txt; exit 1").err


def _of_assistants(repo: Path, error: str) -> dict[str, str]:
    texts: dict[str, str] = {}

    async def conversation() -> None:
        async with piped(repo) as client:
            texts["MCP hint"] = await said(client, "gitmem_hint", text=LOG.format(_line(repo) + 1))
            texts["MCP search"] = await said(client, "gitmem_search", query="rate is not defined")
            texts["MCP show"] = await said(client, "gitmem_show", id=error)

    talk(conversation)
    return texts


def _of_editors(repo: Path, error: str) -> dict[str, str]:
    path = repo / "tax.py"
    at = _line(repo)
    place = {"start": {"line": at, "character": 24}, "end": {"line": at, "character": 28}}
    shown = {"range": place, "severity": 1, "source": "Pyright",
             "code": "reportUndefinedVariable", "message": MESSAGE}  # fmt: skip
    hover = ""
    editor = Editor(repo, real=True)
    try:
        editor.initialize(repo)
        editor.open(path, path.read_text())
        editor.forward(path, shown)

        def is_there() -> bool:
            nonlocal hover
            contents = editor.hover(path, at, 25) or {"contents": {"value": ""}}
            hover = str(contents["contents"]["value"])
            return APPROACH in hover

        wait_until(is_there)
        page = editor.request("workspace/executeCommand",
                              {"command": "gitmem.page", "arguments": [error]})  # fmt: skip
        overview = editor.request(
            "workspace/executeCommand",
            {"command": "gitmem.overview", "arguments": [{"details": True}]},
        )
        return {"hover": hover, "page": json.dumps(page), "tree": _in_tree(overview)}
    finally:
        editor.close()
