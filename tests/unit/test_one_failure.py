"""Of a text with one failure one is told, with what a person must change, and by whom it is said.

What only counts, closes, or says the same again in other words was a failure of its own.
"""

import pytest

from gitmem.matching.parse import parse
from gitmem.output.failure import FailureLocation

_UUID = "[8a7c1f6e-0c3b-4a1e-9c2f-11d2aa3b4c5d] "
_RAILS = "E, [2026-11-03T09:12:00.123456 #4711] ERROR -- : " + _UUID
_PG = "2026-11-03 09:12:00 UTC [4711]: [3-1] user=shop,db=shop "

Row = tuple[str, str, str, str]
ONE: tuple[tuple[list[str], Row], ...] = (
    (  # a chain of headlines, each of which says what could not be done
        [
            "Error: Failed to build the site", "Error: Failed to render page 'tea.md'",
            "Error: Reason: Variable `price` not found in context",
        ],
        ("", "", ("Failed to build the site\nFailed to render page 'tea.md'\n"
         "Reason: Variable `price` not found in context"), ""),
    ),
    (
        ["error: Failed to start domain 'shop'", "error: Network not found: 'default'"],
        ("", "", "Failed to start domain 'shop'\nNetwork not found: 'default'", ""),
    ),
    (  # places in the middle of a message, and in the line below
        ["Error: execution error at (shop/templates/web.yaml:21:28): tag is required"],
        ("", "", "execution error at (shop/templates/web.yaml:21:28): tag is required",
         "shop/templates/web.yaml:21"),
    ),
    (
        ["Error: adapting config: Caddyfile:4: unknown directive: proxy"],
        ("", "", "adapting config: Caddyfile:4: unknown directive: proxy", "Caddyfile:4"),
    ),
    (
        ["SCRIPT ERROR: Invalid get index 'price'.", "          at: total (res://cart.gd:14)"],
        ("", "", "SCRIPT ERROR: Invalid get index 'price'.", "cart.gd:14"),
    ),
    (
        ["Error: Unknown variable: 'price'. (file: /etc/code/shop.pp, line: 12, column: 9) on web"],
        ("", "", "Unknown variable: 'price'. (file: /etc/code/shop.pp, line: 12, column: 9) on web",
         "/etc/code/shop.pp:12"),
    ),
    (  # nor is an image and its tag
        ["Error: pulling registry.example/shop.web:12: manifest unknown"],
        ("", "", "pulling registry.example/shop.web:12: manifest unknown", ""),
    ),
    (  # a host and its port are no place
        ["Error: cannot reach db.shop:5432: refused by peer"],
        ("", "", "cannot reach db.shop:5432: refused by peer", ""),
    ),
    (  # what only says that there are errors was a failure of its own, for any reason
        ["ERROR: unknown symbol 'price'", "zone shop: not loaded due to errors."],
        ("", "", "unknown symbol 'price'", ""),
    ),
    (  # the reason goes on below the line of the exception
        [
            "kedro.io.core.DatasetError: Failed while loading data from CSVDataset.",
            "[Errno 2] No such file or directory: 'prices.csv'",
        ],
        ("", "", ("Failed while loading data from CSVDataset.\n"
         "[Errno 2] No such file or directory: 'prices.csv'"), ""),
    ),
    (
        ['Error [IST0101] (Service shop/web) Referenced host not found: "prices"'],
        ("", "IST0101", '(Service shop/web) Referenced host not found: "prices"', ""),
    ),
    (  # of a build of another tool, whose closing line is Ant's headline
        ["shop.c:4:9: error: unknown type name 'price'", "BUILD FAILED",
         "Failed to build '//shop:cart'"],
        ("gcc", "", "unknown type name 'price'", "shop.c:4"),
    ),
    (  # a headline, and the reason in a list below
        ["Error reading secret/shop: Error making request.", "", "* permission denied"],
        ("", "", "Error reading secret/shop: Error making request.\n* permission denied", ""),
    ),
    (  # what only follows from the statement that has a place
        ["shop/cart.shop:4:9: error: unknown name 'price'", "shop: error: failed to parse it"],
        ("", "", "unknown name 'price'", "shop/cart.shop:4"),
    ),
    (  # the second line says more of the same place
        [
            'cart.adb:4:10: error: "Price" is undefined',
            'cart.adb:4:10: error: possible misspelling of "Prize"',
            'gnatmake: "cart.adb" compilation error',
        ],
        ("", "", '"Price" is undefined\npossible misspelling of "Prize"', "cart.adb:4"),
    ),
    (  # Gradle's own exception
        [
            "FAILURE: Build failed with an exception.", "", "* What went wrong:",
            "Could not find org.example:money:9.9.", "", "* Exception is:",
            "org.gradle.api.tasks.TaskExecutionException: Execution failed for task ':run'.",
            "\tat org.gradle.api.internal.tasks.Executer.execute(Executer.java:38)", "",
            "BUILD FAILED in 3s",
        ],
        ("gradle", "", "Could not find org.example:money:9.9.", ""),
    ),
    (
        [
            "shop/cart.cc:4:10: error: 'price' was not declared in this scope",
            "    4 |   return price * 2;", "      |          ^~~~~",
            "Target //shop:cart failed to build",
            "ERROR: Build did NOT complete successfully",
        ],
        ("gcc", "", "'price' was not declared in this scope", "shop/cart.cc:4"),
    ),
    (  # how many there are, and below it of which fields
        [
            "pydantic_core._pydantic_core.ValidationError: 1 validation error for Settings",
            "port", "  Input should be a valid integer [type=int_parsing]",
        ],
        ("", "", ("1 validation error for Settings\nport\n"
         "Input should be a valid integer [type=int_parsing]"), ""),
    ),
    (
        [
            f'{_UUID}Started GET "/orders" for 127.0.0.1',
            f"{_UUID}Completed 500 Internal Server Error in 12ms", f"{_UUID}  ",
            f"{_UUID}NoMethodError (undefined method 'total' for nil):", f"{_UUID}  ",
            f"{_UUID}app/models/order.rb:7:in 'sum'",
        ],
        ("ruby", "", "undefined method 'total' for nil", ""),
    ),
    (
        [
            f"{_RAILS}ArgumentError (no rate):", f"{_RAILS}  ",
            f"{_RAILS}app/models/order.rb:7:in 'Order#sum'",
        ],
        ("ruby", "", "no rate", ""),
    ),
    (  # of its own prefix a server's message is found by the two spaces
        [f'{_PG}ERROR:  relation "orders" does not exist'],
        ("postgresql", "", 'relation "orders" does not exist', ""),
    ),
    (  # a panic whose text begins with an empty line
        ["thread 'main' panicked at src/main.rs:4:5:", "", "no rate", "note: run with"],
        ("rust", "", "no rate", "src/main.rs:4"),
    ),
    (["Would reformat: src/cart.py", "1 file would be reformatted"],
     ("ruff", "", "would be reformatted", "src/cart.py")),
    (  # a code in brackets is nobody's own form
        ["reading shop.price", "", "error[P12]: rate is missing", "  at shop.price:12", "",
         "1 problem found"],
        ("", "P12", "rate is missing", "shop.price:12"),
    ),
    (  # the reason stands below the code; where it is says nothing of it
        ["Failed to parse prices: TOML parse error at line 2, column 1", "  |",
         "2 | [[shop]]", "  | ^", "missing comma, expected `]`"],
        ("", "", ("Failed to parse prices: TOML parse error at line 2, column 1\n"
         "missing comma, expected `]`"), ""),
    ),
    (  # what only counts is none of them, whatever signs stand around it
        ["cart.zz@2:3 BadRate: a rate is never None",
         "\U0001f6e0 1 file checked, 1 file with errors, 1 auto-fix available \U0001f6e0"],
        ("", "", "BadRate: a rate is never None", "cart.zz:2"),
    ),
    (  # a number before a place, and what is wrong below it
        ["checking shop.yaml...", "[1] shop.yaml:11:7 at #/rates/eur", "",
         "Property `sumary` is not expected here.", "", "Error was generated by a rule."],
        ("", "", "Property `sumary` is not expected here.", "shop.yaml:11"),
    ),
    (  # a trace that gives no reason, which stands above it
        ['NameError in file "/home/ann/shop.rules", line 2:', "name 'rates' is not defined",
         '  File "/home/ann/shop.rules", line 2, in <module>'],
        ("", "", "name 'rates' is not defined", "/home/ann/shop.rules:2"),
    ),
    (  # as a linter hands it to a service that runs jobs, which may say the place again
        ["::error file=src/cart.zz,line=3,col=4,title=zz (E1)::src/cart.zz:3:4: bad%25 rate",
         "Error: Process completed with exit code 1."],
        ("", "", "bad% rate", "src/cart.zz:3"),
    ),
    (
        ["##vso[task.logissue type=error;sourcepath=src/cart.zz;linenumber=7;code=E1;]no rate"],
        ("", "", "no rate", "src/cart.zz:7"),
    ),
    (["::error::no rate of EUR"], ("", "", "no rate of EUR", "")),
    (  # what a compiler calls says only that it failed
        ["cart.zz(4): rate of EUR is undefined", "zzc: error: zzld returned 1 exit status"],
        ("", "", "rate of EUR is undefined", "cart.zz:4"),
    ),
    (  # the place stands below the box of the code
        ["Error: Undefined rate.", "  \u2577", "2 \u2502   tax: $price;", "  \u2502        ^^^^^^",
         "  \u2575", "  a.zzss 2:10  root stylesheet"],
        ("", "", "Undefined rate.\n`price`", "a.zzss:2"),
    ),
    (  # a label before the place, and a closing line between
        ["error: rate of 'EUR' is undefined", "", "Build failed.", "Location: /srv/shop.zz:5:7"],
        ("", "", "rate of 'EUR' is undefined", "/srv/shop.zz:5"),
    ),
    (  # what names a thing is no prefix, though its place stands below
        ['cannot read "price": no such rate', "    while it ran", '"put price"',
         '    (file "a.zz" line 4)'],
        ("", "", 'cannot read "price": no such rate', "a.zz:4"),
    ),
    (  # TAP is of any language
        ["TAP version 13", "not ok 1 - adds", "  ---", "  expected: 3", "  actual: 2",
         "  at: t/cart.zz:12", "  ...", "1..1"],
        ("tap", "", "adds\nexpected: 3\nactual: 2", "t/cart.zz:12"),
    ),
    (
        ["  Applying shop.0009...Traceback (most recent call last):",
         '  File "shop/migrations/0009.py", line 11, in fill', "    order.save(total=None)",
         'psycopg.errors.NotNullViolation: null value in column "total"'],
        ("python", "", 'null value in column "total"', ""),
    ),
    (  # real output of npm 11
        [
            "npm error code 1",
            "npm error path /home/dev/project/zipper",
            "npm error command failed",
            "npm error command sh -c g++ -c src/zipper.cc -o zipper.o",
            "npm error src/zipper.cc:3:10: fatal error: zlibx.h: No such file or directory",
            "npm error     3 | #include <zlibx.h>",
            "npm error       |          ^~~~~~~~~",
            "npm error compilation terminated.",
            "npm error A complete log of this run can be found in: /home/dev/.npm/a",
        ],
        ("gcc", "", "zlibx.h: No such file or directory", "src/zipper.cc:3"),
    ),
)  # fmt: skip


