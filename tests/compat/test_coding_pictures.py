"""Pictures in the coding memory: what a model that sees says of them, by the document's calls."""

import asyncio
import struct
import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from gitmem.compat.coding import VisionAnalyzer
from tests.model_server import Server, says, serving

if TYPE_CHECKING:
    from tests.conftest import Checkout


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


PICTURE = (
    b"\x89PNG\r\n\x1a\n"
    + chunk(b"IHDR", struct.pack(">IIBBBBB", 8, 8, 8, 0, 0, 0, 0))
    + chunk(b"IDAT", zlib.compress((b"\0" + b"\xff" * 8) * 8))
    + chunk(b"IEND", b"")
)
"""Eight by eight white points: what stands in it is the model's to say."""

SHOWN = {
    "error_type": "KeyError", "message": "'user'", "file": "src/a.py", "line": 3,
    "key_frames": ["src/a.py:3 log_in"], "visible_code": "return users['user']",
    "suspected_cause": "nobody logged in", "confidence": "medium",
}  # fmt: skip


@pytest.fixture
def server(here: "Checkout", monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    here.add("picture.png", PICTURE)
    with serving() as started:
        for name, value in {"BASE_URL": started.url, "PRICE": "1/2"}.items():
            monkeypatch.setenv(f"GITMEM_LLM_{name}", value)
        yield started


def test_s4_21_and_58_the_components_of_a_diagram(server: Server) -> None:
    server.will(
        says({
            "components": ["API Gateway", "Database"],
            "connections": ["API Gateway -> Database: SQL"],
            "architecture_pattern": "Microservices", "notes": [],
        })
    )  # fmt: skip
    vision = VisionAnalyzer("seer")
    answer = asyncio.run(vision.analyze_architecture_diagram("picture.png"))
    assert answer["components"] == ["API Gateway", "Database"]
    assert answer["architecture_pattern"] == "Microservices"
    assert answer["machine_made"] is True
    assert server.requests[0].body["model"] == "seer"


def test_s4_22_the_code_in_a_picture(server: Server) -> None:
    server.will(says({"language": "python", "file": "a.py", "code": "x = 1\n", "unreadable": []}))
    answer = asyncio.run(VisionAnalyzer("seer").extract_code("picture.png"))
    assert (answer["language"], answer["code"]) == ("python", "x = 1\n")


def test_s4_4_and_20_and_57_the_error_in_a_screenshot(server: Server) -> None:
    server.will(says(SHOWN))
    answer = asyncio.run(VisionAnalyzer("seer").analyze_error_screenshot("picture.png"))
    assert (answer["error_type"], answer["file"], answer["line"]) == ("KeyError", "src/a.py", 3)
    assert answer["suspected_cause"] == "nobody logged in"
