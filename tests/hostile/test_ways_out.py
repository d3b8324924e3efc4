"""No way out of a memory holds a secret that lies in it: in records, commits, journal or code.

Every command, tool of an assistant, and request of an editor has a line in ``COMMANDS``, ``TOOLS``,
``PLACES`` or ``REQUESTS``; one that is new fails here until it has its own, or a reason in
``NOTHING_TO_TELL``.
"""

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.memory import Memory
from scripts.docs_of_commands import walk
from tests.answers import derived_folder
from tests.depth import sampled
from tests.e2e.assistants import piped, talk, text_of
from tests.e2e.lsp_editor import Editor
from tests.e2e.running import ok, run

if TYPE_CHECKING:
    from tests.conftest import Built, Checkout

pytestmark = [pytest.mark.usefixtures("sealed_git"), pytest.mark.timeout(300)]

TOKEN = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
PASSWORD = "correct horse battery"
KEY = "AKIA" + "Q3EGRYZ7XW2MNLKD"
SECRETS = (TOKEN, PASSWORD, KEY)
MARKS = {"XTOKENX": TOKEN, "XPASSX": PASSWORD, "XKEYX": KEY}
# What each of these prints: see ``careless`` for what the names in braces stand for.
COMMANDS = (
    "status", "setup claude --dry-run", "hooks install", "hooks status", "hooks uninstall",
    "import git --dry-run", "import git",
    "import adr docs --dry-run",
    "import changelog CHANGELOG.md --dry-run", "config",
    "doctor", "run -- python3 shop.py", "hint {failure}", "search login", "search login --why",
    "search login --json", "search rotate --at HEAD", "show {error}", "show {fix} --json",
    "show {decision} --yaml", "show {pattern}", "show {session}", "show --provenance {error}",
    "list", "list --json", "list --all-branches", "log", "log --json", "add note --title more",
    "add error --last", "resolve {error} again", "drafts", "drafts show {draft}",
    "drafts keep {draft}", "drafts keep --all", "drafts drop {draft}",
    "drafts edit {draft} --from draft.yaml", "edit {note} --from edited.yaml",
    "edit supersede {decision} --title other",
    "edit link {error} '#12'", "edit merge {error} {other}",
    "forget {note} --yes", "session log note seen",
    "session status", "session list", "session show {live}", "session resume {live}",
    "session end --success", "session abandon", "session start more --beside", "helpful {fix}",
    "helpful --not {fix}", "why shop.py", "why shop.py:1", "why --by-line shop.py",
    "advise {failure}", "advise --file shop.py", "advise --task login", "context",
    "context --focus login", "context --json", "context --conventions", "review HEAD~1",
    "review HEAD~1 --markdown", "guard HEAD~1", "guard --all --json",
    "review describe HEAD~1..HEAD", "review describe", "diff HEAD~1",
    "ci --fail-on never run.log", "ci --fail-on never --summary summary.md run.log", "stats",
    "stats recent", "stats successful", "stats recurring", "stats trends",
    "stats fixers", "stats analyse", "stats query 'SELECT * FROM all_records'",
    "stats query --csv 'SELECT * FROM attempts'", "stats cost", "runs", "runs --json",
    "tools try run.log", "tools try run.log --json", "runs --latest",
    "runs attempts", "runs attempts {error}", "runs attempts --json",
    "runs all-passed", "runs regressions", "runs best-attempt", "runs capture run.log",
    "stats report report.html", "code profile", "code extract shop.py",
    "code extract HEAD~1..HEAD", "code suggest login", "code graph imports",
    "code graph memory --format mermaid", "check", "check --json", "check anchors",
    "check stale", "pack", "pack show python",
    "archive --dry-run", "archive {note} --yes", "archive --list", "archive prune --dry-run",
    "backup export", "backup export export.json",
    "backup export --csv error", "index status", "index rebuild", "index verify",
    "index update",
    "index semantic status", "index semantic read", "explain-fingerprint {error}",
)  # fmt: skip
NOTHING_TO_TELL = {
    "hub": "redacted as it is taken; see tests/hub",
    "hub add": "redacted as it is taken; see tests/hub",
    "hub check": "redacted as it is taken; see tests/hub",
    "hub doctor": "texts of the registry alone; records are not shown",
    "hub forget": "redacted as it is taken; see tests/hub",
    "hub publish": "redacted as it is taken; see tests/hub/test_publishing.py",
    "hub rebuild": "redacted as it is taken; see tests/hub",
    "hub spread": "the same records, in other databases",
    "hub remove": "redacted as it is taken; see tests/hub",
    "hub serve": "redacted as it is taken; see tests/hub",
    "hub status": "redacted as it is taken; see tests/hub",
    "hub sync": "redacted as it is taken; see tests/hub",
    "hub token": "redacted as it is taken; see tests/hub",
    "init": "makes an empty memory",
    "undo": "shows what it takes back, as list does",
    "shell-init": "prints a snippet",
    "tools": "what gitmem itself knows of tools",
    "completion": "prints a script",
    "help": "explains a command",
    "backup": "a backup is exact, and says so",
    "backup restore": "writes what the user's own backup holds",
    "merge-driver": "writes the file that git merges",
    "lsp": "see REQUESTS",
    "mcp": "see TOOLS",
    "serve": "see test_serve.py: the pages and the interface",
    "look": "sends a picture to the user's model",
    "index enrich": "sends texts to the user's model, as test_team_settings.py shows",
    "index semantic install": "fetches a model",
    "index semantic remove": "deletes a model",
    "pack enable": "sets a setting",
    "pack disable": "sets a setting",
    "pack write": "writes records of a pack into the memory, as add does",
    "pack check": "reads the pack that the user names",
    "archive unarchive": "writes the file as it was archived, byte by byte",
    "pack add": "copies the pack that the user names",
    "hooks": "a group",
    "session": "a group",
    "add": "a group",
    "import": "a group",
    "hooks run": "called by git; it writes ids into messages",
    "assistant-hook": "as gitmem_hint and gitmem_context",
    "import archive": "a document that gitmem wrote",
    "import other": "as import changelog",
    "runs bisect": "runs a recorded command",
    "stats subject": "as search",
    "pack fetch": "copies the pack that the user names",
    "add fix": "as add note",
    "add decision": "as add note",
    "add pattern": "as add note",
}
FAILURE = "AuthError: login refused"
TOOLS: dict[str, dict[str, Any]] = {
    "gitmem_search": {"query": "login"},
    "gitmem_show": {"id": "{error}"},
    "gitmem_hint": {"text": FAILURE},
    "gitmem_advise": {"text": FAILURE},
    "gitmem_context": {"focus": "HEAD~1.."},
    "gitmem_record_fix": {"error": "{error}", "approach": "wait"},
    "gitmem_record_decision": {"decision": "turn", "rationale": "each week"},
    "gitmem_note": {"title": "The login is slow"},
    "gitmem_rate": {"id": "{fix}"},
    "coding_record_error": {"error_type": "AuthError", "message": "login refused"},
    "coding_record_decision": {"decision": "rotate", "rationale": "each month"},
    "coding_search_errors": {"query": "login refused"},
    "coding_get_project_context": {},
    "coding_analyze_patterns": {},
    "coding_start_session": {"description": "go on"},
    "coding_track_file_change": {"file_path": "shop.py", "action": "edit"},
    "coding_get_current_session_status": {},
    "coding_resume_session": {},
    "coding_end_session": {},
}
PLACES = (
    "memory://record/{error}", "memory://record/{fix}", "memory://record/{session}",
    "memory://file/shop.py", "memory://context/project", "memory://context/shop.py",
)  # fmt: skip
DOCUMENT = {"textDocument": {"uri": "{shop}"}}
RECORD = {"textDocument": {"uri": "{record}"}}
PLACE = {"position": {"line": 0, "character": 2}}
RANGE = {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}}}
REQUESTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("textDocument/hover", DOCUMENT | PLACE),
    ("textDocument/hover", RECORD | {"position": {"line": 1, "character": 6}}),
    ("textDocument/definition", DOCUMENT | PLACE),
    ("textDocument/references", RECORD | {"position": {"line": 1, "character": 6}}
     | {"context": {"includeDeclaration": True}}),
    ("textDocument/codeLens", DOCUMENT),
    ("textDocument/codeAction", DOCUMENT | RANGE | {"context": {"diagnostics": []}}),
    ("textDocument/documentSymbol", RECORD),
    ("textDocument/documentLink", RECORD),
    ("textDocument/foldingRange", RECORD),
    ("textDocument/inlayHint", RECORD | RANGE),
    ("textDocument/completion", RECORD | {"position": {"line": 1, "character": 6}}),
    ("workspace/symbol", {"query": "login"}),
)  # fmt: skip
# They give an open file's own text back, to the editor that has it open.
OF_THE_OPEN_FILE = {"textDocument/codeAction", "textDocument/documentSymbol"}
ORDERS: dict[str, list[Any]] = {
    "gitmem.show": ["{error}"],
    "gitmem.search": ["login"],
    "gitmem.status": [],
    "gitmem.hint": [FAILURE],
    "gitmem.tell": [FAILURE],
    "gitmem.lastRun": [],
    "gitmem.runBegan": [{"uri": "{shop}", "line": "make XTOKENX", "call": "1"}],
    "gitmem.runEnded": [
        {"uri": "{shop}", "line": "make XTOKENX", "call": "1", "output": FAILURE, "exit_code": 2}
    ],
    "gitmem.list": [{"kind": "error"}],
    "gitmem.overview": [{"details": True}],
    "gitmem.about": [{"uri": "{shop}"}],
    "gitmem.marks": [{"uri": "{shop}"}],
    "gitmem.session": [],
    "gitmem.branch": [],
    "gitmem.belonging": [{"uris": ["{shop}"]}],
    "gitmem.page": ["{error}"],
    "gitmem.apply": ["{fix}"],
    "gitmem.recordError": [{"uri": "{shop}", "line": 0}],
    "gitmem.recordText": [{"text": FAILURE}],
    "gitmem.recordFix": ["{error}", {}],
    "gitmem.recordDecision": [{"uri": "{shop}"}],
    "gitmem.recordAskedAs": ["{error}", "why is the login refused"],
    "gitmem.applied": ["{fix}"],
    "gitmem.session.start": ["go on"],
    "gitmem.session.log": ["note", "seen"],
    "gitmem.helpful": ["{fix}"],
    "gitmem.unhelpful": ["{fix}"],
    "gitmem.session.end": [],
    "gitmem.init": ["{shop}"],
}


