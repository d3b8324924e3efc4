"""Rules that fixes are kept as: proposed from the patch, held against the history, and told."""

import shutil
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.errors import EnvironmentProblem, InvalidError, NotFoundError
from gitmem.memory import GitHooks, Memory
from gitmem.records import codec

if TYPE_CHECKING:
    from gitmem.answers.guard_rules import Proposal
    from gitmem.answers.guarded import Guarded
    from tests.conftest import Checkout

pytest.importorskip("ast_grep_py")

CONFIG = "import yaml\n\n\ndef read(file):\n    data = yaml.load(file)\n    return data\n"
OTHER = "import yaml\n\n\ndef other(path):\n    return yaml.load(path)\n"
PATTERN = {"tool": "ast-grep", "language": "python", "pattern": "yaml.load($A)"}


def fixed(
    repo: "Checkout", path: str, before: str, after: str, guard: dict[str, Any] | None = None
) -> str:
    """Commit code, its fix, and a record of it, perhaps with a rule; give the record's id."""
    repo.add(path, before)
    repo.commit("code")
    repo.add(path, after)
    with Memory.open(str(repo)) as memory:
        error = memory.add("error", {"title": "objects are made", "message": "objects are made"})
        fields = {"approach": "do it right", "patch": repo.git("diff") + "\n"}
        fix = memory.resolve(error.id, fields | ({"guard": guard} if guard else {}))
    repo.commit("fixed")
    return fix.id


@pytest.fixture
def shop(repo: "Checkout") -> "Checkout":
    Memory.init(str(repo))
    return repo


def proposal(repo: "Checkout", fix: str, *, keep: bool = False) -> "Proposal":
    with Memory.open(str(repo)) as memory:
        return memory.history.propose_rule(fix, lambda _: keep)


def guarded(repo: "Checkout") -> tuple["Guarded", list[str]]:
    """Hold what is staged against the memory; give the notices, too."""
    repo.git("add", "-A")
    with Memory.open(str(repo)) as memory:
        return memory.history.guard(), list(memory.workspace.notices)


def told(repo: "Checkout") -> list[tuple[str, int]]:
    return [(taken.change.path, taken.change.line) for taken in guarded(repo)[0].taken_back]


def test_a_rule_is_proposed_kept_and_told(shop: "Checkout") -> None:
    shop.add("other.py", OTHER)
    fix = fixed(shop, "config.py", CONFIG, CONFIG.replace("yaml.load", "yaml.safe_load"))
    answer = proposal(shop, fix)
    assert answer.rule.as_data() == PATTERN
    assert [place[:2] for place in answer.before] == [("config.py", 5)]
    assert answer.holds
    assert [place[:2] for place in answer.today] == [("other.py", 5)]
    shop.add("third.py", OTHER.replace("path", "name"))
    assert told(shop) == []  # nobody has kept it
    assert proposal(shop, fix, keep=True) == answer._replace(
        today=[*answer.today, answer.today[0]._replace(path="third.py")]
    )
    assert told(shop) == [("third.py", 5)]
    assert proposal(shop, fix).is_recorded
    taken = guarded(shop)[0].taken_back[0]
    assert (taken.fix.id, taken.sureness, taken.change.how) == (fix, "sure", "rule")
    assert taken.why == "its rule matches here: yaml.load($A)"
    assert taken.error is not None


def test_what_stood_there_moves_or_is_meant_is_not_told(shop: "Checkout") -> None:
    safe = CONFIG.replace("yaml.load", "yaml.safe_load")
    shop.add("other.py", OTHER)
    fix = fixed(shop, "config.py", CONFIG, safe, PATTERN)
    shop.add("other.py", f"# old code\n{OTHER}".replace("path", "the_path"))
    assert told(shop) == []
    shop.commit("other words")
    shop.git("mv", "other.py", "moved.py")
    assert told(shop) == []
    shop.commit("moved")
    shop.add("tests/test_it.py", OTHER)
    shop.add("some.js", "yaml.load(x)\n")
    assert told(shop) == []
    shop.add("new.py", OTHER)
    assert told(shop) == [("new.py", 5)]
    with Memory.open(str(shop)) as memory:
        memory.history.say_meant(fix, "the file is ours")
    assert told(shop) == []


