"""Pictures in the coding memory: what a model that sees says of them, by the document's calls."""

import asyncio
import struct
import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.compat.coding import CodingMemoryManager, VisionAnalyzer
from gitmem.memory import Memory
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


def recorded(manager: CodingMemoryManager) -> Any:
    """Record an error as the document does, of which only the screenshot tells anything."""
    error = asyncio.run(
        manager.record_error("Unknown", "See screenshot", file_path="unknown",
                             screenshot="picture.png")
    )  # fmt: skip
    with Memory.open() as memory:
        return memory.show(error).record


def test_s4_20_a_manager_with_a_vision_model_records_what_it_sees(server: Server) -> None:
    server.will(says(SHOWN))
    limits: dict[str, Any] = {"cost_threshold": 0.0, "auto_approve": True}
    error = recorded(CodingMemoryManager("dev", "api", vision_model="seer", **limits))
    assert (error.error_type, error.message) == ("KeyError", "'user'")
    assert (error.location.file, error.location.line) == ("src/a.py", 3)
    assert "nobody logged in" in error.cause
    assert server.requests[0].body["model"] == "seer"


def test_s4_20_and_37_the_variable_chooses_the_model_that_sees_within_the_limits(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODING_MEMORY_VISION_MODEL", "seer")
    with pytest.warns(RuntimeWarning, match="the screenshot was not read by seer"):
        kept = recorded(CodingMemoryManager("dev", "api", cost_threshold=0.0))
    assert (kept.message, server.requests) == ("See screenshot", [])
    server.will(says(SHOWN))
    assert recorded(CodingMemoryManager("dev", "api")).error_type == "KeyError"
