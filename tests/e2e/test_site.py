"""The documentation as a site: every page in its place, searchable, and no link leads nowhere."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from scripts import build_site

ROOT: Final = Path(__file__).resolve().parents[2]


def test_every_page_has_its_place_in_the_order_of_the_readme() -> None:
    pages = ["README.md", "docs/a.md", "docs/b.md", "SECURITY.md"]
    readme = (
        "# x\n\n## Page by page\n\n- **Every day**: [b](docs/b.md),\n  [a](docs/a.md)\n\n## Z\n"
    )
    assert build_site.navigation(readme, pages) == [
        {"gitmem": "README.md"},
        {"Every day": ["docs/b.md", "docs/a.md"]},
        {"The project": ["SECURITY.md"]},
    ]


def test_what_is_for_tests_is_left_out(tmp_path: Path) -> None:
    pages = build_site.lay_out(tmp_path)
    assert {"README.md", "docs/commands.md", "ARCHITECTURE.md"} <= set(pages)
    for page in pages:
        text = (tmp_path / page).read_text(encoding="utf-8")
        assert not any(line.startswith("<!-- setup:") for line in text.splitlines())
    assert "<code>--color [auto&#124;always&#124;never]</code>" in (
        tmp_path / "docs/commands.md"
    ).read_text(encoding="utf-8")
    assert (tmp_path / "docs/images/report.png").exists()


@pytest.mark.skipif(not importlib.util.find_spec("mkdocs"), reason="make docs installs MkDocs")
@pytest.mark.slow
def test_the_site_is_built_searched_and_loads_nothing(tmp_path: Path) -> None:
    script = ROOT / "scripts" / "build_site.py"
    done = subprocess.run(
        [sys.executable, script, tmp_path / "site"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    html = tmp_path / "site" / "html"
    index = json.loads((html / "search" / "search_index.json").read_text(encoding="utf-8"))
    titles = {part["title"] for part in index["docs"]}
    assert {"Commands", "gitmem run", "Compared with other memories"} <= titles
    assert "recognised" in (html / "index.html").read_text(encoding="utf-8")
    source = tmp_path / "site" / "source"
    (source / "docs" / "report.md").write_text("[nowhere](absent.md)\n", encoding="utf-8")
    with pytest.raises(subprocess.CalledProcessError):
        build_site.run_mkdocs(tmp_path / "site")
