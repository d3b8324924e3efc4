"""The figures that only fall: what is counted, and what is told of them."""

from pathlib import Path

from scripts import ceilings

FACADE = '''
class Failures:
    def forwards(self):
        """Give what another gives."""
        from gitmem.memory.failures.x import x
        return x(self)

    def works(self):
        from gitmem.memory.failures.x import x
        found = x(self)
        return found.lines
'''


def test_code_is_counted_by_what_it_says(tmp_path: Path) -> None:
    (tmp_path / "gitmem").mkdir()
    (tmp_path / "lsp_server").mkdir()
    (tmp_path / "gitmem" / "parts").mkdir()
    (tmp_path / "gitmem" / "parts" / "more.py").write_text("x = 1\n")
    (tmp_path / "gitmem" / "facade.py").write_text(FACADE)
    long = "if TYPE_CHECKING:\n    import os\n" + "x = 1\n" * 400
    (tmp_path / "lsp_server" / "long.py").write_text(long)
    assert ceilings.figures_of_code(tmp_path) == {
        "lines of the core": 11 + 402,
        "lines with all parts": 11 + 402 + 1,
        "modules over 400 lines": 1,
        "imports in functions": 2,
        "blocks for type checking": 1,
        "methods of facades that only forward": 1,
    }


def test_what_grows_and_what_could_be_lowered_is_told() -> None:
    assert list(ceilings.compare({"lines": 1000}, {"lines": 1010})) == []
    (grown,) = ceilings.compare({"lines": 1001}, {"lines": 1000})
    assert grown.startswith("lines: 1001, at most 1000")
    (loose,) = ceilings.compare({"lines": 980}, {"lines": 1000})
    assert "--lower" in loose
    (alone,) = ceilings.compare({"lines": 1}, {})
    assert "not both" in alone


def test_each_figure_of_the_house_has_a_ceiling() -> None:
    counted = ceilings.figures(ceilings.ROOT)
    assert not [each for each in ceilings.breaches(ceilings.ROOT) if "not both" in each]
    assert min(counted.values()) > 0