def write_carelessly(repo: "Checkout") -> None:
    """Make a memory, and put secrets into all that it keeps."""
    ok(repo, "init")
    repo.add("shop.py", "raise OSError('login refused XTOKENX')\n")
    repo.add("README.md", "# Shop\n\nSells things. The key is XKEYX.\n")
    repo.add("CHANGELOG.md", "## 1.0 - 2026-01-01\n\n### Fixed\n\n- Login with XTOKENX\n")
    repo.add("docs/0001-login.md", "# 1. Login\n\nDate: 2026-01-01\n\nWe use XTOKENX.\n")
    repo.add("run.log", 'Traceback (most recent call last):\n  File "shop.py", line 1, in buy\n'
             "AuthError: login refused XTOKENX\n")  # fmt: skip
    repo.add("message.txt", "mend the login\n")
    repo.add(f"old-{TOKEN}.py", "price = 1\n")
    repo.commit("begin")
    repo.git("checkout", "-qb", f"fix/{TOKEN}")
    repo.git("config", "user.name", f"Ann {TOKEN}")
    repo.git("remote", "add", "origin", f"https://ann:{TOKEN}@example.com/shop.git")
    with Memory.open(str(repo)) as memory:
        fields = {"error_type": "AuthError", "message": "login refused XTOKENX",
                  "excerpt": "db_password = 'XPASSX'", "cause": "the key XKEYX is old",
                  "location": {"file": "shop.py", "line": 1}}  # fmt: skip
        error = memory.add("error", fields)
        memory.add("error", fields | {"message": "login refused XKEYX"})
        memory.resolve(error.id, {"approach": "sent XKEYX", "notes": "db_password = 'XPASSX'",
                                  "outcome": "worked", "patch": "--- a/shop.py\n+++ b/shop.py\n"
                                  "@@ -1 +1 @@\n-raise OSError('login refused XTOKENX')\n"
                                  "+key = 'XKEYX'\n"})  # fmt: skip
        memory.add("decision", {"title": "Rotate XTOKENX each month", "decision": "by hand",
                                "governs": ["shop.py"]})  # fmt: skip
        memory.add("pattern", {"title": "Login XTOKENX", "code": "login('XKEYX')"})
        memory.add("note", {"title": "Login of staging", "body": "XTOKENX"})
        memory.add("note", {"title": "Old login", "body": "XTOKENX"})
    ok(repo, "session", "start", "mend the login XTOKENX")
    ok(repo, "session", "log", "decision", "use XKEYX")
    ok(repo, "session", "end", "--success")
    poison(repo)
    repo.commit(f"careless: use {TOKEN} for now")
    with Memory.open(str(repo)) as memory:
        (old,) = [row.id for row in memory.list() if row.title == "Old login"]
    ok(repo, "archive", old, "--yes")
    repo.commit("archive the old login")


