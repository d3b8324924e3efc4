import csv
import os
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import pytest

from gitmem.exchange import junit
from gitmem.matching.fingerprint import fingerprints
from gitmem.matching.parse import Parser, parse
from gitmem.matching.recorded import prints_of_failure
from gitmem.matching.test_names import parent_test
from gitmem.output.cases import Report
from gitmem.output.failure import Failure, as_fields
from gitmem.records.kinds import Error
from gitmem.records.parts import Frame, Location, TestCase
from tests.depth import amount, deep

HERE = os.path.dirname(__file__)
FOLDERS = {
    name: path
    for parent in (HERE, os.path.join(HERE, "..", "corpus"))
    for name in sorted(os.listdir(parent))
    if os.path.exists(os.path.join(path := os.path.join(parent, name), "expected.tsv"))
}
"""Folders of outputs by their names: a tool's own, and those of no tool or of several."""


class Sample(NamedTuple):
    tool: str
    name: str
    command: str
    origin: str
    expected: tuple[tuple[str, ...], ...]

    @property
    def output(self) -> bytes:
        with open(os.path.join(FOLDERS[self.tool], f"{self.name}.txt"), "rb") as file:
            return file.read()


def samples() -> Iterator[Sample]:
    for tool, folder in sorted(FOLDERS.items()):
        with open(os.path.join(folder, "expected.tsv"), encoding="utf-8") as file:
            lines = file.read().splitlines()
        rows = list(csv.reader((line for line in lines if not line.startswith("# ")),
                               delimiter="\t", quoting=csv.QUOTE_NONE))[1:]  # fmt: skip
        for line in lines:
            if line.startswith("# "):
                name, command, origin = line[2:].split("\t")
                expected = tuple(tuple(row[1:]) for row in rows if row[0] == name)
                yield Sample(tool, name, command, origin, expected)


SAMPLES = list(samples())
EACH = pytest.mark.parametrize("sample", SAMPLES, ids=lambda one: f"{one.tool}-{one.name}")


def outcomes(tool: str, name: str) -> list[tuple[str, ...]]:
    """Give what the table says of a sample's tests; nothing where its runner names none."""
    path = os.path.join(FOLDERS[tool], "outcomes.tsv")
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        rows = [tuple(line.split("\t")) for line in file.read().splitlines()[1:]]
    return [row[1:] for row in rows if row[0] == name]


def told(report: Report | None) -> list[tuple[str, ...]]:
    """Write a report as the rows of the table: counts, files told as a whole, tests."""
    if report is None:
        return []
    counts = " ".join(f"{count} {status}" for status, count in (report.counts or {}).items())
    rows: list[tuple[str, ...]] = [("all" if report.complete else "some", "", counts or "-")]
    rows += [("bad" if group.bad else "good", "", group.name) for group in report.groups]
    return rows + [(case.status, case.where, case.name) for case in report.cases]


def row(failure: Failure) -> tuple[str, ...]:
    place = failure.location
    where = f"{place.file}:{place.line or ''}" if place else ""
    test = failure.test.name if failure.test else ""
    message = failure.message.split("\n", 1)[0][:90].rstrip()
    return failure.tool, failure.error_type, failure.code, where, test, message


@cache
def failures(tool: str, name: str, command: str = "") -> list[Failure]:
    sample = next(one for one in SAMPLES if (one.tool, one.name) == (tool, name))
    return parse(sample.output, command or None)


def sites(tool: str, name: str) -> list[str]:
    return sorted(fingerprints(failure).site for failure in failures(tool, name))


def test_there_is_a_corpus_and_every_output_is_in_a_table() -> None:
    known = {(sample.tool, sample.name) for sample in SAMPLES}
    files = {
        (tool, name.removesuffix(".txt"))
        for tool, folder in FOLDERS.items()
        for name in os.listdir(folder)
        if name.endswith(".txt")
    }
    assert known == files
    assert len(known) > 120


@EACH
def test_what_is_read_from_a_real_output(sample: Sample) -> None:
    assert sample.expected
    assert tuple(map(row, parse(sample.output, sample.command))) == sample.expected


@EACH
def test_how_the_tests_of_a_real_output_ended(sample: Sample) -> None:
    for command in (sample.command, None):
        parser = Parser(command)
        parser.feed(sample.output)
        parser.close()
        assert told(parser.report()) == outcomes(sample.tool, sample.name)


@EACH
def test_the_command_is_not_needed(sample: Sample) -> None:
    assert tuple(map(row, parse(sample.output))) == sample.expected


@EACH
def test_windows_line_ends_and_a_missing_last_one_change_nothing(sample: Sample) -> None:
    output = sample.output.replace(b"\r\n", b"\n").rstrip(b"\n").replace(b"\n", b"\r\n")
    assert tuple(map(row, parse(output))) == sample.expected


