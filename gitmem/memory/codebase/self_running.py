"""Files that tools run, or obey, by themselves: nobody has to call what stands in them.

What has the form of settings is a tool's, whatever it is called; what is code needs a name here.
"""

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
    "hatch_build.py", "pdm_build.py", "wscript*", "pavement.py", "build.zig*", "package.swift",
    "setup.hs", "*.opam", "dune*", "project.clj", "*.edn", "*.cake", "*.fsx", "*.sc", "*.mill",
    "*.pl", "*.rake", "config.ru", "*.ru", "*.tf", "*.tfvars", "*.hcl", "*.dhall", "*.zon",
    "conf.py", "*.conf.py", "*_config.py", "*config.json", "*.conf.js", "*.conf.ts", "*.setup.*",
    "*_helper.rb", "locustfile.py", "wsgi.py", "asgi.py", "init.lua", "*.vim", "startup.*", "*.el",
    "global.json", "angular.json", "nx.json", "turbo.json", "lerna.json", "project.json",
    "app.json", "vercel.json", "firebase.json", "devbox.json", "cypress.json", "import_map.json",
    "*.config", "requirements*.txt", "constraints*.txt", "*.lock", "*.mod", "*.sum",
    "*-lock.json", "*.gradle.*",
    # What an assistant obeys.
    "agents.md", "claude.md", "gemini.md", "copilot-instructions.md",
)  # fmt: skip
_SETTINGS: Final = (
    ".toml", ".ini", ".cfg", ".conf", ".yml", ".yaml", ".xml", ".properties", ".plist", ".rules",
    ".service", ".timer", ".socket", ".desktop", ".reg", ".cnf", ".mk", ".env", ".nomad",
)  # fmt: skip
"""How names of settings end, whichever tool reads them."""
_PROSE: Final = frozenset({
    "readme", "license", "licence", "copying", "authors", "changelog", "notice", "todo", "news",
})  # fmt: skip
_FOLDERS: Final = frozenset({"hooks", "githooks", "meta-inf"})


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
    if name.endswith(_SETTINGS) or ("." not in name and name not in _PROSE):
        return True
    return any(fnmatchcase(name, pattern) for pattern in _NAMES)
