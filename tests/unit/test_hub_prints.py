"""What two failures of different repositories have in common, and what that is called."""

from pathlib import Path

import msgspec
import pytest

from gitmem.hub.messages import AlikeQuestion
from gitmem.hub.prints import LIBRARY, label_across, prints_across, prints_asked
from gitmem.matching import wordings
from gitmem.matching.line_shape import line_shape
from gitmem.matching.parse import main_failure
from gitmem.output.failure import as_fields

SAME, SIMILAR = "same message", "similar"


def python(message: str, line: str = "load(path)", file: str = "/srv/app/src/own.py") -> str:
    return (
        "Traceback (most recent call last):\n"
        f'  File "{file}", line 7, in main\n    {line}\n{message}\n'
    )


def label(text: str, other: str) -> str:
    """Give what a hub says of a record to whoever asks about a failure."""
    asked_for, recorded = (prints_across(main_failure(each)) for each in (text, other))
    level = next((level for level, value in asked_for if (level, value) in recorded), "")
    return label_across(level, recorded, asked_for)


@pytest.mark.parametrize(
    ("message", "other"),
    [
        ("KeyError: 'currency'", "KeyError: 'street'"),
        ("ModuleNotFoundError: No module named 'yaml'", "ModuleNotFoundError: No module named 'x'"),
        ("FileNotFoundError: [Errno 2] No such file or directory: '/srv/a/rates.csv'",
         "FileNotFoundError: [Errno 2] No such file or directory: '/home/eva/b/people.csv'"),
        ("AttributeError: 'NoneType' object has no attribute 'group'",
         "AttributeError: 'NoneType' object has no attribute 'split'"),
        ("TypeError: Object of type Money is not JSON serializable",
         "TypeError: Object of type Clock is not JSON serializable"),
        ("requests.exceptions.HTTPError: 404 for url: https://pypi.example.com/left-pad",
         "requests.exceptions.HTTPError: 404 for url: https://pypi.example.com/right-pad"),
        ("OSError: /usr/bin/yum exited with 1", "OSError: /usr/bin/dnf exited with 1"),
    ],
)  # fmt: skip
def test_a_message_about_another_thing_is_at_most_similar(message: str, other: str) -> None:
    assert label(python(message), python(message, file="/home/eva/own.py")) == SAME
    assert label(python(message), python(other)) in {SIMILAR, ""}


@pytest.mark.parametrize(
    ("message", "other"),
    [
        ("FileNotFoundError: [Errno 2] No such file or directory: '/srv/a/rates.csv'",
         "FileNotFoundError: [Errno 2] No such file or directory: '/home/eva/b/rates.csv'"),
        ("ValueError: invalid literal for int() with base 10: '1.250'",
         "ValueError: invalid literal for int() with base 10: '12.000'"),
        ("UnboundLocalError: local variable 'total' referenced before assignment",
         ("UnboundLocalError: cannot access local variable 'total' where it is not associated"
          " with a value")),
    ],
)  # fmt: skip
def test_folders_numbers_and_versions_make_no_other_message(message: str, other: str) -> None:
    assert label(python(message), python(other)) == SAME


def test_what_an_interpreter_says_of_a_line_that_does_something_else_is_similar() -> None:
    message = "KeyError: 'id'"
    assert label(python(message, 'name = row["id"]'), python(message, 'key = user["id"]')) == SAME
    other = python(message, 'print(json.loads(answer)["id"])')
    assert label(python(message, 'name = row["id"]'), other) == SIMILAR
    assert label(message, other) == SAME  # nothing is shown of where it comes from


def test_the_library_that_calls_own_code_is_not_where_a_failure_comes_from() -> None:
    frame = '  File "/v/lib/python3.12/site-packages/flask/app.py", line 9, in dispatch\n    f()\n'
    head, _, rest = python("KeyError: 'id'", 'row["id"]').partition("\n")
    within = f"{head}\n{frame}{rest}"
    assert LIBRARY not in dict(prints_across(main_failure(within)))
    assert label(within, within.replace('row["id"]', 'json.loads(text)["id"]')) == SIMILAR
    outside = f"{head}\n{rest.removesuffix(chr(10))}".replace("KeyError: 'id'", "")
    called = f"{outside}{frame}KeyError: 'id'\n"
    assert label(called, called.replace("own.py", "x.py")).startswith("same message, out of")


