"""What services, containers and collectors of logs put before each line changes nothing.

The prefixes are drawn from grammars, not from a list: what was said of forms that are listed held
for these alone, and a strange prefix became a part of the recorded file.
"""

import random
from collections.abc import Sequence

import pytest

from benchmarks.prefixed import KINDS, drawn, mixed
from gitmem.matching.parse import parse
from gitmem.matching.text import clean
from gitmem.output.failure import Failure
from tests.depth import amount, deep
from tests.tools.test_corpus import SAMPLES, Sample, row

TRACE = """starting
Traceback (most recent call last):
  File "/home/ann/net/train.py", line 9, in <module>
    main()
  File "/home/ann/net/train.py", line 5, in main
    return batch["labels"]
KeyError: 'labels'
"""
TYPES = "src/cart.ts(3,42): error TS2339: Property 'items' does not exist on type 'Cart'.\n"
LONE = (
    "web:typecheck: ", "@acme/web:build: ", "[0] ", "web  | ", "[web] 09:12:00 ", "12:00:03 | ",
    "<node-3> ", "build\tcompile\t", "#7 1.250 ", "=> web > ",
)  # fmt: skip
KIND = pytest.mark.parametrize("kind", KINDS)


def fields(failures: Sequence[Failure]) -> list[tuple[object, ...]]:
    return [(*row(each), each.message, each.frames) for each in failures]


def lines_of(sample: Sample) -> list[str]:
    text = sample.output.decode(errors="replace").replace("\r\n", "\n")
    return [] if "\r" in text else text.removesuffix("\n").split("\n")


LONG = [sample for sample in SAMPLES if len(lines_of(sample)) >= 8]


