"""Screenshots at every face: recorded, looked up, kept without metadata, shown to a model."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("PIL", reason="needs Pillow: pip install gitmem-native[ocr]")
pytest.importorskip(
    "rapidocr_onnxruntime", reason="the reader has no release for this Python: 3.11 or 3.12 have"
)

from gitmem import Memory
from gitmem.compat.coding import VisionAnalyzer, coding_record_error
from gitmem.errors import EnvironmentProblem, InvalidError, UsageError
from gitmem.llm.approval import ApprovalError
from gitmem.pictures import reader
from gitmem.records.kinds import Error
from tests.model_server import Open, Server, fails, opening, says, serving
from tests.screens import SEEN, TRACE, Style, terminal
from tests.unit.test_stripping import SECRET, TELLING

if TYPE_CHECKING:
    from gitmem.llm.approval import Estimate
    from tests.conftest import Checkout

DRAWN = {
    "components": ["API Gateway", "Auth Service", "Database"],
    "connections": ["API Gateway -> Auth Service: HTTP"],
    "architecture_pattern": "Microservices", "notes": [],
}  # fmt: skip


@pytest.fixture
def here(repo: "Checkout") -> "Checkout":
    Memory.init(str(repo))
    return repo


@pytest.fixture
def shot(here: "Checkout") -> str:
    return str(here.add("shot.png", terminal(TRACE, Style("dejavu", 15, "dark"))))


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(says(SEEN)) as made:
        yield made


@pytest.fixture
def open_(here: "Checkout", server: Server) -> Iterator[Open]:
    with opening(here, server, {"llm.vision_model": "seer"}) as opened:
        yield opened


def attachments(memory: Memory) -> list[Path]:
    folder = Path(memory.workspace.site.folder, "attachments")
    return sorted(folder.iterdir()) if folder.exists() else []


def test_s4_57_a_screenshot_becomes_an_error_record(open_: Open, shot: str) -> None:
    memory = open_()
    made = memory.models.record_screenshot(shot, {"cause": "due is naive"})
    assert isinstance(made, Error)
    assert (made.error_type, made.tool, made.language) == ("TypeError", "python", "python")
    assert made.message == "can't compare offset-naive and offset-aware datetimes"
    assert [(one.file, one.line, one.code) for one in made.frames] == [
        ("src/clock.py", 12, "return due < datetime.now(UTC)")
    ]
    assert made.cause == "due is naive"
    assert len(made.attachments) == len(attachments(memory)) == 1
    # It is the error that the text would be, at every level of recognition.
    (known,) = memory.hint(TRACE)
    assert known.label == "same error"
    assert [one.id for one in known.errors] == [made.id]
    (again,) = memory.failures.known(memory.models.read_picture(shot).failures)
    assert again.label == "same error"
    assert not memory.checks.files()


def test_s4_57_what_callers_leave_open_is_filled_by_the_picture(
    here: "Checkout", shot: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(here)
    name = asyncio.run(
        coding_record_error(
            "dev_john", "api-service", "Unknown", "See screenshot", "", "unknown", 0, None, shot
        )
    )
    with Memory.open(".") as memory:
        made = memory.show(name).record
    assert isinstance(made, Error)
    assert made.error_type == "TypeError"
    assert made.frames[-1].line == 12


def test_a_kept_picture_tells_nothing_but_its_pixels(open_: Open, here: "Checkout") -> None:
    memory = open_()
    path = str(here.add("photo.jpg", TELLING["jpeg"]))
    memory.add("error", {"title": "t"}, attach=[path])
    (kept,) = attachments(memory)
    assert SECRET in TELLING["jpeg"]
    assert SECRET not in kept.read_bytes()
    assert not memory.checks.files()


def test_a_picture_of_a_secret_is_read_and_not_kept(open_: Open, here: "Checkout") -> None:
    memory = open_()
    token = "ghp_" + "abcdefghijABCDEFGHIJ0123456789abcdef"
    text = f"ValueError: bad token\n  GITHUB_TOKEN={token}\n"
    path = str(here.add("shot.png", terminal(text, Style("dejavu", 18, "light"))))
    made = memory.models.record_screenshot(path, {})
    assert attachments(memory) == []
    assert "looks like a secret" in "".join(memory.workspace.derived.notices)
    assert (
        "abcdefghij"
        not in Path(memory.workspace.site.folder, memory.find(made.id).path).read_text()
    )
    with pytest.raises(UsageError, match="looks like a secret"):
        memory.models.look(path)


def test_without_the_extra_the_picture_is_kept_and_one_line_says_so(
    open_: Open, shot: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = open_()
    monkeypatch.setattr(reader, "PACKAGE", "no_such_package")
    made = memory.models.record_screenshot(shot, {"message": "See screenshot"})
    assert isinstance(made, Error)
    assert len(made.attachments) == 1
    (told,) = memory.workspace.derived.notices
    assert told == 'the screenshot was not read, only kept (pip install "gitmem-native[ocr]")'
    with pytest.raises(EnvironmentProblem) as caught:
        reader.PictureReader()
    assert caught.value.hint == 'pip install "gitmem-native[ocr]"'


def test_a_damaged_picture_is_kept_only_where_something_else_is_told(
    open_: Open, here: "Checkout", shot: str
) -> None:
    memory = open_()
    path = str(here.add("bad.png", b"\x89PNG\r\n\x1a\n"))
    with pytest.raises(InvalidError, match=r"bad\.png is a damaged PNG picture"):
        memory.models.record_screenshot(path, {})
    assert attachments(memory) == []
    memory.models.record_screenshot(path, {"message": "it stops"})
    assert "was not read, only kept: bad.png is a damaged" in memory.workspace.derived.notices[-1]
    assert len(attachments(memory)) == 1
    with pytest.raises(EnvironmentProblem):
        memory.models.record_screenshot(os.path.join(os.path.dirname(shot), "none.png"), {})


def test_s4_20_a_model_sees_what_goes_beside_what_is_read(
    open_: Open, server: Server, shot: str
) -> None:
    memory = open_()
    said = memory.models.look(shot, "error")
    assert (
        said.origin
        == f"By the model seer at {server.host} (prompt picture-error 1); not checked by a person"
    )
    (asked,) = server.requests
    assert asked.body["model"] == "seer"
    text, picture = asked.body["messages"][-1]["content"]
    assert "offset-naive" in text["text"]
    assert picture["image_url"]["url"].startswith("data:image/png;base64,iVBOR")
    made = memory.models.record_screenshot(shot, {}, said)
    assert isinstance(made, Error)
    assert made.message == "can't compare offset-naive and offset-aware datetimes"
    assert made.cause == f"due has no time zone. ({said.origin})"
    assert made.tags == ("machine-made",)


def test_s4_20_the_model_fills_in_where_nothing_can_be_read_here(
    open_: Open, shot: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = open_()
    monkeypatch.setattr(reader, "PACKAGE", "no_such_package")
    made = memory.models.record_screenshot(
        shot, {"error_type": "Unknown"}, memory.models.look(shot)
    )
    assert isinstance(made, Error)
    assert (made.error_type, made.message) == ("TypeError", "can't compare them")
    assert made.location is not None
    assert (made.location.file, made.location.line) == ("src/clock.py", 12)


def test_s4_21_and_58_a_diagram_is_analysed(
    here: "Checkout", server: Server, shot: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(here)
    for name, value in {"MODEL": "seer", "BASE_URL": server.url, "PRICE": "1/2"}.items():
        monkeypatch.setenv(f"GITMEM_LLM_{name}", value)
    server.will(says(DRAWN))
    vision = VisionAnalyzer()
    found = asyncio.run(vision.analyze_architecture_diagram(shot))
    assert found["components"] == ["API Gateway", "Auth Service", "Database"]
    assert found["architecture_pattern"] == "Microservices"
    assert found["machine_made"]


def test_s4_22_code_is_read_from_a_picture(open_: Open, server: Server, shot: str) -> None:
    code: dict[str, Any] = {
        "language": "python", "file": "", "code": "def late():\n    return 1\n", "unreadable": [],
    }  # fmt: skip
    server.will(says(code))
    said = open_().models.look(shot, "code")
    assert said.answer.code == code["code"]  # type: ignore[union-attr]
    form = server.requests[0].body["response_format"]["json_schema"]
    assert form["name"] == "picture-code"


@pytest.mark.parametrize(
    "answer",
    [{**SEEN, "line": -1}, {**SEEN, "extra": 1}, {"message": "m"}, "no JSON", [SEEN]],
    ids=["line", "extra", "missing", "text", "list"],
)
def test_an_answer_of_another_form_is_refused(
    open_: Open, server: Server, shot: str, answer: object
) -> None:
    server.will(says(answer))
    with pytest.raises(EnvironmentProblem, match="did not answer in the form"):
        open_().models.look(shot)


def test_a_picture_is_priced_and_approved_before_it_is_sent(
    open_: Open, server: Server, shot: str
) -> None:
    memory = open_(llm_price="100/200")
    asked: list[Estimate] = []
    with pytest.raises(ApprovalError, match="Look at a screenshot: at most"):
        memory.models.look(shot)

    def approve(one: "Estimate") -> bool:
        asked.append(one)
        return True

    memory.models.look(shot, approve=approve)
    assert asked[0].input > 5_000
    assert len(server.requests) == 1


def test_what_is_no_picture_is_never_sent(open_: Open, server: Server, here: "Checkout") -> None:
    path = str(here.add("drawing.png", b"<svg/>"))
    with pytest.raises(InvalidError, match="is not a picture"):
        open_().models.look(path)
    with pytest.raises(UsageError, match="can't be looked for"):
        open_().models.look(path, "cat")
    server.will(fails(400))
    assert server.requests == []


def test_s4_57_the_commands_read_screenshots(here: "Checkout", shot: str) -> None:
    def said(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "gitmem", *words],
            cwd=here, capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        return done.stdout

    name = said("add", "error", "--screenshot", shot, "--cause", "due is naive").split()[0]
    for words in (("hint", "--image", shot), ("runs", "capture", shot)):
        (failure,) = json.loads(said(*words, "--json"))["failures"]
        assert failure["label"] == "same error"
        assert name in json.dumps(failure["errors"])


def test_reading_tells_nobody_and_leaves_nothing_behind(
    shot: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The engine of the reader would write an id of the machine, and send it to its maker."""
    home, place = tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("tmp")
    code = (
        "import sys\n"
        "from gitmem.pictures.picture_text import read\n"
        "with open(sys.argv[1], 'rb') as file:\n"
        "    print(read(file.read(), 'shot').text)\n"
    )
    environ = {**os.environ, "HOME": str(home), "TMPDIR": str(place)}
    # On a machine of continuous integration the engine is silent by itself.
    for name in ("CI", "GITHUB_ACTIONS", "ORT_DISABLE_TELEMETRY", "XDG_CACHE_HOME"):
        environ.pop(name, None)
    done = subprocess.run(
        [sys.executable, "-B", "-c", code, shot], env=environ, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert "offset-naive" in done.stdout
    left = [one for folder in (home, place) for one in Path(folder).rglob("*") if one.is_file()]
    assert left == []
