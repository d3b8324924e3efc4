import json
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import eval_fingerprints, eval_sameness
from gitmem.matching import VERSION
from gitmem.matching.explain import compare, explain
from gitmem.matching.fingerprint import LEVELS, Fingerprints, fingerprints
from gitmem.matching.labels import label_of
from gitmem.matching.parse import main_failure
from gitmem.matching.recorded import levels
from gitmem.matching.rules import user_rule
from gitmem.output.failure import Failure, FailureLocation, StackFrame, Test, as_fields
from gitmem.tools.common.frames import file_key, foreign, function_name, marked


def prints(text: str) -> Fingerprints:
    return fingerprints(main_failure(text))


def trace(*steps: tuple[str, int, str], said: str = "ValueError: bad value 3") -> str:
    lines = [f'  File "{file}", line {line}, in {function}' for file, line, function in steps]
    return "\n".join(["Traceback (most recent call last):", *lines, said])


HERE = (("/home/ann/shop/run.py", 3, "main"), ("/home/ann/shop/cart.py", 12, "total"))
THERE = ((r"C:\ci\shop\run.py", 9, "main"), (r"C:\ci\shop\cart.py", 40, "total"))


def test_the_same_failure_on_another_machine_is_the_same() -> None:
    other_value = prints(trace(*THERE, said="ValueError: bad value 99"))
    assert prints(trace(*HERE)).site == other_value.site
    assert prints(trace(*HERE)) == prints(trace(*THERE))


def test_another_place_type_or_function_is_another_failure() -> None:
    site = prints(trace(*HERE)).site
    assert prints(trace(*HERE, said="TypeError: bad value 3")).site != site
    assert prints(trace(HERE[0], ("/home/ann/shop/price.py", 12, "total"))).site != site
    assert prints(trace(HERE[0], ("/home/ann/shop/cart.py", 12, "discount"))).site != site


def test_words_that_change_between_versions_do_not_count_where_there_is_a_place() -> None:
    old = trace(*HERE, said="TypeError: can't concat int to bytes")
    new = trace(*HERE, said="TypeError: can only concatenate bytes, not int")
    assert prints(old).place == prints(new).place
    assert prints(old).site != prints(new).site, "no table says that it is one message"
    assert prints(old).template != prints(new).template


def test_a_library_s_own_frames_do_not_count() -> None:
    library = ("/usr/lib/python3.11/site-packages/json_x/decode.py", 9, "decode")
    other = ("/home/ann/.venv/lib/python3.13/site-packages/json_x/reader.py", 77, "read")
    assert prints(trace(*HERE, library)).site == prints(trace(*HERE, other)).site


def test_a_comprehension_is_part_of_its_function() -> None:
    inner = ("/home/ann/shop/cart.py", 12, "<listcomp>")
    assert prints(trace(*HERE, inner)).site == prints(trace(*HERE)).site


def test_recursion_counts_once_however_deep() -> None:
    def deep(times: int) -> str:
        step = ("/home/ann/shop/cart.py", 12, "total")
        return trace(HERE[0], *[step] * times, said="RecursionError: maximum depth exceeded")

    assert prints(deep(20)).site == prints(deep(300)).site


def test_the_circle_of_a_java_overflow_may_break_anywhere() -> None:
    def overflow(start: int) -> str:
        names = ["ping", "pong"]
        frames = [
            f"\tat shop.Cart.{names[(start + n) % 2]}(Cart.java:{n % 2 + 3})" for n in range(60)
        ]
        return "\n".join(['Exception in thread "main" java.lang.StackOverflowError', *frames])

    assert prints(overflow(0)).site == prints(overflow(1)).site


def test_two_assertions_of_one_test_are_two_failures() -> None:
    def failed(code: str) -> str:
        return f"""
    def test_total():
        cart = Cart()
>       {code}
E       assert 3 == 4

tests/test_cart.py:12: AssertionError
"""

    assert prints(failed("assert a(1) == 4")).site != prints(failed("assert b(1) == 4")).site
    assert prints(failed("assert a(1) == 4")).site == prints(failed("assert  a(1) == 4")).site


