"""Tools of which only files matter: builders, package managers, formatters, services of CI."""

from gitmem.tools.base import Tool, ToolFiles

TOOL = Tool(
    "ecosystems",
    order=900,
    files=ToolFiles(
        manifests=(
            "environment.yml",  # conda
            "mix.exs",
            "pubspec.yaml",  # pub
            "Package.swift",
            "conanfile.txt",
            "conanfile.py",
            "vcpkg.json",
        ),
        locks=(
            "pdm.lock",
            "flake.lock",  # nix
            "mix.lock",
            "pubspec.lock",
            "Package.resolved",  # swift
        ),
        supplies=("environment.yml", "environment.yaml"),
        generated=(
            "Podfile.lock",  # CocoaPods
            ".terraform.lock.hcl",
            "*_pb2.py",  # protoc, here and below
            "*_pb2_grpc.py",
            "*.pb.go",
            "*.pb.cc",
            "*.pb.h",
        ),
        noise=(".coverage", ".coverage.*", "coverage.xml", "coverage.json", "*.lcov", "lcov.info"),
        folders=frozenset({".hypothesis", "htmlcov", ".nyc_output"}),
        settings={
            ".editorconfig": "EditorConfig",
            ".prettierrc*": "Prettier",
            "prettier.config.*": "Prettier",
            "biome.json": "Biome",
            ".pre-commit-config.yaml": "pre-commit",
            "rustfmt.toml": "rustfmt",
            ".golangci.y*ml": "golangci-lint",
            ".gitlab-ci.yml": "GitLab CI",
            "Jenkinsfile": "Jenkins",
            ".github/workflows/": "GitHub Actions",
            ".circleci/": "CircleCI",
        },
        sections={
            "black": "Black",
            "isort": "isort",
            "coverage": "coverage.py",
            "hatch": "Hatch",
            "pdm": "PDM",
            "importlinter": "import-linter",
        },
        turn=75,
        commands={"mix.exs": ("mix compile", "mix test")},
    ),
)
