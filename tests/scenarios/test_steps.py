"""The step that fixed it, and what was tried before."""

from tests.depth import deep, only_deep
from tests.scenarios.desk import Desk, fact

TESTS = "import shop\n\n\n" + "\n\n".join(
    f"def test_{name}():\n    assert shop.{name}() == {n}\n" for n, name in enumerate("abc", 1)
)
SHOP = "\n\n".join(f"def {name}():\n    return 0  # {name}\n" for name in "abc")


@deep
@only_deep
def test_three_mends_are_three_fixes(desk: Desk) -> None:
    desk.begin(shop_py=SHOP, test_shop_py=TESTS)
    desk.red("pytest -q")
    for n, name in enumerate("abc", 1):
        desk.swap("shop.py", f"return 0  # {name}", f"return {n}  # {name}")
        desk.sh("gitmem run -- pytest -q")
    desk.learnt(
        *(fact("assert 0 == ", f"-return 0 # {name}", f"+return {n} # {name}")
          for n, name in enumerate("abc", 1))
    )  # fmt: skip


@deep
@only_deep
def test_without_the_plugin_a_runner_that_goes_on_tells_as_much(desk: Desk) -> None:
    desk.env["GITMEM_PYTEST"] = "0"
    test_three_mends_are_three_fixes(desk)


@deep
@only_deep
def test_an_edit_of_another_file_between_is_no_part_of_it(desk: Desk) -> None:
    desk.begin(shop_py=SHOP, test_shop_py=TESTS.replace("== 2", "== 0").replace("== 3", "== 0"),
               notes_py="X = 1\n")  # fmt: skip
    desk.red("pytest -q")
    desk.swap("notes.py", "1", "2")
    desk.red("pytest -q")
    desk.swap("shop.py", "return 0  # a", "return 1  # a")
    desk.green("pytest -q")
    desk.learnt(fact("assert 0 == 1", "-return 0 # a", "+return 1 # a"))


@deep
@only_deep
def test_attempts_begin_at_the_red_code(desk: Desk) -> None:
    desk.begin(shop_py=SHOP, test_shop_py=TESTS.replace("== 2", "== 0").replace("== 3", "== 0"))
    desk.red("pytest -q")
    desk.swap("shop.py", "return 0  # a", "return 7  # a")
    desk.red("pytest -q")
    desk.repo.git("checkout", "-q", "shop.py")
    desk.swap("shop.py", "return 0  # a", "return 8  # a")
    desk.red("pytest -q")
    desk.repo.git("checkout", "-q", "shop.py")
    desk.swap("shop.py", "return 0  # a", "return 7  # a")
    desk.red("pytest -q")
    assert "you already tried this" in desk.said
