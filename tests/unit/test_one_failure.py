"""Of a text with one failure one is told, with what a person must change, and by whom it is said.

What only counts, closes, or says the same again in other words was a failure of its own.
"""

import pytest

from gitmem.matching.parse import parse
from gitmem.matching.recorded import prints_of_failure
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
        ("", "", "Invalid get index 'price'.", "cart.gd:14"),
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
    (  # a type and where it was raised; what was said stands below
        [
            'MissingInputException in rule totals in file "/srv/shop/Snakefile", line 3:',
            "Missing input files for rule totals:", "    output: out/totals.csv",
            "    affected files:", "        data/prices.csv",
        ],
        ("", "", ("Missing input files for rule totals:\n    output: out/totals.csv\n"
         "    affected files:\n        data/prices.csv"), "/srv/shop/Snakefile:3"),
    ),
    (  # the place in the brackets of the level, an aside beside it
        ["[ERROR:/srv/shop/cart.thrift:9] (last token was '}')", 'Type "Item" not defined'],
        ("", "", "Type \"Item\" not defined\n(last token was '}')", "/srv/shop/cart.thrift:9"),
    ),
    (
        ["error:", "  /srv/shop/cart.fbs:1: 31: error: type referenced but not defined: Item", ""],
        ("", "", "type referenced but not defined: Item", "/srv/shop/cart.fbs:1"),
    ),
    (["Error: carts.gv: syntax error in line 4 near '->'"],
     ("", "", "syntax error near '->'", "carts.gv:4")),
    (  # real output of POV-Ray
        ["File 'till.pov' line 2: Parse Error: Expected 'numeric expression', undeclared",
         " identifier 'R' found instead", "Fatal error in parser: Cannot parse input.",
         "Render failed"],
        ("", "", "Parse Error: Expected 'numeric expression', undeclared", "till.pov:2"),
    ),
    (["/etc/coredns/Corefile:7 - Error during parsing: Unknown directive 'forwrd'"],
     ("", "", "Error during parsing: Unknown directive 'forwrd'", "/etc/coredns/Corefile:7")),
    (  # what could not be done, below the reason
        [
            "ERROR: [Synth 8-439] module 'drawer' not found [/srv/shop/till.v:14]",
            "ERROR: [Synth 8-6156] failed synthesizing module 'till' [/srv/shop/till.v:3]",
        ],
        ("", "", "[Synth 8-439] module 'drawer' not found [/srv/shop/till.v:14]",
         "/srv/shop/till.v:14"),
    ),
    (  # two statements of one block that are no list
        ["ERROR: Nothing RPROVIDES 'libmoney' (but till_1.0.bb RDEPENDS on it)",
         "NOTE: Runtime target 'libmoney' is unbuildable, removing...",
         "Missing or unbuildable dependency chain was: ['libmoney']",
         "ERROR: Required build target 'till' has no buildable providers."],
        ("", "", "Nothing RPROVIDES 'libmoney' (but till_1.0.bb RDEPENDS on it)", ""),
    ),
    (  # the reason is labelled, and stands below what it is of
        ["dyld[30934]: Library not loaded: @rpath/libmoney.2.dylib",
         "  Referenced from: /srv/shop/till",
         "  Reason: tried: '/srv/shop/libmoney.2.dylib' (no such file)"],
        ("", "", ("dyld[30934]: Library not loaded: @rpath/libmoney.2.dylib\n"
         "Reason: tried: '/srv/shop/libmoney.2.dylib' (no such file)"), ""),
    ),
    (  # real output of CLISP, with a menu below
        ["*** - SYSTEM::READ-EVAL-PRINT: variable TOTL has no value",
         "The following restarts are available:",
         "STORE-VALUE    :R2      Input a new value for TOTL.",
         "ABORT          :R3      Abort main loop"],
        ("", "", "SYSTEM::READ-EVAL-PRINT: variable TOTL has no value", ""),
    ),
    (  # code with marks below what is said of it
        ["Variable `total` not defined (line 2, column 8 (offset: 31))", '"RETURN total"',
         "        ^"],
        ("", "", "Variable `total` not defined (line 2, column 8 (offset: 31))", ""),
    ),
    (["2026/11/29 10:12:31 nats: no responders available for request: shop.prices",
      "exit status 1"],
     ("", "", "nats: no responders available for request: shop.prices", "")),
    (["FATAL: Bungled /etc/squid/squid.conf line 12: http_acces allow all"],
     ("", "", "Bungled /etc/squid/squid.conf line 12: http_acces allow all",
      "/etc/squid/squid.conf:12")),
    (["/srv/shop/Cart.agda:4,9-16", "Not in scope:", "  roundUp at /srv/shop/Cart.agda:4,9-16",
      "when scope checking roundUp"],
     ("", "", "Not in scope:\nroundUp at /srv/shop/Cart.agda:4,9-16", "/srv/shop/Cart.agda:4")),
    (  # steps right below a type of which no tool is known
        ["[Error] TypeError: undefined is not an object (evaluating 'cart.items')",
         "\ttotal (cart.js:14)"],
        ("", "", "[Error] TypeError: undefined is not an object (evaluating 'cart.items')",
         "cart.js:14"),
    ),
    (  # where Go's slog was called
        [
            (
                '{"level":"ERROR","source":{"file":"/srv/shop/main.go","line":14},'
                '"msg":"cannot start","err":"no rates"}'
            ),
        ],
        ("go", "", "error: cannot start: no rates", "/srv/shop/main.go:14"),
    ),
    (  # the own frame, not that of a dependency
        ['** (Postgrex.Error) ERROR 42P01 relation "orders" does not exist',
         "    (ecto_sql 3.11.1) lib/ecto/adapters/sql.ex:1054: Ecto.Adapters.SQL.raise_error/1",
         "    (shop 0.1.0) lib/shop/cart.ex:12: Shop.Cart.list/0"],
        ("elixir", "", 'ERROR 42P01 relation "orders" does not exist', "lib/shop/cart.ex:12"),
    ),
    (  # in which part of a pipeline it failed, and why
        ["Traceback (most recent call last):", '  File "fast.py", line 4, in <module>', "    f(1)",
         "numba.errors.TypingError: Failed in nopython mode pipeline (step: nopython frontend)",
         "Untyped global name 'rates': Cannot determine Numba type of <class 'dict'>"],
        ("python", "", ("Failed in nopython mode pipeline (step: nopython frontend)\n"
         "Untyped global name 'rates': Cannot determine Numba type of <class 'dict'>"), ""),
    ),
    (  # what stands behind a level goes on below it; real output of twine
        ["ERROR    HTTPError: 400 Bad Request from https://upload.example.org/legacy/",
         "         File already exists."],
        ("", "", ("400 Bad Request from https://upload.example.org/legacy/\n"
         "File already exists."), ""),
    ),
    (  # what pip does not say, below what only says that it failed
        ["ERROR: Error during SonarScanner execution",
         "ERROR: You must define the following mandatory properties: sonar.projectKey", "ERROR:",
         "ERROR: Re-run SonarScanner using the -X switch to enable full debug logging."],
        ("", "", "You must define the following mandatory properties: sonar.projectKey", ""),
    ),
    (  # advice
        ["error execution phase preflight: [preflight] Some fatal errors occurred:",
         "\t[ERROR Swap]: running with swap on is not supported. Please disable swap",
         "[preflight] If you know what you are doing, you can make a check non-fatal",
         "To see the stack trace of this error execute with --v=5 or higher"],
        ("", "", ("error execution phase preflight: [preflight] Some fatal errors occurred:\n"
         "[ERROR Swap]: running with swap on is not supported. Please disable swap"), ""),
    ),
    (  # what ninja says is told where there is nothing else
        ["/srv/shop/src/Cart.res:14:9-13", "", "  14 │ let x = rates(price)", "  15 │ ", "",
         "  The value rates can't be found", "", "ninja: build stopped: subcommand failed."],
        ("", "", "The value rates can't be found", "/srv/shop/src/Cart.res:14"),
    ),
    (  # a place of which more is said in the next line
        ["till.m:014: Error: undefined symbol `rates'/1.",
         "till.m:014:   (There are private predicates with that name in the module `money'.)"],
        ("", "", ("undefined symbol `rates'/1.\n"
         "(There are private predicates with that name in the module `money'.)"), "till.m:14"),
    ),
    (  # a step that failed, whatever it is called, above and below its reason
        ["Global: percentage of failed events is less than 1.0 : false",
         ("[ERROR] Failed to execute goal io.gatling:gatling-maven-plugin:4.6.0:test (default-cli)"
          " on project shop: Gatling simulation assertions failed! -> [Help 1]")],
        ("", "", "Global: percentage of failed events is less than 1.0 : false", ""),
    ),
    (  # a linker's own words above its driver's
        ["/usr/lib/gcc/avr/bin/ld: till.elf section `.text' will not fit in region `text'",
         "/usr/lib/gcc/avr/bin/ld: region `text' overflowed by 1204 bytes",
         "collect2: error: ld returned 1 exit status"],
        ("ld", "", "till.elf section `.text' will not fit in region `text'", ""),
    ),
    (  # real output of lld, with a place
        ["ld.lld: error: undefined symbol: total", ">>> referenced by till.c:14",
         ">>>               /tmp/ccv5WVSe.o:(main)", "collect2: error: ld returned 1 exit status"],
        ("ld", "", "undefined symbol: total", "till.c:14"),
    ),
    (  # a logger's line above a trace, which pytest writes in the same form
        [
            "14:03:11.482 [eventLoop-4-1] ERROR io.ktor.server.Application - Unhandled: GET - /c/7",
            "java.lang.IllegalStateException: No rate for today",
            "\tat shop.Till.total(Till.kt:21)",
            "\tat io.netty.util.concurrent.FastThreadLocalRunnable.run(FastThreadLocal.java:30)",
        ],
        ("java", "", "No rate for today", ""),
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


def test_a_cause_of_ones_own_is_the_failure_not_what_frameworks_threw_above_it() -> None:
    """The job's exception, in a frame of its framework, was the failure: of any job."""
    (failure,) = parse(
        "org.apache.flink.client.program.ProgramInvocationException: Job execution failed.\n"
        "\tat org.apache.flink.client.cli.CliFrontend.main(CliFrontend.java:1156)\n"
        "Caused by: org.apache.flink.runtime.JobException: Recovery is suppressed\n"
        "\tat org.apache.flink.runtime.Failover.handle(Failover.java:138)\n"
        'Caused by: java.lang.NumberFormatException: For input string: "1,5"\n'
        "\tat shop.jobs.Totals$Parse.map(Totals.java:31)\n"
        "\tat org.apache.flink.streaming.StreamMap.processElement(StreamMap.java:38)\n"
    )
    assert failure.error_type == "java.lang.NumberFormatException"
    assert [frame.function for frame in failure.frames if frame.in_app] == [
        "shop.jobs.Totals$Parse.map"
    ]


def test_where_all_frames_are_a_frameworks_it_is_the_project() -> None:
    (failure,) = parse(
        "org.apache.shop.CartException: no rate\n"
        "\tat org.apache.shop.Cart.total(Cart.java:9)\n"
        "\tat org.apache.shop.Main.main(Main.java:4)\n"
    )
    assert all(frame.in_app for frame in failure.frames)


def test_a_log_tells_which_frames_are_of_a_library() -> None:
    (failure,) = parse(
        "java.lang.IllegalStateException: no rate\n"
        "\tat money.Rates.today(Rates.java:9) ~[money-2.1.0.jar:2.1.0]\n"
        "\tat shop.Cart.total(Cart.java:4) ~[classes/:na]\n"
    )
    assert [frame.in_app for frame in failure.frames] == [True, False]


def test_a_test_that_a_summary_names_is_told_above_it() -> None:
    """Ginkgo's label was taken for a test of Nim's, the same one for any."""
    (failure,) = parse(
        "• [FAILED] [0.001 seconds]\nCart [It] adds up\n/srv/shop/cart_test.go:21\n\n"
        "  [FAILED] Expected\n      <int>: 4\n  to equal\n      <int>: 5\n"
        "  In [It] at: /srv/shop/cart_test.go:23 @ 11/29/26 14:03:11.482\n"
        "------------------------------\n\nSummarizing 1 Failure:\n  [FAIL] Cart [It] adds up\n"
        "  /srv/shop/cart_test.go:23\n\nRan 4 of 4 Specs in 0.003 seconds\n"
        "FAIL! -- 3 Passed | 1 Failed | 0 Pending | 0 Skipped\n"
    )
    assert failure.test is not None
    assert failure.test.name == "Cart adds up"
    assert "<int>: 4" in failure.message


def test_a_step_that_failed_is_known_by_the_reason_that_another_program_told() -> None:
    """DVC's line was the same message, with its fix, whatever the stage had raised."""
    trace = 'Traceback (most recent call last):\n  File "totals.py", line 8, in <module>\n    f()\n'
    closing = "ERROR: could not finish 'totals' in 3 tries\n"
    (_, first), (_, second) = (
        parse(f"{trace}{reason}\n{closing}") for reason in ("KeyError: 'tea'", "TypeError: no rate")
    )
    assert first.message == second.message == "could not finish 'totals' in 3 tries"
    assert [cause.error_type for cause in first.causes] == ["KeyError"]
    assert [cause.error_type for cause in second.causes] == ["TypeError"]
    assert prints_of_failure(first).site != prints_of_failure(second).site


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