def test_what_a_test_asserts_is_at_most_similar_elsewhere() -> None:
    message = "AssertionError: a warning was wanted for the basket"
    assert label(python(message), python(message)) == SIMILAR


def java(kind: str, *frames: str) -> str:
    return f'Exception in thread "main" {kind}\n' + "".join(f"\tat {each}\n" for each in frames)


OWN = "com.shop.Cart.sum(Cart.java:7)"
IMMUTABLE = "java.base/java.util.ImmutableCollections.uoe(ImmutableCollections.java:142)"
ADD = "java.base/java.util.ImmutableCollections$AbstractImmutableCollection.add(I.java:147)"
PUT = "java.base/java.util.ImmutableCollections$AbstractImmutableMap.put(I.java:1072)"


def test_without_message_and_line_what_was_called_tells() -> None:
    kind = "java.lang.UnsupportedOperationException"
    elsewhere = "org.other.Names.main(Names.java:33)"
    assert label(java(kind, IMMUTABLE, ADD, OWN), java(kind, IMMUTABLE, ADD, elsewhere)) == SAME
    assert label(java(kind, IMMUTABLE, ADD, OWN), java(kind, IMMUTABLE, PUT, elsewhere)) == ""
    empty = 'java.lang.NumberFormatException: For input string: ""'
    parse = "java.base/java.lang.Integer.parseInt(Integer.java:662)"
    stream = "java.base/java.util.stream.IntPipeline.sum(IntPipeline.java:500)"
    assert label(java(empty, parse, OWN), java(empty, parse, stream, elsewhere)) == SIMILAR


def test_own_code_that_called_what_complains_says_no_more_than_its_message() -> None:
    message = "java.lang.StringIndexOutOfBoundsException: String index out of range: {}"
    char_at = "java.base/java.lang.String.charAt(String.java:658)"
    elsewhere = "org.other.Names.main(Names.java:33)"
    asked_for, recorded = java(message.format(12), char_at, OWN), java(message.format(7), char_at)
    assert label(asked_for, f"{recorded}\tat {OWN}\n") == SAME  # the same function of one library
    assert label(asked_for, f"{recorded}\tat {elsewhere}\n") == SIMILAR
    named = "Error: Cannot find module 'left-pad'\n    at require (node:internal/modules:1:2)\n"
    first, second = (
        f"{named}    at {own}\n" for own in ("main (/a/x.js:3:9)", "run (/b/y.js:8:2)")
    )
    assert label(first, second) == SAME


def test_a_hub_takes_the_question_about_what_one_version_says_of_many_mistakes() -> None:
    lines = Path(wordings.__file__).with_name("wordings.txt").read_text("utf-8").splitlines()
    umbrellas = {line.strip().removeprefix("~ ") for line in lines if line.startswith("  ~ ")}
    failures = [main_failure(python(message, "if x = 3:")) for message in umbrellas]
    questions = [
        AlikeQuestion(prints) for each in failures if (prints := prints_asked(as_fields(each)))
    ]
    assert len(questions) > len(umbrellas) / 2
    assert msgspec.json.decode(msgspec.json.encode(questions), type=list[AlikeQuestion])


@pytest.mark.parametrize(
    ("line", "other", "alike"),
    [
        ('return row["id"]', "return user['id']", True),
        ("for line in lines:", "for each in rows:", True),
        ("total = prices[7]", "sum_of_all = weights[12]", True),
        ("re.match(pattern, tag).group(0)", "re.search(pattern, tag).group(0)", False),
        ("return self.price", "return getattr(self, name)", False),
        ('row["id"]', 'row["name"]', False),
        ("", "", True),
    ],
)
def test_a_line_has_the_shape_of_what_it_does(line: str, other: str, alike: bool) -> None:  # noqa: FBT001
    names = ("id", "name")
    assert (line_shape(line, names) == line_shape(other, names)) is alike
