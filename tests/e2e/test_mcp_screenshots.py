"""Screenshots that assistants hand over: read offline, kept without metadata, seen by a model."""

import json
import os
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("PIL", reason="needs Pillow: pip install gitmem-native[ocr]")
pytest.importorskip(
    "rapidocr_onnxruntime", reason="the reader has no release for this Python: 3.11 or 3.12 have"
)

from tests.e2e.assistants import data, files_of, piped, refused, talk
from tests.e2e.running import ok
from tests.model_server import Server, says, serving
from tests.screens import SEEN, TRACE, Style, terminal
from tests.unit.test_stripping import SECRET, TELLING

if TYPE_CHECKING:
    from tests.conftest import Checkout

# As the seed has it: nothing is known but the picture.
UNKNOWN = {"error_type": "Unknown", "message": "See screenshot", "file_path": "unknown"}

pytestmark = pytest.mark.timeout(300)


@pytest.fixture
def memory(repo: "Checkout") -> "Checkout":
    ok(repo, "init")
    return repo


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(says(SEEN)) as made:
        yield made


def address(picture: bytes, form: str = "png") -> str:
    return f"data:image/{form};base64,{b64encode(picture).decode()}"


def attached(memory: "Checkout") -> list[Path]:
    folder = Path(memory, ".memory/attachments")
    return list(folder.iterdir()) if folder.exists() else []


@pytest.mark.parametrize("how", ["the picture itself", "a path"])
def test_s4_25_and_57_what_a_screenshot_shows_is_recorded_and_recognised(
    memory: "Checkout", how: str
) -> None:
    picture = terminal(TRACE, Style("dejavu", 15, "dark"))
    memory.add("shots/one.png", picture)
    screenshot = "shots/one.png" if how == "a path" else address(picture)

    async def conversation() -> None:
        async with piped(memory) as client:
            first = await data(client, "coding_record_error", screenshot=screenshot,
                               solution="make all times aware", **UNKNOWN)  # fmt: skip
            shown = json.loads(ok(memory, "show", first["written"][0], "--json"))
            record: dict[str, Any] = shown["record"]
            assert record["error_type"] == "TypeError"
            assert record["message"] == "can't compare offset-naive and offset-aware datetimes"
            assert record["frames"][-1]["file"] == "src/clock.py"
            assert record["frames"][-1]["line"] == 12
            again = await data(client, "coding_record_error", screenshot=screenshot, **UNKNOWN)
            assert "same error" in again["text"]
            assert "make all times aware" in again["text"]
            assert "seen 1 time" in again["text"]
            known = await data(client, "gitmem_hint", text=TRACE)
            assert known["items"][0]["label"] == "same error"

    talk(conversation)
    assert len(attached(memory)) == 1


def test_s4_57_a_picture_that_was_sent_is_kept_without_its_metadata(memory: "Checkout") -> None:
    async def conversation() -> None:
        async with piped(memory) as client:
            for form in ("png", "jpeg", "webp", "gif"):
                await data(client, "coding_record_error", error_type="E", message=form,
                           screenshot=address(TELLING[form], form))  # fmt: skip

    talk(conversation)
    assert len(attached(memory)) == 4
    assert not any(SECRET in one.read_bytes() for one in attached(memory))


def test_s18_what_is_no_picture_is_refused_and_nothing_is_written(memory: "Checkout") -> None:
    async def conversation() -> None:
        async with piped(memory, environ={"GITMEM_LIMITS_ATTACHMENT_KIB": "64"}) as client:
            await data(client, "gitmem_search", query="x")
            before = files_of(memory)
            for screenshot, words in (
                ("data:image/svg+xml;base64,PHN2Zy8+", "not a picture"),
                ("data:text/html;base64,PGI+", "not a picture"),
                ("data:image/png,abc", "not a picture"),
                ("data:image/png;base64,@@@@", "not base64"),
                ("data:image/png;base64,AAAA", "not a picture"),
                ("data:image/png;base64,", "not a picture"),
                (address(b"\x89PNG\r\n\x1a\n" + b"x" * 60), "damaged"),
                (address(b"x" * 120_000), "larger than 64 KiB"),
                (address(b"x" * 240_000), "longer than 256 KiB"),
                ("../one.png", "in the repository"),
                ("/etc/passwd", "in the repository"),
                ("no.png", "no file"),
            ):
                told = await refused(
                    client, "coding_record_error", screenshot=screenshot, **UNKNOWN
                )
                assert words in told, screenshot[:40]
                assert files_of(memory) == before, screenshot[:40]

    talk(conversation)


