"""Files that tools run, or obey, by themselves: nobody has to call what stands in them."""

from fnmatch import fnmatchcase
from typing import Final

_NAMES: Final = (
    # Manifests with scripts, and what builds.
    "package.json", "composer.json", "deno.json*", "pyproject.toml", "setup.py", "setup.cfg",
    "cargo.toml", "build.rs", "pom.xml", "*.gradle", "*.gradle.kts", "gradlew*", "mvnw*",
    "gradle-wrapper.properties", "gemfile", "rakefile", "*.gemspec", "mix.exs", "rebar.config",
    "*.csproj", "*.fsproj", "*.vcxproj", "*.targets", "*.props", "*.sln", "build.sbt", "*.cabal",
    "makefile*", "gnumakefile", "*.mk", "cmakelists.txt", "*.cmake", "meson.build", "configure*",
    "sconstruct", "build", "build.bazel", "workspace*", "module.bazel", "*.bzl", "*.nix",
    "*.podspec",
    "justfile", "taskfile.y*ml", "noxfile.py", "tox.ini", "tasks.py", "dodo.py", "fabfile.py",
    # What a language, a test runner or a tool loads on its way.
    "conftest.py", "pytest.ini", "sitecustomize.py", "usercustomize.py", "*.pth", "manage.py",
    "*.config.*", "gulpfile.*", "gruntfile.*", "*rc.js", "*rc.cjs", "*rc.mjs", "*.code-workspace",
    # Jobs, containers, machines.
    "jenkinsfile*", "*-pipelines.y*ml", "appveyor.y*ml", "cloudbuild.y*ml", "buildspec.y*ml",
    "dockerfile*", "*.dockerfile", "containerfile*", "*compose*.y*ml", "vagrantfile", "procfile*",
    "tiltfile", "earthfile", "brewfile", "lefthook.y*ml",
    # What an assistant obeys.
    "agents.md", "claude.md", "gemini.md", "copilot-instructions.md",
)  # fmt: skip
_FOLDERS: Final = frozenset({"hooks", "githooks"})


def runs_by_itself(path: str) -> bool:
    """Tell whether tools run a file by themselves, by its path in the repository.

    Whatever is hidden is taken for a setting of some tool, and each tool has its own way to name
    a program there.
    """
    *folders, name = path.lower().split("/")
    if name.startswith(".") or any(
        folder.startswith(".") or folder in _FOLDERS for folder in folders
    ):
        return True
    return any(fnmatchcase(name, pattern) for pattern in _NAMES)
