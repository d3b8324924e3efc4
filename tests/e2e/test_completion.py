"""What bash, zsh and fish complete: pressed on a terminal, in shells that start as for a user."""

import os
import random
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from gitmem.render.shell_words import is_offerable
from tests.depth import amount
from tests.e2e.interactive_shell import STARTS, InteractiveShell
from tests.e2e.running import SCRIPTS, ok, run

if TYPE_CHECKING:
    from tests.conftest import Checkout

pytestmark = pytest.mark.usefixtures("sealed_git")

# A function of the same name shows what was completed; a completion asks the program.
_PREPARE: Final = {
    "bash": (
        'eval "$(command gitmem completion bash)"',
        "gitmem() { printf '<%s>' \"$@\"; echo; }",
    ),
    "zsh": (
        "autoload -Uz compinit; compinit -u -D",
        'eval "$(command gitmem completion zsh)"',
        "gitmem() { printf '<%s>' \"$@\"; echo; }",
    ),
    "fish": (
        "function fish_prompt; echo '> '; end",
        "command gitmem completion fish | source",
        "function gitmem; printf '<%s>' $argv; echo; end",
    ),
}
_BASH_COMPLETION: Final = Path("/usr/share/bash-completion/bash_completion")


@pytest.fixture
def project(repo: "Checkout", monkeypatch: pytest.MonkeyPatch) -> "Checkout":
    """Give a repository with a record, a draft, a watched run, files, and a program on the path."""
    ok(repo, "init")
    ok(repo, "config", "capture.mode", "draft", "--team")
    repo.add("src/overdue.py", "1 / 0\n")
    repo.add("tests/test_overdue.py", "")
    repo.commit("a bug")
    command = ("run", "--", sys.executable, "src/overdue.py")
    assert run(repo, *command).code == 1
    repo.add("src/overdue.py", "print(1)\n")
    assert run(repo, *command).code == 0
    ok(repo, "add", "decision", "--title", "Use UTC", "--rationale", "one clock")
    programs = repo.parent / "programs"
    programs.mkdir()
    program = programs / "zebra-crossing"
    program.write_text("#!/bin/sh\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{programs}:{SCRIPTS}:{os.environ['PATH']}")
    monkeypatch.setenv("TMPDIR", str(programs))  # fish leaves a folder of its own there
    return repo


@pytest.fixture(params=list(STARTS))
def shell(request: pytest.FixtureRequest, project: "Checkout") -> Iterator[InteractiveShell]:
    """Give a shell that completes for gitmem."""
    if not shutil.which(request.param):
        pytest.skip(f"there is no {request.param} here")
    started = InteractiveShell(request.param, project)
    try:
        for line in _PREPARE[started.name]:
            started.do(line)
        yield started
    finally:
        started.close()


def completed(shell: InteractiveShell, typed: str) -> list[str]:
    """Press the tab key behind what was typed; give the arguments that gitmem gets."""
    return shown_words(shell, typed).strip("<>").split("><")


def shown_words(shell: InteractiveShell, typed: str) -> str:
    shown = shell.do(f"gitmem {typed}\t")
    return next(line for line in reversed(shown.splitlines()) if line.startswith("<"))


def test_names_are_completed(shell: InteractiveShell, project: "Checkout") -> None:
    decision = ok(project, "list", "kind:decision").split()[0]
    draft = ok(project, "drafts").split()[0]
    failed = ok(project, "runs", "--failed").split()[0]
    for typed, expected in {
        "dra": ["drafts"],
        "stats succ": ["stats", "successful"],
        "index sem": ["index", "semantic"],
        "help stats succ": ["help", "stats", "successful"],
        "why src/ov": ["why", "src/overdue.py"],
        "show dec": ["show", decision],
        f"show {decision[4:7]}": ["show", decision],
        f"drafts keep {draft[:5]}": ["drafts", "keep", draft],
        f"edit {draft[:5]}": ["edit", draft],
        "config search.lim": ["config", "search.limit"],
        "setup clau": ["setup", "claude"],
        "list --all-b": ["list", "--all-branches"],
        "runs capture src/ov": ["runs", "capture", "src/overdue.py"],
        f"undo {failed[:6]}": ["undo", failed],
        "list kind:dec": ["list", "kind:decision"],
        "list stat": ["list", "status:"],
        "search path:src/ov": ["search", "path:src/overdue.py"],
        "add note --link rel": ["add", "note", "--link", "relates="],
        f"add note --link relates={decision[:7]}": ["add", "note", "--link", f"relates={decision}"],
        "config capture.mode dr": ["config", "capture.mode", "draft"],
        "diff HE": ["diff", "HEAD"],
        "stats --by subj": ["stats", "--by", "subject"],
        "session log cha": ["session", "log", "change"],
    }.items():
        assert completed(shell, typed) == expected, typed