@EACH
def test_colours_change_nothing(sample: Sample) -> None:
    coloured = b"\n".join(
        b"\x1b[1m\x1b[31m" + line + b"\x1b[0m" if line else line
        for line in sample.output.replace(b"\r\n", b"\n").split(b"\n")
    )
    assert tuple(map(row, parse(coloured))) == sample.expected


@EACH
@pytest.mark.parametrize("size", [7, 1_000])
def test_pieces_give_what_the_whole_gives(sample: Sample, size: int) -> None:
    output = sample.output
    parser = Parser(sample.command)
    for at in range(0, len(output), size):
        parser.feed(output[at : at + size])
    assert parser.close() == parse(output, sample.command)


@EACH
def test_fields_are_those_of_an_error_record(sample: Sample) -> None:
    read = parse(sample.output, sample.command)
    assert len(read) == len(sample.expected) > 0
    for failure in read:
        fields = as_fields(failure)
        assert set(fields) <= set(Error.__struct_fields__)
        for frame in fields.get("frames", ()):
            Frame(**frame)
        if "location" in fields:
            Location(**fields["location"])
        if "test" in fields:
            TestCase(**fields["test"])
        assert len(failure.excerpt) < 20_000


@EACH
def test_a_record_has_the_fingerprints_of_its_failure(sample: Sample) -> None:
    read = parse(sample.output, sample.command)
    assert read
    for failure in read:
        assert prints_of_failure(failure) == fingerprints(failure)


