"""Patterns out of accepted code, and recorded patterns for a task."""

from typing import TYPE_CHECKING

import pytest

from gitmem.errors import NotFoundError, UsageError
from gitmem.learning.pattern_results import Extracted
from gitmem.memory import Memory
from gitmem.records.kinds import Pattern
from gitmem.render import code_patterns as render
from gitmem.render.text import Painter

if TYPE_CHECKING:
    from tests.conftest import Checkout

_RETRY = '''\
def retry(ask, times=3):
    """Ask again where the network is slow."""
    for attempt in range(times):
        try:
            return ask()
        except TimeoutError:
            wait(attempt)
    return None
'''
_SAME_RETRY = """\
def once_more(question, count=5):
    for number in range(count):
        try:
            return question()
        except TimeoutError:
            wait(number)  # longer each time
    return None
"""
_PAY = "import os\n\n\ndef pay(amount):\n    total = amount + 1\n    return total\n"


@pytest.fixture
def shop(repo: "Checkout") -> "Checkout":
    """Make a repository, and a branch that adds a function, a test and files of others."""
    Memory.init(str(repo))
    repo.add("shop/pay.py", _PAY)
    repo.commit("before")
    repo.git("checkout", "-q", "-b", "work")
    repo.add("shop/retry.py", f"import os\n\n\n{_RETRY}\n\n{_SAME_RETRY}")
    repo.add("shop/pay.py", _PAY.replace("amount + 1", "amount + 2"))
    repo.add("tests/test_retry.py", _RETRY)
    repo.add("node_modules/x.js", "function f(a) { g(a); return h(a); }")
    repo.add("notes.txt", "words\n")
    repo.add("web/a.ts", "export const load = async (x: X) => { const y = await f(x); return y; };")
    repo.commit("after")
    return repo


def _extract(
    repo: "Checkout", source: str = "", *, fixes: bool = False, record: bool = False
) -> Extracted:
    with Memory.open(str(repo)) as memory:
        return memory.code.extract_from(source, fixes=fixes, record=record)


def _names(made: Extracted) -> list[str]:
    return [one.pattern.name for one in made.found]


def test_s2_22_s2_41_patterns_come_out_of_a_merged_change(shop: "Checkout") -> None:
    made = _extract(shop)
    assert _names(made) == ["pay", "retry", "load"]
    assert made.repeated == 1
    retry = made.found[1]
    assert (retry.path, retry.pattern.first, retry.pattern.category) == (
        "shop/retry.py", 4, "error handling",
    )  # fmt: skip
    assert retry.commit == shop.git("rev-parse", "HEAD")
    assert made.passed == {
        "files of tests": 1, "generated or very long files": 1,
        "files in languages that gitmem can't read": 1,
    }  # fmt: skip
    assert _names(_extract(shop, "HEAD^!")) == ["pay", "retry", "load"]
    assert _names(_extract(shop, "main...work")) == ["pay", "retry", "load"]
    with Memory.open(str(shop)) as memory:
        assert _names(memory.code.extract_from(language="TS")) == ["load"]
        assert _names(memory.code.extract_from(only=("re*",))) == ["retry"]
        with pytest.raises(NotFoundError, match="no pattern found is called x"):
            memory.code.extract_from(only=("x",))


def test_nothing_is_written_unless_it_is_asked_for(shop: "Checkout") -> None:
    before = shop.git("status", "--porcelain", "-uall")
    made = _extract(shop)
    assert made.written == ()
    assert shop.git("status", "--porcelain", "-uall") == before
    assert list(render.counted(made))[-1].startswith("nothing was written: --record writes them")


def test_s2_9_s2_23_a_recorded_pattern_says_what_it_is_and_where_it_comes_from(
    shop: "Checkout",
) -> None:
    made = _extract(shop, record=True)
    assert len(made.written) == 3
    with Memory.open(str(shop)) as memory:
        record = memory.show(made.written[1]).record
    assert isinstance(record, Pattern)
    assert (record.author.via, record.author.tool) == ("tool", "gitmem code extract")
    assert record.title == "retry: error handling, retry"
    assert (record.language, record.category, record.complexity) == (
        "python", "error handling", "low",
    )  # fmt: skip
    assert record.code == _RETRY
    assert record.tags == ("error-handling", "retry")
    (anchor,) = record.anchors
    assert (anchor.path, anchor.lines, anchor.symbol) == ("shop/retry.py", (4, 11), "retry")
    assert anchor.commit == shop.git("rev-parse", "HEAD")