def test_a_command_line_behind_run_is_completed(shell: InteractiveShell) -> None:
    assert completed(shell, "run -- zebra-cr") == ["run", "--", "zebra-crossing"]
    words = ["run", "--", "zebra-crossing", "-q", "tests/test_overdue.py"]
    assert completed(shell, "run -- zebra-crossing -q tests/te") == words
    assert completed(shell, "run zebra-cr") == ["run", "zebra-crossing"]


def test_a_bash_as_old_as_that_of_macos_completes_names_and_files(project: "Checkout") -> None:
    """It has no compopt and no nosort, so nothing at all was completed there."""
    shell = InteractiveShell("bash", project)
    try:
        shell.do("enable -n compopt")
        shell.do('complete() { [[ "$*" != *nosort* ]] && builtin complete "$@"; }')
        for line in _PREPARE["bash"]:
            shell.do(line)
        for typed, expected in {
            "dra": ["drafts"],
            "list kind:dec": ["list", "kind:decision"],
            "runs capture src/overd": ["runs", "capture", "src/overdue.py"],
            "ci src/overd": ["ci", "src/overdue.py"],
        }.items():
            assert "not found" not in shell.do(f"gitmem {typed}\t"), typed
            assert completed(shell, typed) == expected, typed
    finally:
        shell.close()


@pytest.mark.skipif(not _BASH_COMPLETION.exists(), reason="bash-completion is not installed here")
def test_bash_completes_behind_run_what_the_command_takes(project: "Checkout") -> None:
    shell = InteractiveShell("bash", project)
    try:
        shell.do(f"source {_BASH_COMPLETION}")
        shell.do("complete -W 'strides stops' zebra-crossing")
        for line in _PREPARE["bash"]:
            shell.do(line)
        assert completed(shell, "run -- zebra-crossing str")[-1] == "strides"
        assert completed(shell, "why src/ov")[-1] == "src/overdue.py"
    finally:
        shell.close()


_HOSTILE: Final = (
    "zz1$(touch PWNED).py", "zz2`touch PWNED`.py", "zz3;touch PWNED", "zz4'\"quote.py",
    "zz5 blank.py", "zz6*.py", "zz7\\$(touch PWNED)", "zz8&touch PWNED&", "zz9|touch PWNED",
    "zza{x,y}", "zzb~#!", "zzc,comma", "zzd<(touch PWNED)", "zze'$(touch PWNED)'",
    'zzf"$(touch PWNED)"', "zzgé:colon=equals", "zzh[ab]?", "zzi%s",
)  # fmt: skip
_UNSEEN: Final = ("yy1\n$(touch PWNED)", "yy2\ttab", "yy3\x1b[2J", "yy4\u202etxt", "yy5\rplain,x")


def test_a_name_of_a_clone_is_one_word_and_runs_nothing(
    shell: InteractiveShell, project: "Checkout"
) -> None:
    """``list path:zz<TAB><Enter>`` ran what stood in the name of a file; a blank divided it."""
    for name in (*_HOSTILE, *_UNSEEN):
        (project / name).write_text("")
    for name in _HOSTILE:
        assert completed(shell, f"list path:{name[:3]}") == ["list", f"path:{name}"], name
    for typed in ("path:zz", "path:yy", "path:yy1", "path:yy3"):
        shell.do(f"gitmem list {typed}\t")
    if shell.name == "bash":  # the others close a quote that is open
        for quote in "'\"":
            for name in ("zz1", "zz4", "zz6", "zze", "zzf"):
                shell.do(f"gitmem list {quote}path:{name}\t{quote}")
    assert not (project / "PWNED").exists()