def watch(repo: "Checkout") -> None:
    """Watch a failure that is mended and one that stays: runs belong to the folder they ran in."""
    (repo / "shop.py").write_text("raise OSError('login refused XTOKENX')\n")
    for text in ("key = 'XKEYX'  # XTOKENX\n", "raise KeyError('XTOKENX')\n"):
        run(repo, "run", "--", "python3", "shop.py", env={"GITMEM_CAPTURE_MODE": "draft"})
        (repo / "shop.py").write_text(text)
    run(repo, "run", "--", "python3", "shop.py", env={"GITMEM_CAPTURE_MODE": "draft"})
    (repo / "shop.py").write_text("key = 'XKEYX'  # XTOKENX\n")
    ok(repo, "session", "start", "look at the login XTOKENX")
    ok(repo, "session", "log", "decision", "use XKEYX")
    poison(repo)


def poison(repo: "Checkout") -> None:
    """Put the secrets in place of their marks, in every file but those of git."""
    for path in repo.rglob("*"):
        inside = path.relative_to(repo).parts
        if path.is_file() and (inside[0] != ".git" or inside[:3] == (".git", "gitmem", "journal")):
            data = path.read_bytes()
            for mark, secret in MARKS.items():
                data = data.replace(mark.encode(), secret.encode())
            path.write_bytes(data)


