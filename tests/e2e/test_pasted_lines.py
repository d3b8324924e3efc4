"""A line out of what a watched command printed: what is known of the whole failure is told."""

from typing import TYPE_CHECKING

from gitmem.mcp.hints import hint
from gitmem.memory import Memory
from tests.e2e.running import ok, run

if TYPE_CHECKING:
    from tests.conftest import Checkout

_SHOP = 'require("./till");\n'
_TEST = ("run", "--", "node", "shop.js")
_LINE = "Error: Cannot find module './till'"


def test_a_line_of_what_fails_here_is_not_called_new(memory: "Checkout") -> None:
    (memory / "shop.js").write_text(_SHOP)
    assert run(memory, *_TEST).code
    assert "gitmem: new" in run(memory, "hint", _LINE).out
    whole = run(memory, *_TEST)
    for pasted in (_LINE, f"Uncaught {_LINE}", whole.err):
        told = run(memory, "hint", pasted)
        assert "gitmem: still failing, no fix known" in told.out, pasted
        assert "not seen before" not in told.err
    with Memory.open(str(memory)) as opened:
        assert hint(opened, _LINE).parts[0].text.startswith("still failing, nothing recorded")
    assert "gitmem: new" in run(memory, "hint", "Error: Cannot open the drawer").out


def test_a_line_finds_what_fixed_it_before_that_is_recorded(memory: "Checkout") -> None:
    (memory / "shop.js").write_text(_SHOP)
    assert run(memory, *_TEST).code
    (memory / "till.js").write_text("module.exports = 1;\n")
    ok(memory, *_TEST)
    draft = ok(memory, "drafts").split()[0]
    told = ok(memory, "hint", _LINE)
    assert "(same message)" in told
    assert f"worked      till.js: add `module.exports = 1;`  draft {draft}" in told
    ok(memory, "drafts", "keep", draft)
    told = ok(memory, "hint", f"Uncaught {_LINE}")
    assert "(same message)" in told
    assert told.count("till.js: add") == 1
