"""What ``gitmem import git`` takes from a history: failures that can be known, and no junk."""

from gitmem.memory import Memory
from gitmem.records.kinds import Error, Fix
from tests.scenarios.desk import Desk

CART = "def total(items):\n    return sum(items) + None\n"
TEST = "from cart import total\n\n\ndef test_total():\n    assert total([1]) == 1\n"
MESSAGE = """Fix the total of a cart

TypeError: unsupported operand type(s) for +: 'int' and 'NoneType'
"""
PROMPT = 'def ask():\n    return "Password: \\nRepeat for confirmation: \\n"{0}\n'


def history(desk: Desk) -> None:
    """Commit fixes, and what only looks like one."""
    desk.begin(cart_py=CART, show_py="def show(n):\n    return f'{n:.1f}'\n", ci_yml="a: 1\n")
    desk.write("cart.py", CART.replace(" + None", ""))
    desk.write("test_cart.py", TEST)
    desk.repo.commit(MESSAGE)
    desk.write("show.py", "def show(n):\n    return f'{n:.2f}'\n")
    desk.write("test_show.py", "from show import show\n\n\ndef test_show():\n    assert show(1)\n")
    desk.repo.commit("Fix formatting of prices was wrong")
    desk.write("ask.py", PROMPT.format(""))
    desk.repo.commit("Ask")
    desk.write("ask.py", PROMPT.format(".strip()"))
    desk.repo.commit("Fix crash of the prompt for a KeyError")
    desk.write(".github/workflows/ci.yml", "a: 2\n")
    desk.repo.commit("Fix the failing build")
    desk.write("cart.py", CART.replace(" + None", "") + "\n# totals\n")
    desk.repo.commit("Fix comment formatting")
    desk.write("new.py", "x = 1\n")
    desk.repo.commit("docs: fix broken page")
    desk.repo.git("revert", "--no-edit", "HEAD")


def test_failures_of_a_history_are_named(desk: Desk) -> None:
    history(desk)
    assert desk.sh("gitmem import git") == 0, desk.said
    with Memory.open(str(desk.repo)) as memory:
        errors = {row.title: memory.show(row.id).record for row in memory.list("kind:error")}
        fixes = [memory.show(row.id).record for row in memory.list("kind:fix")]
    cart_title = "the total of a cart"
    if cart_title not in errors:
        cart_title = "TypeError: unsupported operand type(s) for +: 'int' and 'NoneType'"
    assert set(errors) == {
        cart_title, "formatting of prices was wrong", "crash of the prompt for a KeyError",
    }  # fmt: skip
    cart = errors[cart_title]
    assert isinstance(cart, Error)
    assert cart.error_type == "TypeError"
    assert cart.message == "unsupported operand type(s) for +: 'int' and 'NoneType'"
    assert cart.tests == ("test_cart.py::test_total",)
    prompt = errors["crash of the prompt for a KeyError"]
    assert isinstance(prompt, Error)
    assert prompt.error_type == "KeyError"
    patches = [fix.patch for fix in fixes if isinstance(fix, Fix)]
    assert any("Repeat for confirmation" in patch for patch in patches)
    assert not any("<redacted" in patch for patch in patches)


def test_an_imported_fix_is_told_where_the_failure_comes_again(desk: Desk) -> None:
    history(desk)
    assert desk.sh("gitmem import git") == 0, desk.said
    desk.write("sum.py", "def add(a):\n    return a + None\n")
    desk.write("test_sum.py", "from sum import add\n\n\ndef test_add():\n    assert add(1)\n")
    desk.red("pytest -q test_sum.py")
    assert "Fix the total of a cart" in desk.said.partition("gitmem:")[2], desk.said
