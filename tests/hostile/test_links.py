"""Links that a clone brings: what they lead to outside of the repository is never read or awaited.

Another link is one line in ``LINKS``, another question one line in ``QUESTIONS``.
"""

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
from mcp.shared.exceptions import MCPError

from tests.answers import derived_folder
from tests.depth import sampled
from tests.e2e.assistants import piped, said, talk
from tests.e2e.lsp_editor import Editor
from tests.e2e.running import environment, ok, run, server

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import Built, Checkout

pytestmark = [pytest.mark.usefixtures("sealed_git"), pytest.mark.timeout(300)]

SECRET = "the-merger-is-on-friday"
SOURCE = f"def {SECRET.replace('-', '_')}(prices):\n    return sum(prices) / rate  # {SECRET}\n"
# What the repository has, and what stands outside under the name it leads to.
LINKS = {
    "README.md": ("private/notes.txt", f"# {SECRET}\n\nIt is about {SECRET}.\n"),
    "package.json": ("private/about.txt", f'{{"name": "{SECRET}", "description": "{SECRET}"}}'),
    "pyproject.toml": ("private/deep.txt", f'[project]\nname = "{SECRET}"\n'),
    "tax.py": ("private/tax.py", SOURCE),
    "sub": ("private/folder", ""),
    "CHANGELOG.md": ("private/log.md", f"## 1.0 - 2026-01-01\n\n- Fixed {SECRET}\n"),
}
# A file that has neither a beginning nor an end: whoever opens it waits.
ENDLESS = "waits.py"
FAILURE = """\
Traceback (most recent call last):
  File "{0}", line 2, in total
    return sum(prices) / rate
NameError: name 'rate' is not defined
"""
QUESTIONS = (
    ("hint", FAILURE.format("tax.py")),
    ("hint", FAILURE.format(ENDLESS)),
    ("hint", FAILURE.format("sub/inner.py")),
    ("search", "rate"),
    ("search", "--why", FAILURE.format(ENDLESS)),
    ("context",),
    ("context", "--focus", "tax.py"),
    ("context", "--focus", FAILURE.format("sub/inner.py")),
    ("advise", "--file", "tax.py"),
    ("advise", "--task", "the rate of tax.py and sub/inner.py"),
    ("code", "profile"),
    ("code", "extract", "tax.py"),
    ("code", "extract", ENDLESS),
    ("code", "suggest", "sum the prices"),
    ("code", "graph"),
    ("code", "graph", "imports", "tax.py"),
    ("check", "stale"),
    ("check", "anchors"),
    ("why", "tax.py:2"),
    ("why", f"{ENDLESS}:2"),
    ("why", "sub/inner.py:1"),
    ("why", "--by-line", "tax.py"),
    ("import", "changelog", "CHANGELOG.md"),
    ("import", "adr", "sub"),
    ("run", "--", "python3", "-c", f"raise SystemExit('{ENDLESS}:2: error: rate is not defined')"),
    ("runs", "attempts"),
    ("review",),
    ("check",),
    ("status",),
    ("list", "path:tax.py"),
)


@pytest.fixture
def cloned(repo: "Checkout", built: "Built") -> "Checkout":
    """Give a repository whose clone brought links, with records that name them."""
    lay_outside(repo)
    return built(repo, bring)


def lay_outside(repo: "Checkout") -> None:
    """Lay beside a repository what links in it lead to."""
    outside = repo.parent / "private"
    (outside / "folder").mkdir(parents=True)
    (outside / "folder/inner.py").write_text(SOURCE)
    (outside / "folder/package.json").write_text(LINKS["package.json"][1])
    (outside / "folder/0001-secret.md").write_text(f"# {SECRET}\n\nDate: 2026-01-01\n\n{SECRET}\n")
    for place, text in LINKS.values():
        if text:
            (repo.parent / place).write_text(text)


