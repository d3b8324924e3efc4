"""What is everyday, by every runner: test first, mend by mend, another command line, one cause."""

import re

import pytest

from tests.depth import deep, only_deep
from tests.scenarios.desk import Desk, Fact, needs
from tests.scenarios.projects import PROJECTS, require
from tests.scenarios.shops import SHOPS, Shop

NAMES = ("apple", "berry", "cherry")
TESTS = tuple(f"sale{number}" for number in range(12))


def begin(desk: Desk, tool: str, names: tuple[str, ...] = NAMES, *, tests: bool = True) -> Shop:
    """Commit a shop, with its tests or without them."""
    shop = SHOPS[tool]
    desk.env |= require(PROJECTS[tool])
    desk.begin()
    for path, text in shop.more.items():
        desk.write(path, text)
    desk.write(shop.code, shop.code_of(names))
    if tests:
        desk.write(shop.tests, shop.tests_of(names))
    desk.repo.commit("a shop")
    return shop


def mend(desk: Desk, shop: Shop, name: str) -> Fact:
    """Mend a function; give the fact that this is."""
    text = shop.function.replace("{name}", name)
    line = next(line for line in text.splitlines() if "0" in line)
    better = line.replace("0", "1")
    desk.swap(shop.code, line, better)
    return Fact(f"wrong {name}", frozenset({f"-{_plain(line)}", f"+{_plain(better)}"}))


def _plain(line: str) -> str:
    return " ".join(line.split())


@deep
@only_deep
@pytest.mark.parametrize("tool", SHOPS)
def test_the_test_comes_first_and_nothing_is_committed(desk: Desk, tool: str) -> None:
    shop = begin(desk, tool, NAMES[:1], tests=False)
    desk.write(shop.tests, shop.tests_of(NAMES[:1]))
    desk.red(shop.command)
    fact = mend(desk, shop, NAMES[0])
    desk.green(shop.command)
    desk.learnt(fact)


@deep
@only_deep
@pytest.mark.parametrize("tool", SHOPS)
def test_three_mends_in_three_runs(desk: Desk, tool: str) -> None:
    shop = begin(desk, tool)
    desk.red(shop.command)
    facts = []
    for name in NAMES:
        facts.append(mend(desk, shop, name))
        desk.sh(f"gitmem run -- {shop.command}")
    desk.learnt(*facts)


@deep
@only_deep
@pytest.mark.parametrize("tool", [tool for tool in SHOPS if tool != "junit"])
def test_a_test_that_is_run_by_its_name(desk: Desk, tool: str) -> None:
    shop = begin(desk, tool)
    desk.red(shop.command)
    fact = mend(desk, shop, NAMES[1])
    desk.green(shop.narrow.replace("{name}", NAMES[1]))
    desk.red(shop.command)
    desk.learnt(fact)


@deep
@only_deep
@pytest.mark.parametrize("tool", SHOPS)
def test_one_renamed_function_is_one_error(desk: Desk, tool: str) -> None:
    """All tests call a function by the name that it had."""
    shop = begin(desk, tool, NAMES[:1], tests=False)
    calls = shop.tests_of(TESTS)
    for name in TESTS:
        body = shop.test.replace("{name}", name)
        called = re.sub(rf"(?<!test_)\b{name}(?=\(\)| ==)", "price", body)
        calls = calls.replace(body, called)
    desk.write(shop.tests, calls)
    desk.write(shop.code, shop.code_of(["cost"]).replace("0", "1"))
    desk.repo.commit("the price is called cost")
    desk.red(shop.command)
    declared = next(line for line in shop.function.splitlines() if "{name}" in line)
    old = declared.replace("{name}", "cost").replace("0", "1")
    new = old.replace("cost", "price", 1)
    desk.swap(shop.code, old, new)
    desk.green(shop.command)
    told = [line for line in desk.said.partition("gitmem: ")[2].splitlines() if line]
    assert len(told) <= 5, desk.said
    desk.learnt(Fact("", frozenset({f"-{_plain(old)}", f"+{_plain(new)}"})))


@deep
@only_deep
@pytest.mark.parametrize("tool", ["node", "jest", "vitest", "mocha"])
def test_a_script_of_npm_asks_for_the_same(desk: Desk, tool: str) -> None:
    needs("npm")
    shop = begin(desk, tool)
    script = f'{{"name": "shop", "version": "1.0.0", "scripts": {{"test": "{shop.command}"}}}}\n'
    desk.write("package.json", script)
    desk.repo.commit("a script")
    desk.red("npm test")
    facts = [mend(desk, shop, NAMES[0])]
    desk.red(shop.command)
    facts.append(mend(desk, shop, NAMES[1]))
    desk.red("npm run --silent test")
    facts.append(mend(desk, shop, NAMES[2]))
    desk.green(shop.command)
    desk.learnt(*facts)