def test_helpers_that_assert_are_not_the_place() -> None:
    def failed(helper: str) -> str:
        return "\n".join(
            [
                "org.opentest4j.AssertionFailedError: expected: <4> but was: <3>",
                f"\tat org.junit.jupiter.api.Assertions.{helper}(Assertions.java:9)",
                "\tat shop.Checks.assertTotal(Checks.java:4)",
                "\tat shop.CartTest.total(CartTest.java:14)",
            ]
        )

    assert prints(failed("assertEquals")).site == prints(failed("fail")).site
    said = "expected:<q>but was:<q>"
    assert prints(failed("fail")).keys[2] == f"AssertionFailedError | {said} | CartTest.java:total"


def test_an_assertion_without_its_line_is_told_by_the_words_of_the_comparison() -> None:
    def failed(said: str, line: int = 14) -> Fingerprints:
        place = f"\tat shop.CartTest.total(CartTest.java:{line})"
        return prints(f"junit.framework.AssertionFailedError{said}\n{place}")

    one, spaced = failed(": expected:<4> but was:<3>"), failed(": expected: <4> but was: <3>")
    other = failed(": expected:<7> but was:<3>")
    assert one.site == spaced.site == other.site
    assert one.site != failed(": expected same:<4> was not:<3>").site
    assert one.exact != other.exact, "other values may be another bug"
    assert failed("").exact == failed("").exact != failed("", 20).exact


def test_the_same_error_is_proven_by_the_line_that_failed() -> None:
    def at(code: str, said: str = "KeyError: 'total'") -> Fingerprints:
        return prints(
            "Traceback (most recent call last):\n"
            f'  File "/srv/shop/cart.py", line 3, in total\n    {code}\n{said}\n'
        )

    one = at("return items['total']")
    assert one.exact == at("return  items['total']").exact
    assert one.exact != at("return order['total']").exact
    assert one.site == at("return order['total']").site


def test_one_line_with_another_name_or_message_is_only_the_same_place() -> None:
    def at(said: str) -> Fingerprints:
        return prints(
            "Traceback (most recent call last):\n"
            f'  File "/srv/shop/db.py", line 3, in run\n    return execute(sql)\n{said}\n'
        )

    one = at("OperationalError: no such table: orders")
    for said in ("no such table: stock", "database is locked"):
        other = at(f"OperationalError: {said}")
        assert one.place == other.place
        assert one.site != other.site
        assert one.exact != other.exact
        assert one.message != other.message
    key, other_key = at("KeyError: 'total'"), at("KeyError: 'sum'")
    assert key.place == other_key.place
    assert key.site != other_key.site


def test_what_led_to_an_error_counts() -> None:
    def after(kind: str, said: str) -> Fingerprints:
        cause = Failure(error_type=kind, message=said)
        frame = StackFrame("a.py", "run", 3, "raise JobError", in_app=True)
        return fingerprints(Failure("", "", "JobError", "", "no job", (frame,), causes=(cause,)))

    one = after("OSError", "the disk is full")
    assert one.site == after("OSError", "the disk is full").site
    other = after("KeyError", "'rates'")
    assert one.place == other.place
    assert (one.site, one.exact) != (other.site, other.exact)
    assert one.site != other.site


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("error: no matching package named `shop_a` found", "`shop_b`"),
        ("Error: Cannot find module 'shop-a'", "'shop-b'"),
        ("a.c:1:2: fatal error: zlib.h: No such file or directory", "ssl.h"),
    ],
)
def test_what_has_to_be_put_right_is_part_of_the_message(first: str, second: str) -> None:
    name = next(word for word in ("`shop_a`", "'shop-a'", "zlib.h") if word in first)
    one, other = prints(first), prints(first.replace(name, second))
    assert one.message != other.message
    assert one.template == other.template
    assert one.site != other.site


def test_a_line_that_only_counts_is_known_by_nothing() -> None:
    counting = fingerprints(Failure(message="1 test failed"))
    assert (counting.exact, counting.message, counting.template) == ("", "", "")


