"""A past fix is never done unseen where it makes files, or changes what tools run by themselves."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from gitmem.capture.applying import Splice
from gitmem.memory import FileChange
from gitmem.memory.codebase.patches import _is_git
from gitmem.memory.codebase.self_running import runs_by_itself
from lsp_server.edits import EditCapabilities, workspace_edit

CAN_ASK = EditCapabilities(
    types.ClientCapabilities(
        workspace=types.WorkspaceClientCapabilities(
            workspace_edit=types.WorkspaceEditClientCapabilities(
                document_changes=True,
                resource_operations=list(types.ResourceOperationKind),
                change_annotation_support=types.ChangeAnnotationsSupportOptions(),
            )
        )
    )
)
CAN_NOT_ASK = EditCapabilities(
    types.ClientCapabilities(
        workspace=types.WorkspaceClientCapabilities(
            workspace_edit=types.WorkspaceEditClientCapabilities(
                document_changes=True, resource_operations=list(types.ResourceOperationKind)
            )
        )
    )
)


@pytest.mark.parametrize(
    "path",
    [
        ".vscode/tasks.json", ".github/workflows/x.yml", ".gitlab-ci.yml", ".envrc",
        ".husky/pre-push", "sub/.cargo/config.toml", "app/Package.JSON", "conftest.py",
        "deep/down/Makefile", "setup.py", "vite.config.ts", "hooks/post-merge",
        "Dockerfile.dev", "docker-compose.override.yml", "azure-pipelines.yml", "lib/evil.pth",
        "build.gradle.kts", "AGENTS.md", "shop.code-workspace", "Jenkinsfile", "tox.ini",
        "docs/conf.py", "mkdocs.yml", "NuGet.config", "requirements-dev.txt", "go.mod", "Podfile",
        "build.zig", "Package.swift", "Setup.hs", "karma.conf.js", "jest.setup.ts",
        "spec_helper.rb", "main.tf", "unit.service", "META-INF/services/java.sql.Driver",
        "pnpm-lock.yaml", "bootstrap", "Rakefile", "lib/tasks/x.rake", "tsconfig.json",
        "rust-toolchain", "ansible/site.yml",
    ],
)  # fmt: skip
def test_what_tools_run_by_themselves_is_told_apart(path: str) -> None:
    assert runs_by_itself(path)


@pytest.mark.parametrize(
    "path", ["shop/till.py", "src/main.rs", "README.md", "docs/setup.md", "a/builder.go", "x.json"]
)
def test_ordinary_code_is_no_such_file(path: str) -> None:
    assert not runs_by_itself(path)


@given(
    name=st.sampled_from((
        "package.json", "Makefile", "conftest.py", "setup.py", "Dockerfile", "tox.ini", "conf.py",
        "Jenkinsfile", "pyproject.toml", "x.yaml", "requirements.txt", "Cargo.lock", "a.mk",
    )),
    folders=st.lists(st.sampled_from(("src", "docs", "A", "b c", "é")), max_size=4),
    turned=st.sampled_from((str.upper, str.lower, str.title, str)),
)  # fmt: skip
def test_wherever_they_lie_and_however_they_are_written(
    name: str, folders: list[str], turned: Callable[[str], str]
) -> None:
    assert runs_by_itself("/".join([*folders, turned(name)]))


def edit(*changes: FileChange) -> types.WorkspaceEdit:
    return workspace_edit(changes, CAN_ASK, {}, len, "Past fix")


@pytest.mark.parametrize(
    "name",
    [".git/hooks/x", ".GIT/config", "a/.Git/x", ".gi\u200ct/x", "GIT~1/x", ".git./x", ".git::$x/y"],
)
def test_no_patch_reaches_gits_own_folder_by_another_spelling(name: str) -> None:
    assert any(map(_is_git, name.split("/")))
    assert not any(map(_is_git, ["src", "git", ".github", "gitlab", ".gitignore"]))


LINE = (Splice(0, 1, ("new",)),)


@pytest.mark.parametrize(
    "risky",
    [
        FileChange("/r/package.json", "edit", LINE, "old\n", name="package.json", asks=True),
        FileChange("/r/a.py", "create", text="x\n", name="a.py", asks=True),
        FileChange("/r/a.py", "delete", text="x\n", name="a.py", asks=True),
        FileChange("/r/b.py", "rename", LINE, "old\n", "/r/a.py", name="a.py", asks=True),
    ],
)
def test_it_is_asked_about_with_its_name_or_not_offered(risky: FileChange) -> None:
    plain = FileChange("/r/z.py", "edit", LINE, "old\n", name="z.py")
    assert edit(plain).change_annotations is None
    for changes in ([risky], [plain, risky]):
        annotations = edit(*changes).change_annotations
        assert annotations is not None
        (asked,) = annotations.values()
        assert asked.needs_confirmation
        assert all(change.name in (asked.description or "") for change in changes)
        assert CAN_ASK.suffice(changes)
        assert not CAN_NOT_ASK.suffice(changes)
    assert CAN_NOT_ASK.suffice([plain])
