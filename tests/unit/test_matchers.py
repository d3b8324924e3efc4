"""Problem matchers: both forms, the dialect of their patterns, and what bounds them."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.matching.parse import Parser, parse
from gitmem.memory.core.matchers import candidates
from gitmem.output.failure import Failure, FailureLocation
from gitmem.tools.matchers.dialect import RefusedPattern, in_pythons_words, line_pattern
from gitmem.tools.matchers.forms import matcher, read_json, written_in
from gitmem.tools.matchers.found import MOST_BYTES, MOST_MATCHERS, FoundMatchers, found
from gitmem.tools.matchers.reader import SECONDS, Matchers
from gitmem.tools.matchers.words import best_words

LINE = r"^(.+):(\d+):(\d+): (error|warning) (AC\d+): (.+)$"
GROUPS = {"file": 1, "line": 2, "column": 3, "severity": 4, "code": 5, "message": 6}
# Forms that matchers of well-known tools have, in our words.
USUAL = (
    r"^(.+):\sline\s(\d+),\scol\s(\d+),\s(Error|Warning)\s-\s(.+)\s\((.+)\)$",
    r"^\s+(\d+):(\d+)\s+(error|warning)\s+(.*)\s\s+(.*)$",
    r"^([^:]*):(\d+):(\d+): (error|warning): (\w\d\d\d) (.*)$",
    r"^(.*):(\d+):(\d+):\s+(?:fatal\s+)?(warning|error):\s+(.*)$",
    r"^\s*(.+\.go):(?:(\d+):(\d+):)? (.*)",
    r'^\s*File "(.*)", line (\d+), in (.*)$',
    r"^(warning|error)(\[(\S*)\])?: (.*)$",
    r"^\s+-->\s(\S+):(\d+):(\d+)$",
    r"^([^\s].*)[\(:](\d+)[,:](\d+)(?:\):\s+|\s+-\s+)(error|info)\s+(TS\d+)\s*:\s*(.*)$",
    r"^(?:\x1b\[\d+m)*(.+?)(?:\x1b\[\d+m)*:(\d+):(\d+): (.+?) \[(.+?)\]$",
    r"^(.+?)(?::(\d+))?(?::(\d+))?: (error|warning): (.*)$",
    r"^(WARNING|ERROR):(\s+\(\S*\))?\s+(\S.*)\[(\d+), (\d+)\]:\s+(.*)$",
    r"^(?<file>[\w-./]+):(?<line>\d+): (?<said>.+)$",
    r"^(\S+):(\d+)(?:,\w+)*$",
)
SLOW = (
    r"^(a+)+$", r"(\w+\s?)+x", r"((a*)*)*b", r"^(([a-z])+.)+[A-Z]([a-z])+$", r"(.*a){20}",
    r"(a|aa)+$", r"(a|b|ab)*c", r"(x?){500}y", r"^(.*),(.*),(.*),(.*),(.*),(.*)x$", "(.)(.*)\\1",
    r"(?:(?=(a+))a)+b", "(.*.*.*.*)=",
)  # fmt: skip


def of_github(**changes: Any) -> dict[str, Any]:
    pattern = {"regexp": LINE, **GROUPS} | changes
    return {"problemMatcher": [{"owner": "acme-lint", "pattern": [pattern]}]}


def read(data: object, output: str, folder: str = "") -> list[Failure]:
    matchers = Matchers(tuple(map(matcher, written_in(data))), "/repo", folder)
    return [
        failure._replace(excerpt="") for failure in parse(output, matchers=matchers) if failure.tool
    ]


def refusal(data: object) -> str:
    with pytest.raises(RefusedPattern) as refused:
        list(map(matcher, written_in(data)))
    return str(refused.value)


def found_in(root: Path, named: tuple[str, ...] = ()) -> FoundMatchers:
    """Find the matchers of a repository as the memory does."""
    return found(str(root), candidates(str(root), named), named)


def test_the_form_of_github() -> None:
    assert read(of_github(), "lib/a.py:3:7: error AC12: no such thing\n") == [
        Failure("acme-lint", "python", "", "AC12", "no such thing",
                location=FailureLocation("lib/a.py", 3, 7)),
    ]  # fmt: skip
    (warning,) = read(of_github(), "lib/a.py:3:7: warning AC12: no such thing\n")
    assert warning.severity == "warning"
    assert read(of_github(), "lib/a.py:3:7: error XX12: no such thing at all\n") == []


def test_several_lines_the_last_again_and_again() -> None:
    data = {"problemMatcher": {"owner": "Rules", "severity": "warning", "pattern": [
        {"regexp": r"^([^\s].*)$", "file": 1},
        {"regexp": r"^\s+(\d+):(\d+)\s+(oops|hmm)\s+(.*)\s\s+(.*)$", "line": 1, "column": 2,
         "message": 4, "code": 5, "loop": True},
    ]}}  # fmt: skip
    output = "a.js\n  1:2  oops  one thing  rule-a\n  3:4  hmm  another  rule-b\n\nb.js\n  x\n"
    first, second = read(data, output)
    assert first == Failure("rules", "javascript", "", "rule-a", "one thing", severity="warning",
                            location=FailureLocation("a.js", 1, 2))  # fmt: skip
    assert (second.code, second.location) == ("rule-b", FailureLocation("a.js", 3, 4))


def test_the_form_of_vs_code_has_defaults() -> None:
    text = """{ // tasks
      "version": "2.0.0", /* of the team */
      "tasks": [
        {"label": "a", "problemMatcher": "$tsc"},
        {"label": "b", "problemMatcher": ["$gcc", {
          "owner": "external", "source": "acme",
          "fileLocation": ["relative", "${workspaceFolder}/sub"],
          "pattern": {"regexp": "^(\\\\S+)@(\\\\d+)@(\\\\d+) (.*)$"},
        }]},
      ], "//": "no // comment, and no /* comment */",
    }"""
    data = read_json(text)
    assert isinstance(data, dict)
    assert data["//"] == "no // comment, and no /* comment */"
    assert read(data, "x/a.go@3@4 went wrong\n") == [
        Failure("acme", "go", "", "", "x/a.go@3@4 went wrong",
                location=FailureLocation("sub/x/a.go", 3, 4)),
    ]  # fmt: skip


def test_places_in_one_group_and_whole_files() -> None:
    pattern: dict[str, Any] = {"regexp": r"^(.*)\((\d+,\d+)\)~ (.*)$", "location": 2, "message": 3}
    task = {"version": "2.0.0", "problemMatcher": {"source": "acme", "pattern": pattern}}
    (failure,) = read(task, "a.c(7,2)~ broken\n")
    assert failure.location == FailureLocation("a.c", 7, 2)
    whole = {"regexp": r"^BAD (\S+)$", "kind": "file"}
    task = {"version": "2.0.0", "problemMatcher": {"source": "acme", "pattern": whole}}
    (failure,) = read(task, "BAD a.c\n")
    assert (failure.message, failure.location) == ("BAD a.c", FailureLocation("a.c"))


@pytest.mark.parametrize(
    ("path", "folder", "shown"),
    [
        ("../../etc/passwd", "", None), ("/etc/passwd", "", None), ("a/../../b.c", "", None),
        ("../b.c", "sub", "../b.c"), ("../../b.c", "sub", None), ("/repo/b.c", "", "/repo/b.c"),
        ("/repo/../b.c", "", None), ("/home/runner/work/shop/shop/b.c", "", "b.c"),
        ("/home/runner/work/shop/shop/../../b.c", "", None),
    ],
)  # fmt: skip
def test_a_file_outside_is_no_place(path: str, folder: str, shown: str | None) -> None:
    (failure,) = read(of_github(), f"{path}:1:1: error AC1: odd\n", folder)
    assert failure.location == (FailureLocation(shown, 1, 1) if shown else None)


def test_what_gitmem_reads_itself_stays_the_tools() -> None:
    data = of_github(regexp=r"^(.+):(\d+):(\d+): (error): (.+)$", code=5, message=5)
    assert [failure.tool for failure in read(data, "a.c:1:2: error: expected ';'\n")] == ["gcc"]


@pytest.mark.parametrize("pattern", USUAL)
def test_usual_patterns_are_allowed(pattern: str) -> None:
    assert line_pattern(pattern).longest >= 150


@pytest.mark.parametrize("pattern", SLOW)
def test_patterns_that_may_take_long_are_refused(pattern: str) -> None:
    begun = time.perf_counter()
    with pytest.raises(RefusedPattern):
        line_pattern(pattern)
    assert time.perf_counter() - begun < 0.5


_PIECES = st.sampled_from([
    "a", "b", ":", r"\s", r"\d", ".", "a*", "a+", r"\s*", r"\s+", r"\d+", ".*", ".+?", "(a|b)",
    "(?:ab)*",
    "(?:a:)+", "(?::a+)*", "(?:,b)?", "(a|ab)", "(?=a)", r"\w+", "[^:]+", "(?:a*b?)?", "$", r"\S*",
])  # fmt: skip
_SIGNS = st.sampled_from(["a", "b", ":", " ", "1", "ab", "a:", ",b", "aaaa", ":a"])


@settings(max_examples=300, deadline=None)
@given(st.lists(_PIECES, min_size=1, max_size=7), st.lists(_SIGNS, min_size=1, max_size=4))
def test_what_is_allowed_is_quick_on_any_line(pieces: list[str], signs: list[str]) -> None:
    try:
        pattern = line_pattern("^" + "".join(pieces))
    except RefusedPattern:
        return
    for end in ("", "!"):
        line = ("".join(signs) * pattern.longest)[: pattern.longest - 1] + end
        begun = time.thread_time()
        pattern.of(line)
        assert time.thread_time() - begun < 0.6, (pattern.compiled.pattern, line[:50])


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (r"(?<n>a)(?'m'b)", "(a)(b)"), (r"[\w-.]", r"[\w\-.]"), ("[^]x", r"[\s\S]x"),
        ("[[a]", r"[\[a]"), (r"\/\e\y", r"\/\x1by"), ("a{,2}", r"a\{,2}"), ("{$", r"\{$"),
        ("a{2,3}?", "a{2,3}?"), (r"(?<!x)(?:y)", r"(?<!x)(?:y)"), ("[a&&b]", r"[a\&\&b]"),
    ],
)  # fmt: skip
def test_patterns_in_pythons_words(written: str, meant: str) -> None:
    assert in_pythons_words(written) == meant


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        (r"(a)\1", "refers back"), (r"(?<n>a)\k<n>", "refers back"), (r"\p{L}", "class of Unicode"),
        ("[]", "empty set"), ("(?i)a", "not known"), ("(a", "not understood"), ("a\\", "backslash"),
        ("", "missing"), ("a" * 1_001, "longer than 1,000"), ("[a", "without its end"),
    ],
)  # fmt: skip
def test_patterns_that_cannot_be_translated_say_why(written: str, reason: str) -> None:
    with pytest.raises(RefusedPattern, match=reason):
        line_pattern(written)


def test_words_stand_in_each_line_that_matches() -> None:
    def words(pattern: str) -> tuple[str, ...]:
        return best_words(line_pattern(pattern).tree)

    assert words(LINE) == ("error", "warning")
    assert words(r"^(\S+):(\d+)$") == (":",)
    assert words(r"(?:lint: )+(.*)") == ("lint: ",)
    assert words(r"^(a|b.*)$") == ()
    assert words(r"^(.*)(?:never)?$") == ()


def test_what_is_wrong_is_said() -> None:
    assert "no group 9 for code" in refusal(of_github(code=9))
    assert "no fixed text" in refusal(of_github(regexp="^(.*)$", **dict.fromkeys(GROUPS, 1)))
    assert "pattern 1 has a repetition inside" in refusal(of_github(regexp="^(a+)+$"))
    assert "more than 10" in refusal(
        {"problemMatcher": {"owner": "x", "pattern": [{"regexp": LINE, "message": 6}] * 11}}
    )
    assert "no owner" in refusal({"problemMatcher": {"pattern": [{"regexp": LINE, "message": 6}]}})


def lay(folder: Path, data: object, name: str = ".github/acme.json") -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")


HOSTILE: dict[str, Any] = {
    "nested quantifiers": of_github(regexp="^(a+)+(AC):$"),
    "10,000 patterns": {"problemMatcher": [{
        "owner": "x", "pattern": [{"regexp": LINE, **GROUPS}] * 10_000}]},
    "10,000 matchers": {"problemMatcher": of_github()["problemMatcher"] * 1_000},
    "1 MB of pattern": of_github(regexp="x" * 2**20),
    "long pattern": of_github(regexp="(" + "x|" * 60_000 + "y)"),
    "deep": '{"problemMatcher": [{"regexp"' + ":[" * 50_000,
    "open text": '{"regexp": "' + '\\"' * 100_000,
    "no names": {"problemMatcher": [{"owner": "\n", "pattern": [{"regexp": "x", "message": 0}]}]},
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_matchers_are_refused_in_a_line_and_at_once(name: str, tmp_path: Path) -> None:
    lay(tmp_path, HOSTILE[name])
    begun = time.perf_counter()
    result = found_in(tmp_path)
    assert time.perf_counter() - begun < 1
    assert result.matchers == ()
    (refused,) = result.refused
    assert refused.file == ".github/acme.json"
    assert len(refused.reason) < 200
    assert "\n" not in refused.reason


def test_as_many_matchers_as_may_be_are_read_at_once(tmp_path: Path) -> None:
    pattern = {"regexp": "(AC" + "|[b-f]x[^a-e]" * 75 + ")", "message": 0}
    lay(tmp_path, {"problemMatcher": [
        {"owner": f"x{number}", "pattern": [pattern] * 10} for number in range(MOST_MATCHERS)
    ]})  # fmt: skip
    begun = time.perf_counter()
    result = found_in(tmp_path)
    assert time.perf_counter() - begun < 1
    assert len(result.refused) <= 3


def test_files_lie_in_the_repository_and_are_plain(tmp_path: Path) -> None:
    root = tmp_path / "repo"
    lay(tmp_path, of_github(), "outside.json")
    lay(root, of_github(), "tools/acme.json")
    (root / ".github").mkdir()
    (root / ".github" / "link.json").symlink_to(tmp_path / "outside.json")
    (root / ".github" / "device.json").symlink_to("/dev/zero")
    (root / ".vscode").mkdir()
    (root / ".vscode" / "tasks.json").mkdir()
    lay(root, '{"regexp": "' + "x" * MOST_BYTES, ".github/workflows/large.json")
    lay(root, "{" + " " * MOST_BYTES + "}", ".github/workflows/other.json")
    result = found_in(root, ("tools/acme.json", "gone.json"))
    assert [file for file, _ in result.matchers] == ["tools/acme.json"]
    assert {refused.file: refused.reason for refused in result.refused} == {
        "gone.json": "is not there, or can't be read",
        ".github/link.json": "leads out of the repository",
        ".github/device.json": "leads out of the repository",
        ".vscode/tasks.json": "is no file",
        ".github/workflows/large.json": "is larger than 256 KiB",
    }


def test_a_changed_file_is_read_anew(tmp_path: Path) -> None:
    lay(tmp_path, of_github())
    assert found_in(tmp_path) is found_in(tmp_path)
    lay(
        tmp_path,
        {"problemMatcher": [{"owner": "other", "pattern": [{"regexp": "ab", "message": 0}]}]},
    )
    assert [each.name for _, each in found_in(tmp_path).matchers] == ["other"]


def test_matchers_have_some_time_for_an_output() -> None:
    slowly = {"regexp": r"^(.*),(.*),(.*);$", "message": 1}
    data = {"problemMatcher": [{"owner": f"x{each}", "pattern": [slowly]} for each in range(20)]}
    matchers = Matchers(tuple(map(matcher, written_in(data))), "/repo")
    longest = matchers.matchers[0].lines[0].pattern.longest
    output = "".join(f"{number}{',' * (longest - 10)};!\n" for number in range(5_000))
    parser = Parser(matchers=matchers)
    begun = time.thread_time()
    parser.feed(output)
    assert parser.close() == []
    assert time.thread_time() - begun < 3 + SECONDS
    assert parser._matchers is not None
    assert parser._matchers.spent


def test_a_matcher_of_a_known_tool_bears_its_name() -> None:
    data = of_github()
    data["problemMatcher"][0]["owner"] = "TSC"
    (failure,) = read(data, "lib/a.ts:3:7: warning AC12: no such thing\n")
    assert failure.tool == "typescript"
