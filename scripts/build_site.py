"""Build the documentation as a site: lay out the pages, put them in order, run MkDocs.

The pages stay where they are in the repository, so their links to each other hold; what only tests
read (``<!-- setup: … -->``) is left out. The order is that of "Page by page" in README.md. A page
that is in no section, and a link that leads nowhere, fail the build.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any, Final

import yaml

ROOT: Final = Path(__file__).resolve().parent.parent
PAGES: Final = (
    "*.md", "docs/**/*.md", "benchmarks/**/*.md", "changes/README.md",
    "examples/README.md", "vscode-extension/README.md",
)  # fmt: skip
FILES: Final = ("LICENSE", "docs/site.css", "docs/images/*", "examples/ci/*", "examples/hub/*")
_FOR_TESTS: Final = re.compile(
    r"^<!-- (?:setup|file|repository):.*?-->\n", re.DOTALL | re.MULTILINE
)
_BARS: Final = re.compile(r"`([^`\n]*\\\|[^`\n]*)`")
"""Code in a table that holds a bar: GitHub drops the backslash before it, MkDocs does not."""
_SECTION: Final = re.compile(r"^- \*\*(.+?)\*\*:(.*?)(?=^- |^##|\Z)", re.DOTALL | re.MULTILINE)
_LINK: Final = re.compile(r"\]\(([^)#\s]+\.md)\)")


def lay_out(source: Path) -> list[str]:
    """Copy pages and what they show into a folder; give the pages' paths."""
    pages = sorted({str(page.relative_to(ROOT)) for name in PAGES for page in ROOT.glob(name)})
    for name in pages:
        text = _FOR_TESTS.sub("", (ROOT / name).read_text(encoding="utf-8"))
        text = _BARS.sub(lambda code: f"<code>{_with_bars(code[1])}</code>", text)
        target = source / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    for pattern in FILES:
        for file in ROOT.glob(pattern):
            target = source / file.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)
    return pages


def _with_bars(code: str) -> str:
    return escape(code.replace("\\|", "|"), quote=False).replace("|", "&#124;")


def navigation(readme: str, pages: list[str]) -> list[dict[str, Any]]:
    """Put pages in the order in which README.md names them; the others come last."""
    listed = readme.partition("\n## Page by page\n")[2].partition("\n## ")[0]
    sections: list[dict[str, Any]] = [{"gitmem": "README.md"}]
    placed = {"README.md"}
    for name, text in _SECTION.findall(listed):
        paths = [path for path in _LINK.findall(text) if path in pages and path not in placed]
        placed.update(paths)
        sections.append({name: list(dict.fromkeys(paths))})
    rest = [path for path in pages if path not in placed]
    return [*sections, {"The project": rest}]


def run_mkdocs(folder: Path) -> None:
    """Run MkDocs on what is laid out in a folder.

    Raises:
        subprocess.CalledProcessError: it warned of something, or failed.

    """
    # Not --quiet: MkDocs counts only the warnings that it prints.
    command = [sys.executable, "-m", "mkdocs", "build", "--strict"]
    done = subprocess.run(
        [*command, "--config-file", folder / "mkdocs.yml"],
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},  # of the theme, about a release to come
    )
    if done.returncode:
        sys.stderr.write(done.stdout)
    done.check_returncode()


def build(folder: Path) -> Path:
    """Build the site below a folder, which is emptied first; give where its pages are."""
    shutil.rmtree(folder, ignore_errors=True)
    source = folder / "source"
    pages = lay_out(source)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    settings = {
        "INHERIT": os.path.relpath(ROOT / "mkdocs.yml", folder),
        "docs_dir": "source",
        "site_dir": "html",
        "nav": navigation(readme, pages),
    }
    (folder / "mkdocs.yml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    run_mkdocs(folder)
    return folder / "html"


def foreign(pages: Path) -> Iterator[str]:
    """Name what the pages of a site load from elsewhere."""
    for page in sorted(pages.rglob("*.html")):
        text = page.read_text(encoding="utf-8")
        yield from re.findall(r"<(?:script|img|iframe)[^>]* src=\"?(https?:[^\" >]+)", text)
        yield from re.findall(r"<link [^>]*href=\"?(https?:[^\" >]+)", text)


def main() -> int:
    """Run as a script."""
    parser = argparse.ArgumentParser(description="build the documentation as a site")
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "build" / "site")
    try:
        html = build(parser.parse_args().folder)
    except subprocess.CalledProcessError as error:
        return int(error.returncode)
    addresses = sorted(set(foreign(html)))
    if addresses:
        print(f"the site would load {', '.join(addresses)}", file=sys.stderr)
        return 1
    count = len(list(html.rglob("index.html")))
    print(f"docs: {count} pages, all links lead somewhere: {html / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