def test_a_commit_that_names_the_fix_is_not_told(shop: "Checkout") -> None:
    fix = fixed(shop, "config.py", CONFIG, CONFIG.replace("yaml.load", "yaml.safe_load"), PATTERN)
    shop.add("new.py", OTHER)
    shop.commit("an old format")
    shop.add("newer.py", OTHER)
    shop.commit(f"another one, in spite of {fix}")
    with Memory.open(str(shop)) as memory:
        assert len(memory.history.guard("HEAD~1^!").taken_back) == 1
        assert memory.history.guard("HEAD^!").taken_back == []
        assert len(memory.history.review("HEAD~1^!").taken_back) == 1


def test_a_diff_of_some_lines_is_told_as_far_as_it_shows_code(shop: "Checkout") -> None:
    fixed(shop, "config.py", CONFIG, CONFIG.replace("yaml.load", "yaml.safe_load"), PATTERN)
    shop.add("new.py", OTHER)
    shop.git("add", "-A")
    with Memory.open(str(shop)) as memory:
        diff = shop.git("diff", "--cached") + "\n"
        assert len(memory.history.guard_diff(diff).taken_back) == 1


CASES = {
    "a.py": ("if x.y == None:\n    z()\n", "if x.y is None:\n    z()\n", "$A == None"),
    "b.py": ("r = get(url)\n", "r = get(url, timeout=5)\n", "get($A)"),
    "a.js": ("x = eval(text);\n", "x = JSON.parse(text);\n", "eval($A)"),
    "a.tsx": ("const x = <A b={md5(c)} />;\n", "const x = <A b={sha(c)} />;\n", "md5($A)"),
    "a.go": (
        "package a\n\nfunc f(n string) {\n\tos.Chmod(n, 0777)\n}\n",
        "package a\n\nfunc f(n string) {\n\tos.Chmod(n, 0600)\n}\n",
        "os.Chmod($A, 0777)",
    ),
    "a.rs": (
        "fn f() {\n    let x = a.get(1).unwrap();\n}\n",
        "fn f() {\n    let x = a.get(1)?;\n}\n",
        "a.get($A).unwrap",
    ),
}


@pytest.mark.parametrize("path", CASES)
def test_what_the_fix_took_out_stays_in_the_pattern(shop: "Checkout", path: str) -> None:
    before, after, pattern = CASES[path]
    answer = proposal(shop, fixed(shop, path, before, after))
    assert (answer.rule.pattern, answer.holds) == (pattern, True)


def test_where_no_rule_follows_it_is_a_line(shop: "Checkout") -> None:
    adds = fixed(
        shop,
        "a.py",
        "def f(a, b):\n    return a / b\n",
        "def f(a, b):\n    assert b\n    return a / b\n",
    )
    with pytest.raises(NotFoundError, match="only adds"):
        proposal(shop, adds)
    words = fixed(shop, "b.py", "# it is so\nx = 1\n", "# it is not so\nx = 1\n")
    with pytest.raises(NotFoundError, match="no pattern"):
        proposal(shop, words)
    with Memory.open(str(shop)) as memory:
        error = memory.add("error", {"title": "x", "message": "x"})
        patch = "--- a/c.py\n+++ b/c.py\n@@ -1 +1 @@\n-never(1)\n+always(1)\n"
        lost = memory.resolve(error.id, {"approach": "x", "patch": patch})
    with pytest.raises(NotFoundError, match="not in the history"):
        proposal(shop, lost.id)
    with pytest.raises(InvalidError):
        proposal(shop, error.id)


def test_a_rule_by_hand_is_held_against_the_history(shop: "Checkout") -> None:
    """A rule that matches the fix, too, would be told of code that is right."""
    safe = CONFIG.replace("yaml.load", "yaml.safe_load")
    wrong = {"language": "python", "rule": {"pattern": "yaml.$F($A)"}}
    answer = proposal(shop, fixed(shop, "config.py", CONFIG, safe, wrong))
    assert answer.is_recorded
    assert (len(answer.before), len(answer.after), answer.holds) == (1, 1, False)


