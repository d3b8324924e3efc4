"""jest, driven by an assistant's hooks: what failed, what mended it, and what only seems to."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.e2e.installed_tools import from_npm
from tests.e2e.running import ok, run
from tests.e2e.test_assistant_hooks import Session

if TYPE_CHECKING:
    from tests.conftest import Checkout

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]
CART = """\
function total(prices) {
  return prices.reduce((sum, price) => sum + price, 1);
}

function first(items) {
  return items[0].name;
}

module.exports = { total, first };
"""
TESTS = """\
const { total, first } = require('./cart');

test('sums up', () => {
  expect(total([1, 2])).toBe(3);
});

test('first of none', () => {
  expect(first([])).toBeUndefined();
});
"""
READ = "TypeError: Cannot read properties of undefined (reading 'name')"
SUM = "sums up: toBe: expected 3, received 4"


def swap(session: Session, old: str, new: str, name: str = "cart.js") -> None:
    """Edit a file in one place."""
    file = Path(session.folder, name)
    text = file.read_text()
    assert text.count(old) == 1
    file.write_text(text.replace(old, new))


def test_an_assistant_mends_what_jest_shows_and_the_next_one_is_told(repo: "Checkout") -> None:
    jest = f"{from_npm('jest', 'jest@29.7.0')} --ci"
    repo.add("package.json", '{"name": "shop", "version": "1.0.0"}\n')
    repo.add("cart.js", CART)
    repo.add("cart.test.js", TESTS)
    ok(repo, "init")
    repo.commit()
    session = Session(repo)
    session.bash(f"{jest} 2>&1 | tail -80")
    swap(session, "items[0].name", "items[0]?.name")
    assert "items[0]?.name" in session.bash(jest)
    # What another expectation lets pass is no fix, and neither is what a skip does.
    swap(session, "toBe(3)", "toBe(4)", "cart.test.js")
    assert "test changed: cart.test.js" in session.bash(jest)
    swap(session, "toBe(4)", "toBe(3)", "cart.test.js")
    swap(session, "test('sums", "test.skip('sums", "cart.test.js")
    assert session.bash(jest) == ""
    swap(session, "test.skip('sums", "test('sums", "cart.test.js")
    session.bash(jest)
    swap(session, "price, 1", "price, 0")
    assert "price, 0" in session.bash(jest)
    lines = [line for line in run(repo, "drafts").out.splitlines() if "  " in line]
    drafts = [line.split("  ") for line in lines if not line.startswith(" ")]
    assert [title for _, title in drafts] == [READ, SUM, SUM]
    for number in (0, 2):
        ok(repo, "drafts", "keep", drafts[number][0])
    worked = ok(repo, "search", "status:worked")
    assert worked.count("  fix  worked  ") == len((READ, SUM))
    assert "test changed" not in worked
    repo.commit("mended")
    swap(session, "items[0]?.name", "items[0].name")
    told = session.bash(jest)
    assert told.index("same error") < told.index("worked: `` cart.js: replace")