def test_a_branch_a_tag_and_a_goal_of_others_run_nothing(
    shell: InteractiveShell, project: "Checkout"
) -> None:
    """``diff main..evi<TAB><Enter>`` ran what stood in the name of a branch."""
    branch = "evil;touch${IFS}PWNED"
    project.git("branch", branch)
    project.git("branch", "fine-`touch${IFS}PWNED`")
    ok(
        project,
        "add",
        "note",
        "--title",
        "t",
        "--tag",
        "xy;touch",
        "--tag",
        "vw$(touch${IFS}PWNED)",
    )
    ok(project, "session", "start", "x\nplain\n$(touch PWNED)\n_")
    assert completed(shell, "diff HEAD..evi") == ["diff", f"HEAD..{branch}"]
    assert completed(shell, "diff fine") == ["diff", "fine-`touch${IFS}PWNED`"]
    assert completed(shell, "list tag:xy") == ["list", "tag:xy;touch"]
    assert completed(shell, "list tag:vw") == ["list", "tag:vw$(touch${IFS}PWNED)"]
    shell.do("gitmem session show \t")
    assert not (project / "PWNED").exists()


# What a shell may obey, and what ends a word, a quote or a line of what it is told.
_SIGNS: Final = (
    *"$`;&|<>(){}[]*?!#~'\"\\ =:,%^@+-", "$(touch PWNED)", "`touch PWNED`", ";touch PWNED;",
    "${IFS}", "<(touch PWNED)", "$'\\n'", "\\n", "é", "漢", "\t", "plain,", "|touch PWNED",
    "&&touch PWNED", "%(?.x.y)", "=(touch PWNED)", "(touch PWNED)",
)  # fmt: skip


def drawn(rng: random.Random, allowed: Callable[[str], bool]) -> str:
    """Draw a name of such signs that is allowed where it is used."""
    while True:
        name = "".join(rng.choice((*_SIGNS, "a", "b")) for _ in range(rng.randint(1, 6)))
        if "/" not in name and allowed(name):
            return name


def test_names_of_any_signs_are_one_word(shell: InteractiveShell, project: "Checkout") -> None:
    """Files, branches, tags and titles are made of all that means something to some shell."""
    rng = random.Random(f"{shell.name} 3")

    def branch(name: str) -> bool:
        return not subprocess.run(
            ["git", "check-ref-format", f"refs/heads/q{name}"], check=False
        ).returncode

    for number in range(amount(share=4, ci=12, whole=60)):
        file = f"qf{number:03}{drawn(rng, lambda _: True)}"
        (project / file).write_text("")
        head = f"qb{number:03}{drawn(rng, branch)}"
        project.git("branch", head)
        tag = f"qt{number:03}{drawn(rng, lambda name: not re.search('[ ,]', name.expandtabs()))}"
        note = ("--title", f"t {drawn(rng, str.isprintable)}", "--body", "b", "--tag", tag)
        made = ok(project, "add", "note", *note).split()[0]
        for typed, offered in {
            f"list path:qf{number:03}": f"path:{file}",
            f"diff qb{number:03}": head,
            f"list tag:qt{number:03}": f"tag:{tag}",
            f"show {made[:12]}": made,
        }.items():
            told = shown_words(shell, typed)
            assert told.startswith(f"<{typed.split()[0]}>"), (typed, told)
            if is_offerable(offered):
                assert told == f"<{typed.split()[0]}><{offered}>", typed
    assert not (project / "PWNED").exists()


def test_a_gitmem_in_the_folder_is_not_asked(project: "Checkout") -> None:
    """Where somebody typed a path, its program was run to complete for it."""
    planted = project / "gitmem"
    planted.write_text("#!/bin/sh\ntouch PWNED\n")
    planted.chmod(0o755)
    shell = InteractiveShell("bash", project)
    try:
        shell.do(_PREPARE["bash"][0])
        shell.do(": ./gitmem dra\x01\x04\x04\x05\t\x15")
        assert not (project / "PWNED").exists()
    finally:
        shell.close()


def test_a_fault_is_not_printed_into_the_prompt(project: "Checkout", tmp_path: Path) -> None:
    for words, folder in (("gitmem nonsense ", project), ("gitmem show d", tmp_path)):
        count = str(len(words.split(" ")) - 1)
        asked = {"_GITMEM_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": count}
        done = run(folder, env=asked)
        assert (done.out.strip(), done.err) == ("", "")