@deep
@EACH
def test_truncated_outputs_are_read_without_complaint(sample: Sample) -> None:
    output = sample.output
    step = max(1, len(output) // amount(share=12, ci=40, whole=400))
    for end in range(0, len(output), step):
        for failure in parse(output[:end], sample.command):
            fingerprints(failure)


def test_an_output_may_end_where_the_traceback_of_a_child_begins() -> None:
    output = (
        "Traceback (most recent call last):\n"
        '  File "build.py", line 3, in <module>\n'
        "    build()\n"
        "RuntimeError: Traceback (most recent call last):\n"
    )
    (failure,) = parse(output.encode(), "python build.py")
    assert (failure.error_type, len(failure.frames)) == ("RuntimeError", 1)


@EACH
def test_no_machine_is_named(sample: Sample) -> None:
    text = sample.output.decode(errors="replace")
    assert "/root/" not in text
    assert "/tmp/" not in text.replace("/tmp/ccA", "")


@pytest.mark.parametrize(
    ("tool", "names"),
    [
        ("python", ("attribute-38", "attribute-311", "attribute-313")),
        ("python", ("chain-38", "chain-311", "chain-313")),
        ("python", ("recursion-38", "recursion-311", "recursion-313")),
        ("unittest", ("unittest-38", "unittest-312")),
        ("pytest", ("long", "short", "native", "quiet", "verbose", "xdist", "colour")),
        ("typescript", ("plain", "pretty")),
        ("mypy", ("plain", "pretty")),
        ("ruff", ("full", "concise")),
        ("cargo", ("build", "json")),
        ("eslint", ("stylish", "json")),
        ("pytest", ("v-pipe", "v-pty", "s-pty", "xdistv-pipe", "xdistv-pty", "rA-pipe")),
        ("pytest", ("line-pipe", "line-pty", "tb-no-pty")),
        ("tox", ("tox-pipe", "tox-pty", "nox-pipe", "nox-pty")),
        ("unittest", ("verbose-pipe", "verbose-pty")),
        ("node", ("test-pipe", "test-pty", "test-spec-pipe")),
        ("tape", ("tape-pipe", "tape-pty")),
        ("mocha", ("spec-pipe", "spec-pty", "dot-pipe", "tap-pipe")),
        ("jest", ("verbose-pipe", "verbose-pty", "several-pty")),
        ("vitest", ("several-pipe", "several-pty", "verbose-pipe", "tree-pty")),
        ("go", ("several-pipe", "verbose-pipe", "verbose-pty", "json-pipe")),
        ("cargo", ("several-pipe", "several-pty")),
        ("ctest", ("plain-pipe", "plain-pty")),
        ("gtest", ("gtest-pipe", "gtest-pty")),
        ("bats", ("tap-pipe", "pretty-pty")),
        ("ruby", ("rspec-pipe", "rspec-pty", "rspec-doc-pipe")),
        ("ruby", ("minitest-v-pipe", "minitest-v-pty")),
        ("php", ("phpunit-pipe", "phpunit-pty", "testdox-pipe")),
        ("maven", ("several-pipe", "several-pty", "quiet-pipe")),
        ("gradle", ("several-pipe", "several-pty")),
        ("gradle", ("full-pipe", "full-pty")),
        ("gradle", ("compile-pipe", "compile-pty")),
        ("make", ("check-pipe", "check-pty")),
        ("typescript", ("several-pipe", "several-pty")),
        ("eslint", ("several-pipe", "several-pty")),
        ("clang", ("several-pipe", "several-pty")),
        ("gcc", ("several-pipe", "several-pty")),
    ],
)
def test_one_failure_in_several_styles_and_versions_is_one(
    tool: str, names: tuple[str, ...]
) -> None:
    first, *others = names
    assert sites(tool, first)
    for other in others:
        assert sites(tool, other) == sites(tool, first)


def test_versions_that_tell_mistakes_apart_agree_in_the_place() -> None:
    """Python 3.8 says of any mistake only that the syntax is invalid."""
    old, new, newer = (
        fingerprints(failure)
        for name in ("syntax-38", "syntax-311", "syntax-313")
        for failure in failures("python", name)
    )
    assert old.place == new.place == newer.place
    assert old.site != new.site == newer.site


def reported(tool: str) -> Report:
    with open(os.path.join(FOLDERS[tool], "junit.xml"), "rb") as file:
        return junit.read(file.read())


def without_row(failure: Failure) -> Failure:
    """Name the whole test, as a report in JUnit XML does: it has no labels of rows."""
    whole = parent_test(failure.test.name) if failure.test else ""
    return (
        failure._replace(test=failure.test._replace(name=whole))
        if whole and failure.test
        else failure
    )


@pytest.mark.parametrize(
    ("tool", "name"),
    [
        ("pytest", "v-pipe"),
        ("node", "test-pty"),
        ("maven", "several-pipe"),
        ("gradle", "full-pipe"),
        ("cargo", "nextest-pipe"),
    ],
)
def test_a_junit_report_tells_of_the_same_failures(tool: str, name: str) -> None:
    told_there = sorted(fingerprints(failure).site for failure in reported(tool).failures)
    assert told_there == sorted(
        fingerprints(without_row(failure)).site for failure in failures(tool, name)
    )


@pytest.mark.parametrize(
    ("tool", "name"),
    [
        ("pytest", "v-pipe"),
        ("node", "test-pty"),
        ("vitest", "several-pipe"),
        ("gradle", "full-pipe"),
        ("cargo", "nextest-pipe"),
    ],
)
def test_a_junit_report_names_the_same_tests(tool: str, name: str) -> None:
    named = {(case.status, case.name) for case in reported(tool).cases if case.bad}
    rows = outcomes(tool, name)
    bad = {(status, test) for status, _, test in rows if status in ("failed", "error")}
    assert named - {("failed", "tests/broken.test.mjs")} == bad


def test_different_failures_of_the_corpus_are_different() -> None:
    seen: dict[str, str] = {}
    for name in ("attribute-313", "chain-313", "recursion-313", "syntax-313", "group-312"):
        assert sites("python", name)
        for site in sites("python", name):
            assert seen.setdefault(site, name) == name


def test_chained_exceptions_keep_their_causes() -> None:
    (failure,) = failures("python", "chain-313")
    assert failure.error_type == "ValueError"
    assert [cause.error_type for cause in failure.causes] == ["RuntimeError", "KeyError"]
    assert failure.frames[-1].code == 'int("twelve")'


def test_a_group_keeps_what_is_inside() -> None:
    (failure,) = failures("python", "group-312")
    assert (failure.error_type, failure.message) == ("ValueError", "number 1")
    assert [frame.function for frame in failure.frames] == ["<module>", "main", "main", "fail"]
    assert [(one.error_type, one.message) for one in failure.causes] == [
        ("ValueError", "number 2"),
        ("ExceptionGroup", "two went wrong (2 sub-exceptions)"),
    ]


def test_expected_and_actual() -> None:
    cases = {
        ("pytest", "long"): ("4", "3"),
        ("jest", "fail"): ("3", "-1"),
        ("maven", "test"): ("4", "3"),
        ("unittest", "unittest-312"): ("1", "0"),
        ("cargo", "test"): ("3", "2"),
        ("go", "test"): ("4", "3"),
    }
    for (tool, name), (expected, actual) in cases.items():
        tests = [failure.test for failure in failures(tool, name) if failure.test]
        assert (expected, actual) in [(_plain(one.expected), _plain(one.actual)) for one in tests]


def _plain(text: str) -> str:
    return text.replace("cart.total()", "3").replace("Total() = ", "")


def test_own_frames_are_told_from_foreign_ones() -> None:
    (failure,) = failures("node", "server")
    own = [frame.function for frame in failure.frames if frame.in_app]
    assert own == ["Object.<anonymous>", "start", "Config.read"]
    (spring,) = failures("jvm", "spring")
    assert [frame.in_app for frame in spring.frames] == [False, True, False, True, True]


def test_node_tells_its_error_code_and_its_cause() -> None:
    (missing,) = failures("node", "server")
    assert missing.code == "ENOENT"
    (failed,) = failures("node", "async")
    assert [cause.message for cause in failed.causes] == ["socket closed"]
