"""Where gitmem opens files and starts programs: in the modules of these tables, nowhere else.

Whoever opens a file of the work tree without ``gitmem.worktree`` follows links out of the
repository or waits for a pipe; whoever starts git without ``gitmem.git.command`` runs the programs
that a repository's settings name. Another module is another line here, with what it opens.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

FILES: Final = {
    "files of the work tree": ("worktree",),
    "records, archives and attachments of the memory": ("store/files",),
    "the journal and its lock": ("store/journal", "store/shown_answer", "system/__init__"),
    "the catalog, the index and vectors": (
        "index/index_update", "index/manifest", "index/whoosh_files", "index/whoosh_index",
        "index/whoosh_writer", "semantic/vectors",
    ),
    "the user's models and tables": (
        "semantic/model_source", "semantic/pieces", "semantic/sentences", "semantic/tensors",
        "semantic/words",
    ),
    "tables, prompts and packs of the package": (
        "assistants/payloads", "cli/shells/__init__", "llm/prompts", "matching/wordings",
        "search/synonyms", "serve/languages", "store/readonly", "store/tar",
    ),
    "what installed packages say that they bring, and what of it is kept": ("installed",),
    "the user's settings": ("memory/core/settings", "memory/core/site"),
    "a hub's own file, its copies, and whether a hub answers": (
        "git/mirror", "memory/failures/elsewhere", "parts/hub/permissions", "parts/hub/registry",
    ),
    "the folder .git": (
        "git/beside", "git/code_index", "git/command", "git/edits", "git/git_dirs",
        "git/hooks", "git/log", "git/loose", "git/provenance",
        "git/staged", "git/state", "memory/core/first_hint", "store/poll",
    ),
    "files that git hands to a merge, and folders of their own": (
        "git/text_merge", "memory/history/merge_driver",
    ),
    "files that the user names": (
        "cli/add", "cli/backup", "cli/capture", "cli/ci", "cli/drafts", "cli/editor",
        "cli/explain_fingerprint", "cli/export", "cli/import_", "cli/report", "cli/resolve",
        "cli/tools",
        "parts/compat/ai_memory", "parts/compat/kaizen_execution", "parts/compat/learning",
        "parts/imports/import_other", "parts/imports/written_texts", "memory/exchange/packs",
        "store/attachments",
    ),
    "files of assistants, which are no links": ("assistants/project_files",),
    "the transcript that an assistant names, and its settings in a project": (
        "assistants/hooks", "cli/hook_answers",
    ),
    "results that a watched run wrote, which are no links": (
        "memory/failures/reporting", "pytest_plugin/recorder",
    ),
    "files in temporary folders of ours": (
        "guards/semgrep", "mcp/screenshots", "memory/checks/trial_checks",
        "memory/checks/trial_repository",
    ),
    "the standard streams, folders and /proc": (
        "cli/main", "mcp/pipes", "store/inotify", "system/unix",
    ),
}  # fmt: skip
PROGRAMS: Final = {
    "git": ("git/command", "system/unix", "system/windows"),
    "the user's command": (
        "system/child/running", "system/child/signals", "system/child/windows", "git/bisect",
        "memory/history/proving",
    ),
    "the user's editor": ("cli/editor",),
    "Semgrep, in a folder of its own": ("guards/semgrep",),
    "gitmem itself, and pip": (
        "guards/ast_grep", "memory/core/index_process", "semantic/model_source", "sync/workers",
    ),
    "gitmem, git and the user's shell, in a folder of their own": (
        "memory/checks/language_server", "memory/checks/trial_checks",
        "memory/checks/trial_repository",
    ),
}  # fmt: skip
_OPENING: Final = frozenset({"os.open", "io.open", "codecs.open", "os.fdopen"})
_METHODS: Final = frozenset({"read_bytes", "read_text", "write_bytes", "write_text"})
_STARTING: Final = ("subprocess.", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.system",
                    "os.popen", "pty.")  # fmt: skip


def breaches(root: Path) -> Iterator[str]:
    """Name what opens a file or starts a program and has no line here, and lines without use."""
    allowed = {
        "opens files": {name for names in FILES.values() for name in names},
        "starts programs": {name for names in PROGRAMS.values() for name in names},
    }
    seen: dict[str, set[str]] = {what: set() for what in allowed}
    for path in sorted((root / "gitmem").rglob("*.py")):
        name = str(path.relative_to(root / "gitmem").with_suffix(""))
        for what, line in _acts(ast.parse(path.read_text(encoding="utf-8"))):
            seen[what].add(name)
            if name not in allowed[what]:
                yield f"gitmem/{name}.py:{line}: {what}; say which in scripts/doors.py"
    for what, names in allowed.items():
        for name in sorted(names - seen[what]):
            yield f"scripts/doors.py: gitmem/{name}.py no longer {what}"


def _acts(tree: ast.Module) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        words = ast.unparse(node.func)
        if (
            words == "open"
            or words in _OPENING
            or ("." in words and words.rpartition(".")[2] in _METHODS)
        ):
            yield "opens files", node.lineno
        elif words.startswith(_STARTING):
            yield "starts programs", node.lineno