@pytest.fixture
def careless(repo: "Checkout", built: "Built") -> "Checkout":
    built(repo, write_carelessly)
    watch(repo)
    return repo


def names_of(repo: "Checkout") -> dict[str, str]:
    """Give what the names in braces stand for."""
    names = {"failure": FAILURE, "shop": (repo / "shop.py").as_uri()}
    with Memory.open(str(repo)) as memory:
        for row in memory.list():
            name = "other" if row.kind == "error" and "error" in names else row.kind
            names.setdefault(name, row.id)
            if row.kind == "error":
                names["record"] = (repo / ".memory" / row.path).as_uri()
        names["draft"] = memory.failures.drafts.open()[0].id
        live = memory.sessions.current()
        assert live
        names["live"] = live.id
    return names


def filled(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, str):
        return re.sub(r"\{(\w+)\}", lambda name: names[name[1]], value)
    if isinstance(value, dict):
        return {key: filled(item, names) for key, item in value.items()}
    return [filled(item, names) for item in value] if isinstance(value, list) else value


def leaks(text: str) -> list[str]:
    """Name the secrets that a text holds, as they are or as JSON writes them."""
    return [secret for secret in SECRETS if secret in text]


def files_beside(repo: Path) -> dict[Path, bytes]:
    """Give the files that a command may write for people, and those of records."""
    return {
        path: path.read_bytes()
        for path in repo.rglob("*")
        if path.is_file() and ".git" not in path.parts and ".journal" not in path.parts
    }