def test_s2_50_only_what_is_new_is_kept_whatever_it_is_called(shop: "Checkout") -> None:
    assert len(_extract(shop, record=True).written) == 3
    again = _extract(shop, record=True)
    assert (again.found, again.known, again.written) == ([], 4, ())
    shop.add("shop/other.py", _SAME_RETRY.replace("number", "n").replace("    ", "  "))
    assert _extract(shop, "shop/other.py").known == 1
    with Memory.open(str(shop)) as memory:  # a pattern that somebody wrote by hand counts, too
        memory.add(
            "pattern", {"title": "mine", "language": "py", "code": "def f(x):\n  g(x)\n  h()\n"}
        )
        shop.add("shop/mine.py", "def other(it):\n\n    g(it)\n    h()\n")
        assert memory.code.extract_from("shop/mine.py").known == 1


def _fix(repo: "Checkout", **fields: object) -> str:
    with Memory.open(str(repo)) as memory:
        error = memory.add("error", {"error_type": "TimeoutError", "message": "no answer"})
        return memory.resolve(error.id, {"approach": "ask again", **fields}).id


def _patch(repo: "Checkout", *, index: bool) -> str:
    said = repo.git("diff", "--no-color", *(["--full-index"] if index else []), "HEAD^", "HEAD",
                    "--", "shop/retry.py", "shop/pay.py") + "\n"  # fmt: skip
    kept = [line for line in said.splitlines(keepends=True) if index or line[:6] != "index "]
    return "".join(kept)


@pytest.mark.parametrize("index", [True, False])
def test_s2_22_patterns_come_out_of_a_fix_that_worked(shop: "Checkout", index: bool) -> None:  # noqa: FBT001
    fix = _fix(shop, patch=_patch(shop, index=index))
    made = _extract(shop, fix)
    # Without the blob of the file, what the patch shows as a whole is read.
    assert _names(made) == ["pay", "retry"]
    assert {one.fix for one in made.found} == {fix}
    assert made.found[-1].when == "TimeoutError: no answer. ask again"
    assert _names(_extract(shop, fixes=True)) == _names(made)
    (*_, written) = _extract(shop, fix, record=True).written
    with Memory.open(str(shop)) as memory:
        record = memory.show(written).record
        assert isinstance(record, Pattern)
        assert record.links.relates == (fix,)
        assert record.when_to_use == "TimeoutError: no answer. ask again"
        assert [one.lines for one in record.anchors] == [None]


def test_a_function_that_a_patch_cuts_off_is_no_pattern(shop: "Checkout") -> None:
    patch = (
        "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1,3 +1,6 @@\n"
        "+def cut(a):\n+    f(a)\n+    g(a)\n     h(a)\n     i(a)\n     j(a)\n"
    )
    assert _names(_extract(shop, _fix(shop, patch=patch))) == []


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"outcome": "failed", "why_failed": "no", "patch": "x"}, "did not work"),
        ({}, "has no patch"),
    ],
)
def test_a_fix_that_teaches_nothing_is_refused(
    shop: "Checkout", fields: dict[str, str], why: str
) -> None:
    fix = _fix(shop, **fields)
    with pytest.raises(UsageError, match=why):
        _extract(shop, fix)
    assert _names(_extract(shop, fixes=True)) == []


def test_patches_that_are_cut_or_binary_are_passed_over(shop: "Checkout") -> None:
    _fix(shop, patch="diff --git a/a.py b/a.py\n# cut: 3 more lines\n")
    _fix(shop, patch="diff --git a/x.py b/x.py\nBinary files a/x.py and b/x.py differ\n")
    assert _extract(shop, fixes=True).passed == {"patches that were cut, or are binary": 2}


def test_s2_18_patterns_come_out_of_a_file(shop: "Checkout") -> None:
    made = _extract(shop, "shop/retry.py")
    assert _names(made) == ["retry"]
    assert made.found[0].commit == ""
    (written,) = _extract(shop, "shop/retry.py", record=True).written
    with Memory.open(str(shop)) as memory:
        (anchor,) = memory.show(written).record.anchors
        assert anchor.content_hash
        assert anchor.quote
    for path, why in (("notes.txt", "can't read"), ("gone.py", "no revision")):
        with pytest.raises((UsageError, NotFoundError), match=why):
            _extract(shop, path)