def test_without_the_extra_it_is_a_line_that_says_what_to_install(
    shop: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    safe = CONFIG.replace("yaml.load", "yaml.safe_load")
    fixed(shop, "config.py", CONFIG, safe, PATTERN)
    bare = fixed(shop, "more.py", CONFIG, safe)
    shop.add("new.py", OTHER)
    monkeypatch.setitem(sys.modules, "ast_grep_py", None)
    answer, notices = guarded(shop)
    assert answer.taken_back == []
    (notice,) = notices
    assert 'pip install "gitmem-native[guard]"' in notice
    with pytest.raises(EnvironmentProblem, match="gitmem-native"):
        proposal(shop, bare)


def nested(times: int) -> dict[str, Any]:
    rule: dict[str, Any] = {"stopBy": "end", "pattern": "zzz"}
    for _ in range(times):
        rule = {"stopBy": "end", "has": rule}
    return {"has": rule}


HOSTILE: dict[str, dict[str, Any]] = {
    "no rule": {"rule": {"patern": "x"}},
    "two nodes": {"pattern": "a\nb"},
    "broken": {"rule": {"regex": "(("}},
    "huge pattern": {"rule": {"regex": "(a{1000}){1000}"}},
    "for ever": {"rule": nested(6)},
    "everything": {"pattern": "$A"},
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_rule_is_a_line_and_keeps_nothing_else_from_being_told(
    shop: "Checkout", name: str
) -> None:
    """A rule comes with a clone: it may be made to hang, to crash, or to match everything."""
    safe = CONFIG.replace("yaml.load", "yaml.safe_load")
    hostile = fixed(shop, "config.py", CONFIG, safe, {"language": "python", **HOSTILE[name]})
    shop.add("big.py", "f(" + ", ".join(["g(h(1))"] * 5000) + ")\n")
    good = fixed(shop, "more.py", CONFIG, safe, PATTERN)
    shop.add("big.py", "f(" + ", ".join(["g(h(2))"] * 5000) + ")\n")
    shop.add("new.py", OTHER)
    answer, notices = guarded(shop)
    assert [taken.fix.id for taken in answer.taken_back] == [good]
    (notice,) = notices
    assert notice.startswith(f"the rule of {hostile} is not looked for: ")
    assert "\n" not in notice


def test_a_foreign_language_and_a_rule_of_no_form_are_nothing(shop: "Checkout") -> None:
    safe = CONFIG.replace("yaml.load", "yaml.safe_load")
    fixed(shop, "config.py", CONFIG, safe, {"language": "klingon", "pattern": "Qapla"})
    shop.add("new.py", OTHER)
    answer, notices = guarded(shop)
    assert (answer.taken_back, notices) == ([], [])


def test_a_rule_is_data_and_no_command(shop: "Checkout") -> None:
    safe = CONFIG.replace("yaml.load", "yaml.safe_load")
    rule = {"pattern-where-python": "open('mark', 'w')"}
    fix = fixed(
        shop, "config.py", CONFIG, safe, {"tool": "semgrep", "language": "python", "rule": rule}
    )
    shop.add("new.py", OTHER)
    answer, notices = guarded(shop)
    assert answer.taken_back == []
    assert fix in notices[0]
    assert not (shop / "mark").exists()


@pytest.mark.skipif(shutil.which("semgrep") is None, reason="no semgrep")
def test_semgrep_is_asked_where_it_is_installed(shop: "Checkout") -> None:
    safe = CONFIG.replace("yaml.load", "yaml.safe_load")
    rule = {"tool": "semgrep", "language": "python", "pattern": "yaml.load(...)"}
    fixed(shop, "config.py", CONFIG, safe, rule)
    shop.add("new.py", OTHER)
    answer, notices = guarded(shop)
    assert [taken.change[1:3] for taken in answer.taken_back] == [("new.py", 5)], notices


def test_a_hook_tells_what_rules_match(shop: "Checkout") -> None:
    safe = CONFIG.replace("yaml.load", "yaml.safe_load")
    fix = fixed(shop, "config.py", CONFIG, safe, PATTERN)
    shop.add("new.py", OTHER)
    shop.git("add", "-A")
    staged = GitHooks(str(shop), ".memory").guard_staged()
    assert [taken.fix.id for taken in staged.taken_back] == [fix]


def test_a_record_says_what_its_rule_is(shop: "Checkout") -> None:
    safe = CONFIG.replace("yaml.load", "yaml.safe_load")
    fix = fixed(shop, "config.py", CONFIG, safe)
    proposal(shop, fix, keep=True)
    with Memory.open(str(shop)) as memory:
        row = memory.find(fix)
        assert codec.load(memory.workspace.store.read(row.path))["guard"] == PATTERN
        with pytest.raises(InvalidError, match="pattern"):
            memory.add("fix", {"title": "x", "guard": {"language": "go"}})


def edits(repo: "Checkout", *paths: str) -> list[tuple[str, int, str]]:
    """Tell an assistant's session of files as they are; give places, and what tells so."""
    texts = {path: (repo / path).read_text() for path in paths}
    with Memory.open(str(repo)) as memory:
        taken = memory.history.edited.untold("", texts)
    return [(each.change.path, each.change.line, each.why) for each in taken]


def test_an_edit_is_told_what_its_rule_matches_and_what_stood_there_is_not(
    shop: "Checkout",
) -> None:
    safe = CONFIG.replace("yaml.load", "yaml.safe_load")
    shop.add("other.py", OTHER)
    fixed(shop, "config.py", CONFIG, safe, PATTERN)
    (shop / "other.py").write_text(f"# old\n{OTHER}".replace("path", "name"))
    assert edits(shop, "other.py") == []
    (shop / "new.py").write_text(OTHER.replace("path", "file"))
    told = ("new.py", 5, "its rule matches here: yaml.load($A)")
    assert edits(shop, "other.py", "new.py") == [told]
    staged = guarded(shop)[0].taken_back
    assert [(each.change.path, each.change.line, each.why) for each in staged] == [told]
    shop.add("tests/test_it.py", OTHER)
    assert edits(shop, "tests/test_it.py") == []


def test_an_edit_that_moves_code_between_files_is_not_told(shop: "Checkout") -> None:
    """Each file alone would say that the code is new there."""
    safe = CONFIG.replace("yaml.load", "yaml.safe_load")
    shop.add("other.py", OTHER)
    fixed(shop, "config.py", CONFIG, safe, PATTERN)
    (shop / "other.py").write_text("import yaml\n")
    (shop / "moved.py").write_text(OTHER)
    assert edits(shop, "moved.py") == []
    (shop / "other.py").write_text(OTHER)
    assert [place[0] for place in edits(shop, "moved.py")] == ["moved.py"]
    (shop / "moved.py").unlink()
    shop.git("mv", "other.py", "named.py")
    (shop / "named.py").write_text(f"{OTHER}\n\ndef more():\n    return 1\n")
    assert edits(shop, "named.py") == []


def test_a_rule_that_never_ends_keeps_no_edit_waiting(shop: "Checkout") -> None:
    safe = CONFIG.replace("yaml.load", "yaml.safe_load")
    hostile = {"language": "python", **HOSTILE["for ever"]}
    fix = fixed(shop, "config.py", CONFIG, safe, hostile)
    (shop / "big.py").write_text("f(" + ", ".join(["g(h(1))"] * 5000) + ")\n")
    with Memory.open(str(shop)) as memory:
        question = memory.history.edited.rules({"big.py": (shop / "big.py").read_text()})
        assert question is not None
        began = time.monotonic()
        answers = question.asked()
        assert time.monotonic() - began < 2 * question.seconds
    assert answers.brought == []
    assert answers.notices[0].startswith(f"the rule of {fix} is not looked for: ")