@sampled(4)
@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_lets_one_out(careless: "Checkout", command: str) -> None:
    names = names_of(careless)
    words = [filled(word.strip("'"), names) for word in re.findall(r"'[^']*'|\S+", command)]
    if "draft.yaml" in words:
        careless.add("draft.yaml", ok(careless, "drafts", "show", names["draft"]))
    if "edited.yaml" in words:
        careless.add("edited.yaml", ok(careless, "show", names["note"], "--yaml"))
    before = files_beside(careless)
    answer = run(careless, *words, env={"NO_COLOR": "1"})
    assert answer.code in (0, 1), answer
    assert answer.out + answer.err
    assert leaks(answer.out + answer.err) == [], answer
    for path, data in files_beside(careless).items():
        if before.get(path) != data:
            assert leaks(data.decode(errors="replace")) == [], (path, answer)


def test_every_command_has_its_line() -> None:
    asked = [command.split() for command in COMMANDS]
    missing = [
        " ".join(path)
        for path, _ in walk()
        if " ".join(path) not in NOTHING_TO_TELL
        and not any(tuple(words[: len(path)]) == path for words in asked)
    ]
    assert missing == []


def test_no_assistant_hears_one(careless: "Checkout") -> None:
    names = names_of(careless)
    told: dict[str, str] = {}

    async def conversation() -> None:
        async with piped(careless) as client:
            offered = {tool.name for tool in (await client.list_tools()).tools}
            assert offered == set(TOOLS), "each tool has its line in TOOLS"
            for tool, arguments in TOOLS.items():
                result = await client.call_tool(tool, filled(arguments, names))
                assert not result.is_error, (tool, text_of(result))
                told[tool] = text_of(result) + json.dumps(result.structured_content)
            for place in (filled(place, names) for place in PLACES):
                contents = (await client.read_resource(place)).contents
                told[place] = "".join(getattr(content, "text", "") for content in contents)
            told["resources"] = (await client.list_resources()).model_dump_json()
            for prompt in (await client.list_prompts()).prompts:
                wanted = {argument.name: FAILURE for argument in prompt.arguments or ()}
                answer = await client.get_prompt(prompt.name, wanted)
                told[prompt.name] = answer.model_dump_json()

    talk(conversation)
    assert {way: leaks(text) for way, text in told.items() if leaks(text)} == {}
    assert "<redacted:" in told["gitmem_show"]


def test_no_editor_is_shown_one(careless: "Checkout") -> None:
    names = names_of(careless)
    editor = Editor(careless, real=True)
    told: dict[str, str] = {}
    try:
        abilities = editor.initialize(careless)["capabilities"]
        offered = set(abilities["executeCommandProvider"]["commands"])
        assert offered == set(ORDERS), "each command has its line in ORDERS"
        shop = careless / "shop.py"
        editor.open(shop, shop.read_text())
        for method, parameters in REQUESTS:
            told[method] = json.dumps(editor.request(method, filled(parameters, names)))
        for command, arguments in ORDERS.items():
            wanted = {"command": command, "arguments": filled(arguments, names)}
            told[command] = json.dumps(editor.request("workspace/executeCommand", wanted))
    finally:
        editor.close()
    shown = {way: leaks(text) for way, text in told.items() if way not in OF_THE_OPEN_FILE}
    assert {way: secrets for way, secrets in shown.items() if secrets} == {}
    assert "<redacted:" in told["gitmem.page"]


def test_what_is_derived_holds_none(careless: "Checkout") -> None:
    ok(careless, "index", "rebuild")
    derived = [path for path in derived_folder(careless).rglob("*") if path.is_file()]
    assert derived
    assert {path: leaks(path.read_bytes().decode("latin-1")) for path in derived
            if leaks(path.read_bytes().decode("latin-1"))} == {}  # fmt: skip