@pytest.mark.parametrize(("lines", "expected"), ONE, ids=[row[2][:30] for _, row in ONE])
def test_one_failure_is_told_as_one(lines: list[str], expected: Row) -> None:
    (failure,) = parse("\n".join(lines) + "\n")
    place = failure.location
    where = ":".join(str(part) for part in (place.file, place.line) if part) if place else ""
    assert (failure.tool, failure.code, failure.message, where) == expected


def test_a_line_that_says_nothing_is_no_failure() -> None:
    assert parse("npm error A complete log of this run can be found in: /home/ann/x.log\n") == []


def test_a_list_of_alike_headlines_is_of_many_failures() -> None:
    text = "error: Failed to load 'tea'\nerror: Failed to load 'mail'\n"
    assert [failure.message for failure in parse(text)] == [
        "Failed to load 'tea'", "Failed to load 'mail'",
    ]  # fmt: skip
    text = "E: Unable to locate package tea\nE: Unable to locate package mail\n"
    assert [failure.message for failure in parse(text)] == [
        "Unable to locate package tea", "Unable to locate package mail",
    ]  # fmt: skip


def test_two_faults_of_one_place_with_codes_are_two() -> None:
    text = "a.zz:4:10: error: E001 name is unbound\na.zz:4:10: error: E002 value is unused\n"
    assert len(parse(text)) == 2