def test_a_compilers_message_is_the_same_error_in_the_same_file_only() -> None:
    def at(file: str, name: str) -> Fingerprints:
        return prints(
            f"{file}:3: error: cannot find symbol\n    x\n    ^\n  symbol:   variable {name}"
        )

    one = at("src/A.java", "totl")
    assert one.exact == at("/home/ann/src/A.java", "totl").exact
    assert one.exact != at("src/B.java", "totl").exact
    assert one.site == at("src/B.java", "totl").site
    assert one.site != at("src/A.java", "sum").site


def test_a_message_alone_proves_nothing() -> None:
    alone = fingerprints(Failure(message="cannot open the shop today"))
    assert (alone.exact, alone.keys[0]) == ("", "")
    assert alone.site
    assert label_of("site", {"message": "x"}) == "same message"
    assert label_of("site", {"frames": [{"file": "a.py"}]}) == "same error"
    assert label_of("place", {"frames": [{"file": "a.py"}]}) == "same place"
    assert label_of("exact", {}) == "same error"


def test_an_assertion_without_a_place_proves_nothing() -> None:
    said = "junit.framework.AssertionFailedError: expected:<1> but was:<2>"
    alone = prints(said)
    assert alone.exact == ""
    assert alone.site == prints(said).site
    assert prints(f"{said}\n\tat shop.CartTest.total(CartTest.java:14)").exact
    tested = Failure(error_type="AssertionError", message="1 != 2", test=Test("CartTest.total"))
    assert fingerprints(tested).exact
    assert not fingerprints(tested._replace(test=None)).exact


def test_what_says_nothing_equals_nothing() -> None:
    nothing = Failure(tool="x", message=" \n", excerpt="some lines")
    assert fingerprints(nothing).values == ("",) * 6
    assert levels(fingerprints(nothing)) == ()
    assert compare(nothing, nothing).level == ""
    bare = fingerprints(Failure(error_type="AssertionError"))
    assert bare.kind
    assert not bare.template, "no message is not the same message"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("AssertionError", "assert 'a' in 'b'\n +  where 'b' = <Result okay>.output"),
        ("AssertionError", "assert 2 == 3\n +  where 2 = len([1, 2])"),
        ("Failed", "DID NOT RAISE ValueError"),
        ("Failed", "DID NOT WARN. No warnings of type (<class 'UserWarning'>,) were emitted."),
        ("AssertionError", "Regex pattern did not match."),
        ("AssertionError", "ValueError not raised by parse"),
        ("panic", "assertion `left == right` failed\n  left: 3\n right: 5"),
        ("panic", "assertion failed: `(left == right)`\n  left: `3`,\n right: `5`"),
    ],
)
def test_a_bare_assertion_is_not_known_by_its_message(name: str, said: str) -> None:
    failure = Failure(error_type=name, message=said, test=Test("t.py::test_a"), tool="pytest")
    assert not fingerprints(failure).template
    assert fingerprints(failure).site


def test_an_assertion_of_rust_with_words_of_its_own_is_known_by_them() -> None:
    said = "assertion `left == right` failed: the total is wrong\n  left: 3\n right: 5"
    assert fingerprints(Failure(error_type="panic", message=said, tool="cargo")).template


def test_an_assertion_is_known_by_the_function_that_gave_its_value() -> None:
    said = "assert 120 == 2\n +  where 120 = hour(7200)"
    assert fingerprints(Failure(error_type="AssertionError", message=said)).template


def test_diagnostics_are_told_by_what_they_say_not_by_where() -> None:
    one = prints('src/a.py:3: error: Name "total" is not defined  [name-defined]')
    assert one.site == prints('lib/b.py:9:4: error: Name "total" is not defined').site
    other = prints('lib/b.py:9:4: error: Name "items" is not defined')
    assert one.message == other.message
    assert one.site != other.site, "another name is another error"
    assert (
        prints("src/a.ts(1,2): error TS2322: Type 'string' is not assignable to type 'X'.").site
        != prints("src/a.ts(1,2): error TS2345: Type 'string' is not assignable to type 'X'.").site
    )


