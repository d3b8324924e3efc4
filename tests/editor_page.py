"""A page that looks like an editor with a problem, drawn by a browser."""

import html
import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

BROWSER: Final = shutil.which("chromium") or shutil.which("google-chrome") or ""
_PAGE: Final = """<!doctype html><meta charset=utf-8><style>
body {{ margin: 0; background: {paper}; color: {ink}; font: 13px 'Lato', sans-serif }}
.tab {{ background: {bar}; padding: 8px 16px }}
.path {{ padding: 4px 16px; opacity: .8 }}
pre {{ font: 14px 'DejaVu Sans Mono', monospace; line-height: 20px; margin: 6px 0 }}
pre i {{ display: inline-block; width: 44px; text-align: right; margin-right: 20px; opacity: .55;
  font-style: normal }}
u {{ text-decoration: underline wavy #f14c4c }}
.hover {{ margin: 4px 0 10px 110px; border: 1px solid #888; background: {bar}; padding: 6px 10px;
  width: 560px }}
.panel {{ border-top: 1px solid #888; padding: 8px 16px; line-height: 24px; font-size: 14px }}
</style><div class=tab>{name}</div><div class=path>{folder} &gt; {name}</div>
<pre>{code}</pre><div class=hover>{message} <span>{source}({number})</span></div>
<div class=panel>PROBLEMS &nbsp; OUTPUT &nbsp; TERMINAL<br>{folder}/{name}<br>
<span style="color:#f14c4c">&#9679;</span> {message} {source}({number}) [Ln {line}, Col {column}]
</div>"""
THEMES: Final = {
    "dark": {"paper": "#1e1e1e", "ink": "#d4d4d4", "bar": "#2d2d30"},
    "light": {"paper": "#ffffff", "ink": "#222222", "bar": "#ececec"},
}


def picture(folder: Path, problem: dict[str, str | int], code: str, theme: str) -> bytes:
    """Draw the editor.

    Args:
        folder: for the page and what the browser leaves behind.
        problem: its folder, name, message, source, number, line and column.
        code: what the editor shows; a part in angle brackets is underlined.
        theme: a name of ``THEMES``.

    """
    lines = html.escape(code).replace("&lt;&lt;", "<u>").replace("&gt;&gt;", "</u>").split("\n")
    numbered = "\n".join(f"<i>{number}</i>{line}" for number, line in enumerate(lines, 1))
    told = {key: html.escape(str(value), quote=False) for key, value in problem.items()}
    page = folder / "page.html"
    page.write_text(_PAGE.format(code=numbered, **told, **THEMES[theme]), encoding="utf-8")
    target = folder / "editor.png"
    subprocess.run(
        [
            BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            f"--user-data-dir={folder / 'profile'}", f"--screenshot={target}",
            "--window-size=900,420", page.as_uri(),
        ],
        check=True, capture_output=True, timeout=100, env={**os.environ, "HOME": str(folder)},
    )  # fmt: skip
    return target.read_bytes()