def test_secrets_in_code_never_reach_a_record(shop: "Checkout") -> None:
    key = "ghp_" + "a1B2" * 9
    shop.add("shop/key.py", f'def ask(url):\n    one = get(url, "{key}")\n    return one\n')
    (written,) = _extract(shop, "shop/key.py", record=True).written
    with Memory.open(str(shop)) as memory:
        assert key.encode() not in memory.show(written).text


def test_without_the_extra_it_says_so_and_reads_python(
    shop: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gitmem.syntax.parse.importlib.util.find_spec", lambda _: None)
    made = _extract(shop)
    assert _names(made) == ["pay", "retry"]
    assert made.notes == ['typescript can\'t be read: pip install "gitmem-native[code]"']
    assert made.passed["files whose language needs the extra code"] == 1


def test_paths_of_any_name_are_followed(shop: "Checkout") -> None:
    shop.add('odd/"é\tx".py', _SAME_RETRY.replace("wait", "pause"))
    shop.commit("odd")
    made = _extract(shop, "HEAD^!")
    assert [one.path for one in made.found] == ['odd/"é\tx".py']


def test_a_branch_without_changes_gives_nothing(shop: "Checkout") -> None:
    made = _extract(shop, "HEAD..HEAD")
    assert (made.found, made.known) == ([], 0)
    assert list(render.counted(made)) == ["0 new patterns, 0 known already"]


# --- suggesting ---------------------------------------------------------------------------------


@pytest.fixture
def known(repo: "Checkout") -> "Checkout":
    """Record some patterns, and an error that says the same words."""
    Memory.init(str(repo))
    with Memory.open(str(repo)) as memory:
        for number in range(7):
            memory.add("pattern", {"title": f"Retry a request {number}", "language": "Python",
                                   "code": _RETRY, "complexity": "low"})  # fmt: skip
        memory.add("pattern", {"title": "Retry a request in Go", "language": "go", "code": "x"})
        memory.add("pattern", {"title": "Draw a chart", "code": "plot()"})
        memory.add("error", {"error_type": "X", "message": "retry a request"})
    return repo


def test_s2_10_s2_24_patterns_are_suggested_for_a_task(known: "Checkout") -> None:
    with Memory.open(str(known)) as memory:
        found = memory.advice.suggest("retry a request", "python")
        assert len(found) == 5
        assert {one.record.language for one in found} == {"Python"}
        assert [one.record.title for one in memory.advice.suggest("retry a request", "golang")] == [
            "Retry a request in Go"
        ]
        assert [one.record.title for one in memory.advice.suggest("a chart", limit=1)] == [
            "Draw a chart"
        ]
        assert len(memory.advice.suggest("retry request", limit=50)) == 8
        assert memory.advice.suggest("walrus") == []


@pytest.mark.parametrize("task", ['kind:error "retry', "-retry -- since:x", "TypeError: retry"])
def test_nothing_in_a_task_is_an_operator(known: "Checkout", task: str) -> None:
    with Memory.open(str(known)) as memory:
        assert all(one.hit.row.kind == "pattern" for one in memory.advice.suggest(task))
        assert memory.advice.suggest(task)


def test_an_empty_task_is_refused(known: "Checkout") -> None:
    with Memory.open(str(known)) as memory, pytest.raises(UsageError, match="is empty"):
        memory.advice.suggest(" -- ")


def test_s0_87_what_is_suggested_shows_code_as_data(known: "Checkout") -> None:
    with Memory.open(str(known)) as memory:
        memory.add("pattern", {"title": "evil\x1b[31m thing", "code": "a\x1b[2J\u202eb\n" * 20})
        said = "\n".join(
            render.suggestions(memory.advice.suggest("evil thing", limit=1), Painter())
        )
        data = render.suggestions_as_data(memory.advice.suggest("evil thing", limit=1))
    assert "\x1b" not in said
    assert "\u202e" not in said
    assert "… 8 more lines: gitmem show pat-" in said
    assert data[0]["code"].startswith("a")


def test_patterns_that_python_found_are_kept_once(known: "Checkout") -> None:
    with Memory.open(str(known)) as memory:
        found = memory.code.extract("def f(a):\n    b = g(a)\n    return b\n", "py")
        told = {"metrics": {"tests_passed": 3}, "when_to_use": "always"}
        (record,) = memory.code.keep_patterns(found, told)
        assert isinstance(record, Pattern)
        assert (record.metrics, record.when_to_use) == ({"tests_passed": 3}, "always")
        assert memory.code.keep_patterns(found) == []
        assert memory.code.keep_patterns(memory.code.extract(_SAME_RETRY, "python")) == []