@pytest.mark.parametrize(
    "head", ["", "> ", "[pid 55051] ", "web-1 | ", "\u00bb shop \u00bb (2/40) "]
)
def test_a_short_list_is_read_behind_what_stands_before_its_lines(head: str) -> None:
    lines = ["/home/ann/a.md:3:1: MD032: Lists stand between lines (blanks-around-lists)",
             "/home/ann/a.md:4:1: MD004: Unordered list style (ul-style)"]  # fmt: skip
    read = parse("".join(f"{head}{line}\n" for line in lines))
    assert [each.code for each in read] == ["blanks-around-lists", "ul-style"]
    assert [each.location and each.location.line for each in read] == [3, 4]
    assert not any(head.strip() in each.message for each in read if head.strip())


def test_a_point_that_closes_a_subtest_is_no_failure_beside_that_of_its_own() -> None:
    text = """\
TAP version 14
# Subtest: cart.zz
    # Subtest: adds prices
        not ok 1 - sum is right
          ---
          at:
            fileName: cart.zz
          diff: |
            --- expected
            +++ actual
            @@ -1,1 +1,1 @@
            -4
            +3
          ...
        1..1
    not ok 1 - adds prices
    1..1
not ok 1 - cart.zz
1..1
"""
    (failure,) = parse(text)
    assert failure.test
    assert failure.test.name == "cart.zz > adds prices > sum is right"
    assert (failure.test.expected, failure.test.actual) == ("4", "3")
    assert failure.message.startswith("sum is right")


def test_a_trace_with_an_empty_line_before_each_frame_is_one() -> None:
    text = """\
Traceback (most recent call last):

  File "/usr/local/lib/python3.11/unittest/case.py", line 57, in run
    yield

  File "/home/ann/shop/cart.py", line 4, in total
    return rates[code]
           ~~~~~^^^^^^

KeyError: 'EUR'
"""
    (failure,) = parse(text)
    assert (failure.error_type, failure.message) == ("KeyError", "'EUR'")
    assert failure.frames[-1].file == "/home/ann/shop/cart.py"


def test_an_element_of_xml_is_a_fault_of_its_file() -> None:
    text = """\
<?xml version="1.0" encoding="utf-8"?>
<checkstyle version="4.3">
  <file name="src/cart.zz">
    <error line="4" column="2" severity="error" message="&apos;EUR&#39; &amp; co" source="a.b.No" />
    <error line="9" severity="warning" message="too long" source="a.b.Long" />
  </file>
</checkstyle>
"""
    (failure,) = parse(text)
    assert (failure.code, failure.message) == ("No", "'EUR' & co")
    assert failure.location == FailureLocation("src/cart.zz", 4, 2)