def bring(repo: "Checkout") -> None:
    """Commit the links, and records that name them."""
    lay_outside(repo)
    for name, (place, _) in LINKS.items():
        (repo / name).symlink_to(f"../{place}")
    (repo / ENDLESS).symlink_to("/proc/self/fd/0")
    ok(repo, "init")
    for path in ("tax.py", ENDLESS, "sub/inner.py"):
        ok(repo, "add", "error", "--message", f"name 'rate' is not defined in {path}",
           "--type", "NameError", "--location", f"{path}:2", "--excerpt", FAILURE.format(path),
           "--set", f"anchors=[{{path: {path}, lines: [1, 2], quote: 'rate = 1'}}]")  # fmt: skip
    repo.git("add", "-A")
    repo.git("commit", "-qm", "brought by a clone")


@sampled(8)
@pytest.mark.parametrize("question", QUESTIONS, ids=" ".join)
def test_no_command_reads_or_waits_for_what_lies_outside(
    cloned: "Checkout", question: tuple[str, ...]
) -> None:
    # A standard input that never ends: who opens the link to it would wait.
    with subprocess.Popen(
        [*server(), *question], cwd=cloned, env=environment(), stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdin
        assert process.stdout
        assert process.stderr
        try:
            process.wait(60)
        finally:
            process.kill()
        answer = (process.stdout.read() + process.stderr.read()).decode()
    assert answer
    assert "No such option" not in answer
    assert SECRET not in answer
    assert SECRET.replace("-", "_") not in answer
    assert 'Traceback (most recent call last):\n  File "/' not in answer
    assert not subprocess.run(
        ["grep", "-rl", SECRET, ".memory"], cwd=cloned, capture_output=True, check=False
    ).stdout


def test_an_assistant_is_told_nothing_of_what_lies_outside(cloned: "Checkout") -> None:
    texts: list[str] = []

    async def conversation() -> None:
        async with piped(cloned) as client:
            texts.extend(
                [
                    await said(client, "gitmem_hint", text=FAILURE.format(path))
                    for path in ("tax.py", ENDLESS, "sub/inner.py")
                ]
            )
            texts.append(await said(client, "coding_get_project_context"))
            texts.append(await said(client, "gitmem_context"))
            texts.append(await said(client, "gitmem_context", focus="tax.py"))
            for place in ("memory://context/project", "memory://context/tax.py",
                          f"memory://context/{ENDLESS}", "memory://file/tax.py"):  # fmt: skip
                try:
                    contents = (await client.read_resource(place)).contents
                except MCPError as refusal:
                    texts.append(str(refusal))
                else:
                    texts.extend(getattr(content, "text", "") for content in contents)

    talk(conversation)
    assert len(texts) == 10
    assert all(texts)
    assert not [text for text in texts if SECRET in text or SECRET.replace("-", "_") in text]


def test_an_editor_waits_for_no_pipe(cloned: "Checkout") -> None:
    (record,) = (cloned / ".memory").rglob("*tax*.yaml")
    record.unlink()
    os.mkfifo(record)
    os.mkfifo(cloned / "pipe.py")
    editor = Editor(cloned, real=True)
    try:
        editor.initialize(cloned)
        start = {"line": 0, "character": 0}
        for path in (record, cloned / "pipe.py", cloned / ENDLESS, cloned / "tax.py"):
            document = {"textDocument": {"uri": path.as_uri()}}
            selected = {"range": {"start": start, "end": start}, "context": {"diagnostics": []}}
            editor.request("textDocument/hover", document | {"position": start})
            editor.request("textDocument/codeAction", document | selected)
            editor.request("textDocument/codeLens", document)
    finally:
        editor.close()


# What stands in place of a memory's own file or folder, and what it holds outside.
OF_THE_MEMORY = {
    "gitmem.yaml": f"format: 1\nsettings:\n  search.limit: 7\n# {SECRET}\n{SECRET}: [\n",
    "archive": "",
    "attachments": "",
    "notes": "",
    ".gitattributes": SECRET,
}
ABOUT_THE_MEMORY = (
    ("status",), ("check",), ("list",), ("search", "rate"), ("config",), ("backup", "export"),
    ("backup", "backup.gz"), ("config", "--team", "search.limit", "9"), ("archive", "--list"),
    ("add", "note", "--title", "rates"),
)  # fmt: skip


@sampled(4)
@pytest.mark.parametrize("target", ["outside", "endless"])
@pytest.mark.parametrize("name", OF_THE_MEMORY)
def test_no_link_in_place_of_a_memorys_own_file_is_followed(
    cloned: "Checkout", name: str, target: str
) -> None:
    place = cloned / ".memory" / name
    outside = cloned.parent / "private" / f"of-the-memory-{name}"
    if OF_THE_MEMORY[name]:
        outside.write_text(OF_THE_MEMORY[name])
    else:
        outside.mkdir()
        (outside / f"{SECRET}.yaml").write_text(SECRET)
    shutil.rmtree(place, ignore_errors=True)
    place.unlink(missing_ok=True)
    place.symlink_to(outside if target == "outside" else "/proc/self/fd/0")
    before = contents(outside.parent)
    for question in ABOUT_THE_MEMORY:
        safely_answered(cloned, question)
    assert contents(outside.parent) == before


def safely_answered(cloned: "Checkout", question: tuple[str, ...]) -> str:
    """Ask in a process that nobody holds up; give what it prints."""
    done = subprocess.run(
        [*server(), *question], cwd=cloned, env=environment(), stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert SECRET not in done.stdout + done.stderr, question
    assert "Traceback" not in done.stderr, question
    assert "No such" not in done.stderr, question
    return done.stdout


def contents(folder: "Path") -> "dict[Path, bytes]":
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_links_that_stay_inside_are_followed(cloned: "Checkout") -> None:
    (cloned / "CLAUDE.md").write_text("# Invoices\n\nWrites and sends invoices.\n")
    (cloned / "README.md").unlink()
    (cloned / "README.md").symlink_to("CLAUDE.md")
    assert "Writes and sends invoices" in ok(cloned, "context")


# What git reads, in its own folder and at the top of the work tree.
OF_GIT = (
    ".git/info/exclude", ".git/info/attributes", ".git/config", ".git/HEAD", ".git/index",
    ".git/packed-refs", ".gitignore", ".gitattributes", ".git/commondir", ".git/refs/heads/main",
)  # fmt: skip
# Settings that name a file for git to read.
NAMING = (
    "core.attributesFile", "core.excludesFile", "include.path", "diff.orderFile",
    "blame.ignoreRevsFile", "mailmap.file",
)  # fmt: skip


@sampled(3)
@pytest.mark.parametrize("name", OF_GIT)
def test_a_pipe_in_place_of_a_file_of_gits_is_not_waited_for(cloned: "Checkout", name: str) -> None:
    place = cloned / name
    place.parent.mkdir(exist_ok=True)
    place.unlink(missing_ok=True)
    os.mkfifo(place)
    assert_not_waited_for(cloned, place)


@sampled(2)
@pytest.mark.parametrize("name", NAMING)
def test_a_pipe_that_a_setting_names_is_not_waited_for(cloned: "Checkout", name: str) -> None:
    place = cloned.parent / "endless"
    os.mkfifo(place)
    with (cloned / ".git/more").open("w") as more:
        more.write(f'[{name.replace(".", "]  # it names a file" + chr(10))} = "{place}"\n')
    cloned.git("config", "include.path", "more")
    assert_not_waited_for(cloned, place)


@pytest.mark.parametrize("name", [".gitignore", ".gitattributes"])
def test_a_pipe_below_the_top_that_git_waits_for_is_named(cloned: "Checkout", name: str) -> None:
    place = cloned / "lib" / name
    place.parent.mkdir()
    os.mkfifo(place)
    (cloned / "lib/new.py").write_text("x = 1\n")
    reason = f"{place} is a pipe, and git waits for its end"
    assert reason in run(cloned, "run", "--", "false").err
    ok(cloned, "session", "start", "a piece of work")
    assert reason.replace(str(cloned), ".") in ok(cloned, "session", "end")
    assert "rate" in ok(cloned, "search", "rate")


def assert_not_waited_for(cloned: "Checkout", place: "Path") -> None:
    answers = {
        question: subprocess.run(
            [*server(), *question], cwd=cloned, env=environment(), stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=60, check=False,
        )
        for question in (
            ("search", "rate"), ("add", "note", "--title", "rates"), ("status",), ("check",),
            ("review",), ("run", "--", "false"), ("session", "start", "a piece of work"),
        )
    }  # fmt: skip
    assert not [answer for answer in answers.values() if "Traceback" in answer.stderr]
    assert "rate" in answers["search", "rate"].stdout
    reason = f"{place} is a pipe or a device, and git would wait for its end"
    assert answers["review",].stderr.startswith(f"gitmem: this needs a git repository: {reason}")
    assert f"note: {reason}: no history, no branches" in answers["status",].stderr
    assert answers["run", "--", "false"].returncode == 1


# What lies in the folder of gitmem's own state, and what may stand in its place.
OF_THE_STATE = (
    ".", "journal", "journal/{run}", "{derived}", "{derived}/catalog.sqlite", "{derived}/vectors",
    "{derived}/pieces", "{derived}/index", "{derived}/index/{toc}", "{derived}/lock",
    "journal/.lock", "journal/runs.lock",
)  # fmt: skip
IN_ITS_PLACE: "dict[str, Callable[[Path, Path], None]]" = {
    "link": lambda place, outside: place.symlink_to(outside),
    "link to nothing": lambda place, outside: place.symlink_to(f"{outside}-to-be"),
    "pipe": lambda place, _: os.mkfifo(place),
    "endless": lambda place, _: place.symlink_to("/dev/zero"),
}


@sampled(6)
@pytest.mark.parametrize("what", IN_ITS_PLACE)
@pytest.mark.parametrize("name", OF_THE_STATE)
def test_no_link_or_pipe_in_place_of_its_own_state_is_followed_or_awaited(
    cloned: "Checkout", name: str, what: str
) -> None:
    ok(cloned, "search", "rate")
    asked = (("search", "rate"), ("status",), ("runs",), ("run", "--", "false"), ("check",),
             ("session", "start", "a piece of work"), ("index", "rebuild"))  # fmt: skip
    state = cloned / ".git/gitmem"
    subprocess.run([*server(), "run", "--", "false"], cwd=cloned, env=environment(), check=False)
    (run,) = state.glob("journal/run-*")
    (toc,) = derived_folder(cloned).glob("index/*.toc")
    place = state / name.format(run=run.name, derived=derived_folder(cloned).name, toc=toc.name)
    outside = cloned.parent / "private" / "of-the-state"
    outside.mkdir()
    if place.is_dir():
        shutil.rmtree(place)
    else:
        place.unlink(missing_ok=True)
        outside = outside / "file"
        outside.write_text(SECRET)
    IN_ITS_PLACE[what](place, outside)
    before = contents(cloned.parent / "private"), list((cloned.parent / "private").rglob("*"))
    for question in asked:
        answer = safely_answered(cloned, question)
        if question[0] == "search":
            assert "rate" in answer
    after = contents(cloned.parent / "private"), list((cloned.parent / "private").rglob("*"))
    assert after == before


def test_no_memory_is_made_through_a_link_that_leads_out(
    repo: "Checkout", tmp_path: "Path"
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (repo / ".memory").symlink_to(outside)
    refused = run(repo, "init")
    assert refused.code != 0
    assert "leads out of the repository" in refused.err
    assert list(outside.iterdir()) == []


def test_a_question_in_sql_makes_no_huge_value(repo: "Checkout") -> None:
    ok(repo, "init")
    refused = run(repo, "stats", "query", "SELECT zeroblob(1000000000)")
    assert refused.code != 0
    assert len(refused.out) < 1000
    assert "too big" in refused.err