def test_without_a_place_the_names_tell_runtime_errors_apart() -> None:
    one, other = (
        prints("ImportError: No module named 'a'"),
        prints("ImportError: No module named 'b'"),
    )
    assert one.site != other.site
    assert one.template == other.template


def test_a_library_s_place_is_better_than_none() -> None:
    def failed(name: str) -> str:
        return (
            f"java.lang.NullPointerException\n\tat org.mockito.internal.{name}.run({name}.java:3)\n"
        )

    assert prints(failed("Stub")).site != prints(failed("Spy")).site


def test_without_a_place_the_values_tell_failed_comparisons_apart() -> None:
    one = prints("org.junit.ComparisonFailure: expected:<3> but was:<4>")
    other = prints("org.junit.ComparisonFailure: expected:<5> but was:<6>")
    assert one.site != other.site
    assert one.template == other.template


def test_who_raises_for_others_is_not_the_place() -> None:
    def failed(*innermost: str) -> str:
        names = [*innermost, "shop.Cart.price"]
        frames = "".join(f"\tat {name}({name.split('.')[1]}.java:3)\n" for name in names)
        return f"shop.CartException: no price\n{frames}"

    assert prints(failed()).site == prints(failed("shop.CartException.from")).site
    assert prints(failed()).site == prints(failed("shop.Errors.reportMissing")).site


def test_nothing_but_what_varies_is_still_told_apart() -> None:
    assert prints("/home/ann/a.txt").site != prints("'x'").site


def test_levels_go_from_exact_to_coarse() -> None:
    assert Fingerprints._fields[:6] == LEVELS
    one, other = prints(trace(*HERE)), prints(trace(("/srv/other.py", 3, "run")))
    assert (one.site, one.exact) != (other.site, other.exact)
    assert (one.template, one.kind) == (other.template, other.kind)


STACK = "\n    at sell (/home/ann/shop/till.js:7:9)\n    at main (/home/ann/shop/run.js:2:1)"
GO = "panic: assignment to entry in nil map"
JAVA = 'Exception in thread "main" java.lang.IllegalStateException: the till is open'
NET = "Unhandled exception. System.InvalidOperationException: the till is open"
PHP = "InvalidArgumentException: no price for coffee"
NODE = "TypeError [ERR_INVALID_ARG_TYPE]: The path must be a string"


@pytest.mark.parametrize(("whole", "line"), [
    (f"TypeError: x is not a function{STACK}", "Uncaught TypeError: x is not a function"),
    (f"Error: the shop is closed{STACK}", "Error: the shop is closed"),
    (f"Error: the shop is closed{STACK}", "Uncaught (in promise) Error: the shop is closed"),
    (f"TypeError: no price{STACK}", "Unhandled Rejection (TypeError): no price"),
    (f"{NODE}{STACK}", NODE),
    (f"{GO}\n\ngoroutine 1 [running]:\nmain.main()\n\t/home/ann/shop/main.go:5 +0x1d\n", GO),
    (f"{JAVA}\n\tat shop.Till.close(Till.java:7)\n\tat shop.Main.main(Main.java:3)\n", JAVA),
    (f"{NET}\n   at Shop.Till.Close() in /home/ann/shop/Till.cs:line 7\n", NET),
    (f"There was 1 error:\n\n1) ShopTest::testPrice\n{PHP}\n\n/home/ann/shop/ShopTest.php:21\n",
     f"PHP Fatal error:  Uncaught {PHP}"),
])  # fmt: skip
def test_a_line_that_is_pasted_alone_is_the_same_message(whole: str, line: str) -> None:
    assert main_failure(whole).frames
    assert not main_failure(line).frames
    assert prints(line).template == prints(whole).template != ""


def test_hashes_are_stable_and_short() -> None:
    assert VERSION == 18
    known = fingerprints(Failure(error_type="ValueError", message="bad value 3"))
    assert known.keys[2] == "ValueError | bad value <n>"
    assert all(len(value) == 16 for value in known.values if value)
    assert known.site == fingerprints(Failure(error_type="ValueError", message="bad value 3")).site


