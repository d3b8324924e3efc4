"""Tools of which only files matter, and nothing that they print: one line each."""

from gitmem.tools.base import Tool, ToolFiles

TOOL = Tool(
    "ecosystems",
    order=900,
    files=ToolFiles(
        manifests=(
            "environment.yml",  # conda
            "pubspec.yaml",  # pub
            "conanfile.txt",
            "conanfile.py",
            "vcpkg.json",
        ),
        locks=(
            "flake.lock",  # nix
            "pubspec.lock",
        ),
        supplies=("environment.yml", "environment.yaml"),
        generated=("Podfile.lock",),  # CocoaPods
        folders=frozenset({".hypothesis"}),
        settings={
            ".editorconfig": "EditorConfig",
            ".pre-commit-config.yaml": "pre-commit",
            "rustfmt.toml": "rustfmt",
            "Jenkinsfile": "Jenkins",
            ".circleci/": "CircleCI",
        },
        sections={"importlinter": "import-linter"},
        aside=(r"\.editorconfig", r"\.?rustfmt\.toml"),
        services=(
            r"\.(?:circleci|azure|buildkite|devcontainer|travis|appveyor|cirrus|zuul|hound|codeclimate)",
            r"\.?mergify",
            "appveyor",
            "azure-pipelines",
            r"\.pre-commit-config",
            r"\.?readthedocs",
            "renovate",
        ),
    ),
)