def test_nothing_is_left_behind_of_a_picture_that_was_sent(
    memory: "Checkout", tmp_path_factory: pytest.TempPathFactory
) -> None:
    place = tmp_path_factory.mktemp("tmp")

    async def conversation() -> None:
        async with piped(memory, environ={"TMPDIR": str(place)}) as client:
            picture = terminal(TRACE, Style("dejavu", 15, "light"))
            await data(client, "coding_record_error", screenshot=address(picture), **UNKNOWN)
            await refused(client, "coding_record_error", screenshot=address(b"x"), **UNKNOWN)

    talk(conversation)
    assert os.listdir(place) == []


def test_without_the_extra_it_is_kept_and_said_so(memory: "Checkout", tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\nsys.modules['rapidocr_onnxruntime'] = None\n"
    )

    async def conversation() -> None:
        async with piped(memory, environ={"PYTHONPATH": str(tmp_path)}) as client:
            picture = terminal(TRACE, Style("dejavu", 15, "light"))
            told = await data(client, "coding_record_error", error_type="TypeError", message="m",
                              screenshot=address(picture))  # fmt: skip
            assert "was not read, only kept" in told["text"]
            assert "gitmem-native[ocr]" in told["text"]

    talk(conversation)
    assert len(attached(memory)) == 1


def seeing(server: Server, **more: str) -> dict[str, str]:
    return {"GITMEM_LLM_VISION_MODEL": "seer", "GITMEM_LLM_BASE_URL": server.url,
            "GITMEM_LLM_PRICE": "1/2", **more}  # fmt: skip


def test_s4_20_a_model_that_sees_is_asked_by_name_only_and_marked(
    memory: "Checkout", server: Server
) -> None:
    picture = terminal(TRACE, Style("dejavu", 15, "dark"))

    async def conversation() -> None:
        async with piped(memory, environ=seeing(server)) as client:
            await data(client, "coding_record_error", screenshot=address(picture), **UNKNOWN)
            assert server.requests == []
            made = await data(client, "coding_record_error", screenshot=address(picture),
                              model="settings", **UNKNOWN)  # fmt: skip
            assert "asked seer at" in made["text"]
            shown = json.loads(ok(memory, "show", made["written"][0], "--json"))["record"]
            # What was read here goes before what a model saw.
            assert shown["message"] == "can't compare offset-naive and offset-aware datetimes"
            assert shown["cause"].startswith("due has no time zone. (By the model seer at ")
            assert "machine-made" in shown["tags"]

    talk(conversation)
    (request,) = server.requests
    assert request.body["model"] == "seer"
    assert "data:image/png;base64," in request.text


def test_a_model_that_sees_is_not_asked_where_it_is_not_set_or_there_is_no_picture(
    memory: "Checkout", server: Server
) -> None:
    picture = address(terminal(TRACE, Style("dejavu", 15, "dark")))

    async def conversation() -> None:
        async with piped(memory) as client:
            before = files_of(memory)
            told = await refused(client, "coding_record_error", screenshot=picture,
                                 model="settings", **UNKNOWN)  # fmt: skip
            assert "llm.model" in told
            assert attached(memory) == []
        async with piped(memory, environ=seeing(server)) as client:
            told = await refused(client, "coding_record_error", model="settings", **UNKNOWN)
            assert "there is none" in told
            told = await refused(client, "coding_record_error", screenshot=picture,
                                 model="yours", **UNKNOWN)  # fmt: skip
            assert told.startswith("Not done: model: ")
        async with piped(memory, environ=seeing(server, GITMEM_LLM_COST_THRESHOLD="0")) as client:
            told = await refused(client, "coding_record_error", screenshot=picture,
                                 model="settings", **UNKNOWN)  # fmt: skip
            assert "not approved" in told
            assert set(files_of(memory)) >= set(before)
            assert not [one for one in files_of(memory) if "/errors/" in one]

    talk(conversation)
    assert server.requests == []


def test_a_picture_with_a_secret_is_neither_sent_nor_kept(
    memory: "Checkout", server: Server
) -> None:
    shown = f"{TRACE}\nexport TOKEN=ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
    picture = address(terminal(shown, Style("dejavu", 15, "dark")))

    async def conversation() -> None:
        async with piped(memory, environ=seeing(server)) as client:
            told = await refused(client, "coding_record_error", screenshot=picture,
                                 model="settings", **UNKNOWN)  # fmt: skip
            assert "looks like a secret" in told
            made = await data(client, "coding_record_error", screenshot=picture, **UNKNOWN)
            assert "not stored" in made["text"]

    talk(conversation)
    assert server.requests == []
    assert attached(memory) == []