@given(st.text(max_size=80), st.text(max_size=200), st.lists(st.text(max_size=20), max_size=5))
def test_any_failure_has_fingerprints(kind: str, message: str, names: list[str]) -> None:
    frames = tuple(StackFrame(name, name, 3, name, in_app=True) for name in names)
    failure = Failure(error_type=kind, message=message, frames=frames)
    assert fingerprints(failure) == fingerprints(failure)
    agreed = compare(failure, failure).level
    assert agreed == next((name for name, value in levels(fingerprints(failure))), "")
    explain(failure).lines()


@given(
    st.integers(1, 10**6),
    st.sampled_from(["/home/ann/", "/srv/build/17/", "C:\\work\\", "./", "/tmp/tmpx1y2/"]),
    st.sampled_from(["10", "'tea'", "/a/b.txt", "0x7f00", "2026-11-21 09:30:00"]),
)
def test_lines_folders_and_values_never_matter(line: int, folder: str, value: str) -> None:
    def failure(line: int, folder: str, value: str) -> str:
        steps = [(f"{folder}shop{'/' if '/' in folder else chr(92)}{name}", line + n, name)
                 for n, name in enumerate(("run.py", "cart.py"))]  # fmt: skip
        return trace(*steps, said=f"ValueError: cannot use the value {value} for this")

    one = prints(failure(line, folder, value))
    assert one.site == prints(failure(3, "/x/", value)).site
    assert one.place == prints(failure(3, "/x/", "11")).place
    if value == "10":
        assert one.site == prints(failure(3, "/x/", "11")).site, "a name tells, a number does not"


def test_user_rules_count() -> None:
    rules = (user_rule("colour", "(?:red|blue)", "<colour>"),)
    one = Failure(message="the red lamp is broken")
    other = Failure(message="the blue lamp is broken")
    assert fingerprints(one).site != fingerprints(other).site
    assert fingerprints(one, rules).site == fingerprints(other, rules).site


def test_explaining_names_masks_and_frames() -> None:
    text = "\n".join(explain(main_failure(trace(*HERE))).lines())
    assert "masked    number: 3 -> <n>; it varies from one occurrence to the next" in text
    assert "counts    message: bad value <n> (exact, site, message, template)" in text
    assert "run.py:3 main: own, counts as run.py" in text
    library = ("/usr/lib/python3/site-packages/a.py", 1, "f")
    assert "not own code" in "\n".join(explain(main_failure(trace(library, *HERE))).lines())


def test_comparing_says_why() -> None:
    one = main_failure("PermissionError: [Errno 13] Permission denied: '/home/ann/a.yml'")
    other = main_failure("PermissionError: [Errno 13] Permission denied: '/srv/b.db'")
    same = compare(one, other)
    assert (same.level, same.verdict[:16]) == ("place", "the same kind of")
    assert "not the same: `a.yml` and `b.db` are names in the message" in same.reasons
    moved = main_failure("PermissionError: [Errno 13] Permission denied: '/srv/a.yml'")
    again = compare(one, moved)
    assert again.level == "exact"
    assert any("/home/ann/a.yml / /srv/a.yml" in reason for reason in again.reasons)
    missing = main_failure("FileNotFoundError: [Errno 2] No such file or directory: '/srv/b.db'")
    different = compare(one, missing)
    assert different.level == ""
    assert "type differs: PermissionError / FileNotFoundError" in different.reasons


def test_comparing_names_the_levels_that_agree_and_what_differs() -> None:
    at = 'Traceback (most recent call last):\n  File "db.py", line 3, in run\n    execute(sql)\n'
    one = main_failure(f"{at}OperationalError: no such table: orders\n")
    told = compare(one, main_failure(f"{at}OperationalError: no such table: stock\n"))
    assert told.verdict == "another error in the same place"
    assert told.reasons[:2] == (
        "levels that agree: place, kind",
        "levels that differ: exact, site, message, template",
    )
    assert "not the same: `orders` and `stock` stand in the message" in told.reasons
    assert "source line agrees: execute(sql)" in told.reasons