def text_of(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


@deep
def test_outputs_behind_prefixes_are_read_as_without() -> None:
    """Two of ten were, and every tenth had a prefix in the name of a file."""
    right = strange = asked = 0
    headed: list[object] = []
    for seed in range(amount(share=200, ci=2_000, whole=20_000)):
        sample = random.Random(seed).choice(SAMPLES)
        if not (lines := lines_of(sample)):
            continue
        plain = fields(parse(text_of(lines)))
        put = parse(text_of(drawn(seed).put(lines)))
        behind = fields(put)
        asked += 1
        right += behind == plain
        files = {each.location.file for each in put if each.location}
        whole = clean(text_of(lines))
        headed += [(seed, file) for file in files if file not in whole]
        strange += not {each[3] for each in behind} <= {each[3] for each in plain} | {""}
    assert right / asked >= 0.94
    assert strange / asked <= 0.01
    assert headed == []


@KIND
def test_a_trace_behind_each_kind_of_prefix(kind: str) -> None:
    """A trace was torn: only its last line was read, with the prefix."""
    (plain,) = parse(TRACE)
    for seed in range(list(KINDS).index(kind), 40 * len(KINDS), len(KINDS)):
        put = text_of(drawn(seed).put(TRACE.splitlines()))
        assert fields(parse(put)) == fields([plain]), put


@deep
def test_two_services_that_are_mixed_are_read_as_one_after_the_other() -> None:
    right = asked = 0
    for seed in range(amount(share=60, ci=600, whole=6_000)):
        first, second = random.Random(seed).sample(LONG, 2)
        prefixes = drawn(13 * seed), drawn(13 * seed + 8)
        if prefixes[0].before(0) == prefixes[1].before(0):
            continue
        outputs = lines_of(first), lines_of(second)
        told = sorted(fields(parse(text_of(mixed(prefixes, outputs, seed)))), key=repr)
        whole = (text_of([*one, "", "", *other]) for one, other in (outputs, outputs[::-1]))
        asked += 1
        right += told in [sorted(fields(parse(each)), key=repr) for each in whole]
    assert right / asked >= 0.85


@pytest.mark.parametrize(
    ("prefix", "said", "file"),
    [
        (">   ", 'c.proto:6:3: "Item" is not defined.', "c.proto"),
        ("+0.0s ", "b.v:4: syntax error", "b.v"),
        ("(1/4000) ", "b.asm:4: error: expecting ] at end of memory operand", "b.asm"),
        ("@acme/web\t", TYPES.strip(), "src/cart.ts"),
        ("e2e (chrome)> ", "b.v:4: syntax error", "b.v"),
        ("=packages/cart= ", "b.v:4: syntax error", "b.v"),
        # A word may be a folder's: where no other line tells, no place is named.
        ("web ", "b.v:4: syntax error", ""),
        # What speaks is no file, and no document that Sphinx reads.
        ("web.1[123]: ", "ERROR: Could not find a version of it", ""),
        ("Tue Nov  3 09:00:00 2026 [stage-2]: ", "ERROR: Invalid requirement: 'bad name'", ""),
        ("9:00:00 AM <6>host-7 app[12]: ", "error TS5058: The path does not exist: 'a'.", ""),
    ],
)
def test_what_stands_before_a_line_is_no_part_of_a_file(prefix: str, said: str, file: str) -> None:
    (failure,) = parse(f"{prefix}{said}\n")
    assert (failure.location.file if failure.location else "") == file


def test_a_folder_with_a_space_is_told_by_the_lines_around_it() -> None:
    said = "My Project/b.v:4: syntax error"
    (failure,) = parse(f"iverilog -o out\nElaborating\n{said}\n")
    assert failure.location
    assert failure.location.file == "My Project/b.v"


@pytest.mark.parametrize("prefix", LONE)
def test_a_lone_line_has_its_file_without_a_prefix(prefix: str) -> None:
    """``web:typecheck: src/cart.ts`` was the recorded file, so no editor showed it."""
    (failure,) = parse(prefix + TYPES)
    assert failure.location
    assert (failure.tool, failure.location.file) == ("typescript", "src/cart.ts")


def test_a_prefix_on_a_part_of_the_lines_in_the_middle() -> None:
    rank = text_of([f"[rank0]: {line}" for line in TRACE.splitlines()])
    (failure,) = parse(f"loading\nepoch 1\n{rank}stopping\nbye\n")
    assert fields([failure]) == fields(parse(TRACE))


@pytest.mark.parametrize(
    "said", ["make: *** [Makefile:3: all] Error 2", "docker: Error response from daemon: no such"]
)
def test_who_speaks_is_no_prefix(said: str) -> None:
    (failure,) = parse(f"{said}\n")
    assert failure.tool in {"make", "docker"}


def test_the_numbers_of_quoted_code_are_no_prefix() -> None:
    code = [f"{number:03} >>> print(words[{number}])" for number in range(1, 9)]
    text = text_of(["starting", *code, "error: there are no words", "bye"])
    (failure,) = parse(text)
    assert failure.excerpt.count(">>>") > 0


@pytest.mark.parametrize(
    "before", ["Tue Nov  3 09:00:{:02} 2026 INFO ", "9:00:{:02} AM [m\u00f6rk]<stderr>: "]
)
def test_a_time_is_a_prefix_of_lines_none_of_which_is_indented(before: str) -> None:
    """The workspace runner's own prefix stands between the time and the stack."""
    sample = next(each for each in SAMPLES if (each.tool, each.name) == ("npm", "pnpm-recursive"))
    lines = lines_of(sample)

    put = parse(text_of([before.format(at) + line for at, line in enumerate(lines)]))

    assert fields(put) == fields(parse(text_of(lines)))


@pytest.mark.parametrize("before", ["> ", ">   ", ">     ", "[web]   "])
def test_a_stack_of_jsonnet_that_is_quoted_or_indented(before: str) -> None:
    sample = next(each for each in SAMPLES if (each.tool, each.name) == ("jsonnet", "import-go"))
    lines = lines_of(sample)

    put = parse(text_of([(before + line).rstrip() for line in lines]))

    assert fields(put) == fields(parse(text_of(lines)))


@pytest.mark.parametrize("name", ["json", "network", "script"])
def test_a_box_of_composer_without_blanks_at_its_lines_ends(name: str) -> None:
    sample = next(each for each in SAMPLES if (each.tool, each.name) == ("composer", name))
    lines = lines_of(sample)

    assert fields(parse(text_of([line.rstrip() for line in lines]))) == fields(
        parse(text_of(lines))
    )


@pytest.mark.parametrize(
    "mark", ["##[error]", "stderr: ", "2026-11-29T22:15:24.1234567Z ##[error]"]
)
def test_a_mark_of_a_jobs_log_or_a_stream_is_taken_off_a_single_line(mark: str) -> None:
    """``##[error]src/cart.ts`` was recorded as the name of a file."""
    line = "src/cart.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'."
    (plain,), (marked,) = parse(line), parse(f"{mark}{line}\n")
    assert marked._replace(excerpt="") == plain._replace(excerpt="")


def test_marks_of_a_jobs_log_keep_the_order_of_its_lines() -> None:
    text = "##[group]Run make\nmake\n##[error]a.foo:3:4: error: no `x` here\n##[endgroup]\n"
    assert [failure.message for failure in parse(text)] == ["no `x` here"]


@pytest.mark.parametrize(
    "stamp",
    ["1732920000 ", "1732920000.123 ", "11/29/2026 10:15:22 PM ", "29.11.2026, 22:15:22 "],
)
def test_a_time_in_any_form_is_no_part_of_what_a_single_line_says(stamp: str) -> None:
    line = "error: config key 'retries' must be a number\n"
    assert [each.message for each in parse(stamp + line)] == [each.message for each in parse(line)]
