"""A failure is one, whichever command line shows it: recorded once, it is known ever after."""

import pytest

from tests.depth import deep, only_deep
from tests.scenarios.desk import Desk, fact
from tests.scenarios.shops import SHOPS
from tests.scenarios.test_every_runner import NAMES, begin

CLOCK = "def hour(seconds):\n    return seconds // 60\n"
TESTS = (
    "from clock import hour\n\n\ndef test_hour():\n    assert hour(7200) == 2\n\n\n"
    "def test_nothing():\n    assert hour(None) == 0\n"
)
BOTH = ("test_hour: assert 120 == 2", "TypeError: unsupported operand typ")
LINES = (
    "pytest",
    "pytest -v --tb=short",
    "python -m pytest tests/test_clock.py",
    "pytest -q --tb=line",
    "pytest --tb=no",
    "pytest --tb=native tests/test_clock.py::test_hour tests/test_clock.py::test_nothing",
    "bash -c 'pytest 2>&1 | tail -60'",
    "bash -c 'cd tests && pytest -q -l --tb=long'",
)
FORMS = [(line, plugin) for line in LINES for plugin in "10"]


def bug(desk: Desk) -> None:
    desk.begin(clock_py=CLOCK, tests__test_clock_py=TESTS)
    desk.write("pytest.ini", "[pytest]\npythonpath = .\n")
    desk.repo.commit("settings")


@deep
@only_deep
@pytest.mark.parametrize("first", ["pytest -q", "pytest -q --tb=line"])
def test_a_recorded_failure_is_known_under_other_command_lines(desk: Desk, first: str) -> None:
    bug(desk)
    desk.env["GITMEM_PYTEST"] = "0"
    for test in ("hour", "nothing"):
        desk.red(f"{first} -k {test}")
        assert desk.sh("gitmem add error --last") == 0, desk.said
    for line, plugin in FORMS:
        desk.env["GITMEM_PYTEST"] = plugin
        desk.sh(f"gitmem run -- {line}")
        known = [block for block in desk.said.split("gitmem: ")[1:] if block.startswith("known  ")]
        assert len(known) == len(BOTH), f"{line}: {desk.said}"
        assert "gitmem: new" not in desk.said, f"{line}: {desk.said}"
        for words in BOTH:
            assert words in "".join(known), f"{line}: {desk.said}"


@deep
@only_deep
def test_what_nobody_recorded_is_still_there_under_other_command_lines(desk: Desk) -> None:
    bug(desk)
    desk.red("pytest -q")
    assert "gitmem: new" in desk.said
    for line, plugin in FORMS:
        desk.env["GITMEM_PYTEST"] = plugin
        desk.sh(f"gitmem run -- {line}")
        assert desk.said.count("gitmem: still failing") == len(BOTH), f"{line}: {desk.said}"
        assert "gitmem: new" not in desk.said, f"{line}: {desk.said}"


def test_another_test_that_says_the_same_is_new(desk: Desk) -> None:
    """A bare comparison is known by its test; the same one in another test is another failure."""
    bug(desk)
    desk.env["GITMEM_PYTEST"] = "0"
    desk.red("pytest -q --tb=line -k hour")
    assert desk.sh("gitmem add error --last") == 0, desk.said
    other = "def test_two():\n    value = 120\n    assert value == 2\n"
    desk.write("tests/test_other.py", other)
    for line in ("pytest -q tests/test_other.py", "pytest --tb=line tests/test_other.py"):
        desk.red(line)
        desk.tells()


@pytest.mark.parametrize("tool", [tool for tool in SHOPS if tool not in {"junit", "gradle"}])
def test_a_test_that_was_run_by_its_name_is_known_among_all(desk: Desk, tool: str) -> None:
    shop = begin(desk, tool)
    desk.red(shop.narrow.replace("{name}", NAMES[0]))
    assert desk.sh("gitmem add error --last") == 0, desk.said
    desk.red(shop.command)
    desk.tells(f"wrong {NAMES[0]}")


PRICES = """\
class UnknownItem(Exception):
    pass


def price(prices, item):
    if item not in prices:
        raise UnknownItem(f"{item!r} has no price")
    return prices[item]


def nut(prices):
    return price(prices, "nutt")


def bolt(prices):
    return price(prices, "boltt")
"""


def test_a_message_that_names_something_else_is_similar_and_not_known(desk: Desk) -> None:
    test = "import shop\n\n\ndef test_{0}():\n    assert shop.{0}({{'{0}': 2}}) == 2\n"
    desk.begin(shop_py=PRICES, test_nut_py=test.format("nut"))
    desk.red("pytest -q")
    desk.swap("shop.py", '"nutt"', '"nut"')
    desk.green("pytest -q")
    desk.repo.commit("fix: a nut is a nut")
    desk.learnt(
        fact("has no price", '-return price(prices, "nutt")', '+return price(prices, "nut")')
    )
    desk.write("test_bolt.py", test.format("bolt"))
    desk.red("pytest -q")
    desk.tells()
    assert "similar" in desk.said, desk.said


GROUP = """\
import asyncio


async def price(item):
    return {"bolt": 3}[item]


async def total(items):
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(price(item)) for item in items]
    return sum(task.result() for task in tasks)
"""
TEST_GROUP = (
    "import asyncio\n\nfrom shop import total\n\n\n"
    "def test_total():\n    assert asyncio.run(total(['bolt', 'nut'])) == 5\n"
)


@pytest.mark.parametrize("plugin", ["1", "0"])
def test_what_was_raised_in_a_group_is_the_error(desk: Desk, plugin: str) -> None:
    desk.env["GITMEM_PYTEST"] = plugin
    desk.begin(shop_py=GROUP, test_shop_py=TEST_GROUP)
    desk.red("pytest -q")
    assert desk.said.count("gitmem: new") == 1, desk.said
    desk.swap("shop.py", '{"bolt": 3}', '{"bolt": 3, "nut": 2}')
    desk.green("pytest -q")
    desk.learnt(fact("KeyError: 'nut'", '-return {"bolt": 3}[item]',
                     '+return {"bolt": 3, "nut": 2}[item]'))  # fmt: skip