def test_what_differs_is_shown_where_texts_are_cut() -> None:
    """Two causes that differ behind their first 100 letters were shown as the same words."""
    head = (
        "RuntimeError: the order of the customer cannot be written to the table that was named " * 2
    )
    told = compare(main_failure(f"{head}: orders\n"), main_failure(f"{head}: stock\n"))
    (shown,) = [reason for reason in told.reasons if reason.startswith("message differs")]
    assert "orders" in shown
    assert "stock" in shown


def test_a_word_that_is_said_twice_is_one_difference() -> None:
    one = main_failure("Failed to start till.service: Unit till.service not found.")
    told = compare(one, main_failure("Failed to start mail.service: Unit mail.service not found."))
    assert "not the same: `till.service` and `mail.service` stand in the message" in told.reasons


def test_comparing_values_says_that_the_test_fails_still() -> None:
    def failed(got: int) -> Failure:
        place = "\tat shop.CartTest.total(CartTest.java:14)"
        return main_failure(
            f"junit.framework.AssertionFailedError: expected:<1> but was:<{got}>\n{place}"
        )

    told = compare(failed(2), failed(3))
    assert told.level == "site"
    assert told.verdict.startswith("the same comparison fails still")
    values = "expected:<1> but was:<2> / expected:<1> but was:<3>"
    assert f"compared values differ: {values}" in told.reasons
    assert "compared at exact alone (bracketed): <2> / <3>" in told.reasons


def test_a_level_without_a_fingerprint_says_why() -> None:
    lines = explain(Failure(message="cannot open the shop today")).lines()
    assert "exact     none: nothing here proves that two such failures are one" in lines


def test_a_name_that_is_masked_says_where_it_counts() -> None:
    lines = explain(main_failure("error: no matching package named `shop_a` found")).lines()
    assert any(line.endswith("the name `shop_a` counts at site, message") for line in lines)
    assert "counts    name: shop_a (site, message)" in lines


@pytest.mark.parametrize(
    ("file", "function", "language"),
    [
        ("/usr/lib/python3.12/json/decoder.py", "decode", "python"),
        ("/home/ann/.venv/lib/python3.12/site-packages/a/b.py", "f", "python"),
        (r"C:\Python312\Lib\json\decoder.py", "decode", "python"),
        ("<frozen importlib._bootstrap>", "_gcd_import", "python"),
        ("/home/ann/app/node_modules/express/lib/router.js", "next", "javascript"),
        ("node:internal/modules/cjs/loader", "Module._load", "javascript"),
        ("ArrayList.java", "java.util.ArrayList.get", "java"),
        ("Assert.java", "org.junit.Assert.fail", "java"),
        ("/usr/local/go/src/testing/testing.go", "testing.tRunner", "go"),
        ("/rustc/0123abcdef/library/core/src/panicking.rs", "core::panicking::panic", "rust"),
        ("/usr/lib/ruby/gems/3.1.0/gems/rspec-core/lib/x.rb", "run", "ruby"),
        ("/home/ann/app/vendor/laravel/x.php", "run", "php"),
        ("", "System.Linq.Enumerable.First()", "csharp"),
    ],
)
def test_frames_of_others(file: str, function: str, language: str) -> None:
    assert foreign(StackFrame(file, function), language)


@pytest.mark.parametrize(
    ("file", "language"),
    [
        ("/home/ann/shop/cart.py", "python"),
        ("src/shop/library.py", "python"),
        ("/home/ann/app/src/index.js", "javascript"),
        ("Cart.java", "java"),
        ("/home/ann/shop/cart.go", "go"),
        ("src/main.rs", "rust"),
    ],
)
def test_own_frames(file: str, language: str) -> None:
    (frame,) = marked((StackFrame(file, "shop.total"),), language)
    assert frame.in_app


@pytest.mark.parametrize(
    ("function", "name"),
    [
        ("outer.<locals>.inner", "outer.inner"),
        ("<lambda>", ""),
        ("total.<locals>.<listcomp>", "total.<locals>"),
        ("lambda$main$0", "main"),
        ("Object.<anonymous>", ""),
        ("async load", "load"),
        ("shop::cart::total::h0123456789abcdef", "shop::cart::total"),
        ("shop::cart::total::{{closure}}", "shop::cart::total"),
        ("main.run.func1", "main.run"),
        ("Cart.total [as sum]", "Cart.total"),
        ("block (2 levels) in price", "price"),
        ("Shop.Program.Main(String[] args)", "Shop.Program.Main"),
    ],
)
def test_names_of_functions_are_cleaned(function: str, name: str) -> None:
    assert function_name(function).replace("total.<locals>", "total") == name.replace(
        "total.<locals>", "total"
    )


