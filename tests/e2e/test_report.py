"""The report in a real browser: light, dark and narrow; nothing is loaded, nothing is markup."""

import json
import re
import shutil
import subprocess
import threading
import zlib
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from tests.depth import deep, only_deep
from tests.e2e.running import complains, ok, run, untouched

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import Built, Checkout

EVIL: Final = "<script>document.title='owned'</script><img src=http://127.0.0.1:9/x>\x1b[31m"
BROWSER: Final = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
needs_browser = pytest.mark.skipif(BROWSER is None, reason="no Chromium here")
Pixel = tuple[int, int, int]


@pytest.fixture
def shop(repo: "Checkout", built: "Built") -> "Checkout":
    """Make a memory that has something for every section."""
    return built(repo, fill)


def fill(repo: "Checkout") -> None:
    ok(repo, "init")
    for outcome in ("worked", "failed", "worked"):
        said = ok(repo, "add", "error", "--type", "TypeError", "--message", f"bad {EVIL}")
        name = said.split()[0]
        ok(repo, "resolve", name, f"use zones {EVIL}", "--outcome", outcome)
    ok(repo, "add", "error", "--type", "KeyError", "--message", "'sub'")


class _Parts(HTMLParser):
    """Collects tags, ids, and whatever could load something."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.tags: list[str] = []
        self.loads: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        names = {"src", "href", "xlink:href", "action", "data", "srcset", "poster", "background"}
        self.ids += [value or "" for name, value in attrs if name == "id"]
        self.loads += [(name, value or "") for name, value in attrs if name in names]
        assert not [name for name, _ in attrs if name.startswith("on")]


def test_nothing_can_be_loaded_and_no_record_is_markup(shop: "Checkout") -> None:
    with untouched(shop):
        written = run(shop, "stats", "report").notes[-1].removeprefix("note: written to ")
    text = Path(written).read_text()
    parts = _Parts()
    parts.feed(text)
    assert all(how == "href" and target[0] == "#" for how, target in parts.loads)
    assert not {"script", "img", "iframe", "link", "object"} & set(parts.tags)
    assert "default-src 'none'" in text
    assert "url(" not in text
    assert "@import" not in text
    assert "&lt;script&gt;" in text
    assert "\x1b" not in text
    for title in (
        "Frequent failures",
        "Success by approach",
        "Fixes after which the failure came back",
        "Trends",
    ):
        assert f"<h2>{title}</h2>" in text
    assert parts.tags.count("svg") == 12  # six charts, each for wide and for narrow pages


def test_ids_lead_to_what_the_records_say(shop: "Checkout") -> None:
    name = ok(shop, "list", "kind:fix").split()[0]
    author = json.loads(ok(shop, "show", name, "--json"))["record"]["author"]["name"]
    text = ok(shop, "stats", "report", "-")
    parts = _Parts()
    parts.feed(text)
    targets = {target[1:] for _, target in parts.loads}
    assert name in targets
    assert targets <= set(parts.ids)
    assert len(parts.ids) == len(set(parts.ids))
    assert "approach: use zones &lt;script&gt;" in text
    assert author
    assert author not in text


def test_the_same_memory_gives_the_same_page(shop: "Checkout") -> None:
    pages = []
    for name in ("one.html", "two.html"):
        ok(shop, "stats", "report", name)
        pages.append(re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", "", (shop / name).read_text()))
    assert pages[0] == pages[1]


def test_an_empty_memory_has_a_report(repo: "Checkout") -> None:
    ok(repo, "init")
    text = ok(repo, "stats", "report", "-")
    assert "Nothing yet." in text
    assert "No failure was recorded twice." in text


def test_a_file_that_can_not_be_written_says_so(shop: "Checkout") -> None:
    complains(
        run(shop, "stats", "report", "no/such/folder.html"), 6, "can't write no/such/folder.html"
    )


def shot(page: str, folder: Path, width: int, *, dark: bool) -> tuple[list[list[Pixel]], set[str]]:
    """Take a picture of a page; give its pixels, row by row, and every address asked for."""
    assert BROWSER is not None
    picture, log = folder / "shot.png", folder / "net.json"
    command = [
        BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
        f"--user-data-dir={folder / 'profile'}", f"--window-size={width},900",
        f"--blink-settings=preferredColorScheme={0 if dark else 1}",
        # The browser itself would call home.
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
        "--no-first-run", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        f"--screenshot={picture}", f"--log-net-log={log}", page,
    ]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True, timeout=100)
    events = json.loads(log.read_text())["events"]
    asked = {event.get("params", {}).get("url", "") for event in events}
    return pixels(picture.read_bytes()), {url for url in asked if "127.0.0.1" in url}


@pytest.fixture
def served(tmp_path: Path) -> "Iterator[str]":
    """Serve a folder on a free port of this machine; give its address."""
    handler = partial(_Quiet, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


def pixels(png: bytes) -> list[list[Pixel]]:
    """Decode a PNG with 8 bits a channel, without a library."""
    width, height = (int.from_bytes(png[at : at + 4]) for at in (16, 20))
    channels = {2: 3, 6: 4}[png[25]]
    data, at = b"", 8
    while at < len(png):
        size = int.from_bytes(png[at : at + 4])
        if png[at + 4 : at + 8] == b"IDAT":
            data += png[at + 8 : at + 8 + size]
        at += size + 12
    raw, stride = zlib.decompress(data), width * channels
    before, rows = bytearray(stride), []
    for row in range(height):
        start = row * (stride + 1)
        kind, line = raw[start], bytearray(raw[start + 1 : start + 1 + stride])
        for i in range(stride):
            left = line[i - channels] if i >= channels else 0
            corner = before[i - channels] if i >= channels else 0
            add = (0, left, before[i], (left + before[i]) // 2, _paeth(left, before[i], corner))
            line[i] = (line[i] + add[kind]) & 255
        rows.append([(line[i], line[i + 1], line[i + 2]) for i in range(0, stride, channels)])
        before = line
    return rows


def _paeth(left: int, up: int, corner: int) -> int:
    guess = left + up - corner
    return min((left, up, corner), key=lambda one: abs(guess - one))


def brightness(rows: list[list[Pixel]]) -> float:
    return sum(sum(pixel) for row in rows for pixel in row) / (3 * len(rows) * len(rows[0]))


@deep
@only_deep
@needs_browser
@pytest.mark.slow
def test_it_is_light_or_dark_and_fits_a_phone(
    shop: "Checkout", served: str, tmp_path: Path
) -> None:
    ok(shop, "stats", "report", str(tmp_path / "report.html"))
    page = f"{served}/report.html"
    light, asked = shot(page, tmp_path, 800, dark=False)
    dark, _ = shot(page, tmp_path, 800, dark=True)
    narrow, _ = shot(page, tmp_path, 400, dark=False)
    assert page in asked
    assert asked <= {page, f"{served}/", f"{served}/favicon.ico"}
    assert brightness(light) > 200
    assert brightness(dark) < 80
    # The columns of the chart are drawn, in the page's colours.
    assert any(_near(pixel, (83, 121, 159)) for row in light for pixel in row)
    assert any(_near(pixel, (112, 154, 192)) for row in dark for pixel in row)
    # Nothing is cut off at the side of a phone: the edge is all paper.
    assert {pixel for row in narrow for pixel in row[-6:]} == {(0xFB, 0xFB, 0xF9)}


def _near(one: Pixel, other: Pixel) -> bool:
    return all(abs(a - b) <= 3 for a, b in zip(one, other, strict=True))