def test_a_file_is_named_without_its_folders_unless_its_name_says_nothing() -> None:
    assert file_key("/home/ann/shop/cart.py") == file_key(r"C:\x\cart.py") == "cart.py"
    assert file_key("shop/__init__.py") == "shop/__init__.py"
    assert file_key("<generated-17>") == file_key("<generated-3>")
    assert file_key("dist/main.3f2a9c1b.js") == file_key("dist/main.99aa00bb.js")
    assert file_key("") == ""


def test_fields_leave_out_what_is_empty() -> None:
    failure = Failure(
        message="x", location=FailureLocation("a.py", 0, 3), test=Test("t", failing_line=0)
    )
    assert as_fields(failure) == {
        "message": "x",
        "location": {"file": "a.py", "column": 3},
        "test": {"name": "t", "status": "failed"},
    }


def test_the_evaluation_counts_pairs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    numbers = count()

    def item(family: str, group: str, text: str) -> str:
        row = {"id": str(next(numbers)), "family": family, "group": group, "text": text}
        return json.dumps(row)

    rows = [
        item("a", "x", "the file '/a/b' is not there"),
        item("a", "x", "the file '/c/d' is not there"),
        item("a", "y", "the file 'q' is not there"),
        item("a", "z", "something else went wrong"),
        item("swe", "swe:r|bug-1|test_a|E|", "first thing that went wrong"),
        item("swe", "swe:r|bug-1|test_b|E|", "first thing that went wrong"),
    ]
    (tmp_path / "groups.jsonl").write_text("\n".join(rows))
    out = tmp_path / "figures.json"
    assert eval_fingerprints.main(["--data", str(tmp_path), "--json", str(out), "--errors"]) == 0
    figures = json.loads(out.read_text())
    assert figures["fingerprint_pairs"] == {"right": 1, "wrong": 2, "missed": 0}
    assert figures["fingerprint"]["precision"] == pytest.approx(1 / 3)
    assert figures["fingerprint"]["recall"] == 1.0
    assert "not met" in capsys.readouterr().out


def test_the_evaluation_says_that_it_has_no_data(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert eval_fingerprints.main(["--data", str(tmp_path)]) == 0
    assert "skipped" in capsys.readouterr().out


def test_queries_that_are_told_right_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def write(name: str, rows: list[dict[str, object]]) -> None:
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows))

    assert eval_sameness.main(["--data", str(tmp_path)]) == 0
    assert "skipped" in capsys.readouterr().out
    past: list[dict[str, object]] = [
        {"id": "a", "title": "", "body": "ValueError: no such cart 7"},
        {"id": "b", "title": "KeyError: 'total'", "body": ""},
    ]
    asked: list[dict[str, object]] = [
        {"text": "ValueError: no such cart 9", "relevant": ["a"], "family": "again"},
        {"text": "KeyError: 'total'", "relevant": ["c"]},
        {"text": "KeyError: 'total'", "relevant": ["c"], "ignore": ["b"]},
        {"text": "OSError: what else", "relevant": ["a"], "family": "again"},
    ]
    write("errors_pool.jsonl", past)
    write("errors_queries.jsonl", asked)
    found = eval_sameness.evaluate(str(tmp_path))
    assert found.levels == {"exact": (4, 2, 1), "site": (4, 2, 1)}
    assert found.families == {"again": (2, 1, 1), "": (2, 1, 0)}
    assert eval_sameness.main(["--data", str(tmp_path)]) == 0
    told = capsys.readouterr().out
    assert "exact  a right one for 1 of 2 queries (50.0 %)" in told
    assert "again                1 of   2 are told,   1 rightly" in told
    assert "target same error >= 98 %: 50.0, not met" in told
