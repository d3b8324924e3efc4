"""The extension's manifest against what the Python side says, so that the two can't drift."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from gitmem._version import __version__
from gitmem.records.layout import KIND_OF_FOLDER

ROOT = Path(__file__).resolve().parents[2]
EXTENSION = ROOT / "vscode-extension"
PACKAGE: dict[str, Any] = json.loads((EXTENSION / "package.json").read_text())
TEXTS: dict[str, str] = json.loads((EXTENSION / "package.nls.json").read_text())
SETTINGS: dict[str, Any] = PACKAGE["contributes"]["configuration"]["properties"]
SOURCES = {path: path.read_text() for path in sorted((EXTENSION / "src").rglob("*.ts"))}
CODE = "\n".join(SOURCES.values())
README = (EXTENSION / "README.md").read_text()
LANGUAGE_SERVER = (ROOT / "docs" / "language-server.md").read_text()


def test_extension_and_package_are_of_one_version() -> None:
    assert PACKAGE["version"] == __version__
    needed = tuple(map(int, PACKAGE["gitmem"]["least"].split(".")))
    assert needed <= tuple(map(int, __version__.split(".")[: len(needed)]))


@pytest.mark.parametrize("name", SETTINGS)
def test_every_setting_is_documented_with_its_default_and_an_example(name: str) -> None:
    text = TEXTS[SETTINGS[name]["markdownDescription"].strip("%")]
    assert "Example: `" in text
    assert SETTINGS[name]["examples"]
    default = SETTINGS[name]["default"]
    shown = (
        "empty"
        if default == ""
        else f"`{default if isinstance(default, str) else json.dumps(default)}`"
    )
    assert f"| `{name}` | {shown} |" in README


def test_every_setting_is_read_and_every_one_read_is_declared() -> None:
    declared = {name.removeprefix("gitmem.") for name in SETTINGS} - {"trace.server"}
    assert set(re.findall(r"setting\('(\w+)'", CODE)) == declared


def test_every_command_is_implemented_and_every_one_implemented_is_declared() -> None:
    declared = {one["command"] for one in PACKAGE["contributes"]["commands"]}
    extension = SOURCES[EXTENSION / "src" / "extension.ts"]
    assert set(re.findall(r"^    '(gitmem\.\w+)':", extension, re.MULTILINE)) == declared


@pytest.mark.parametrize(
    "name", [one["title"].strip("%") for one in PACKAGE["contributes"]["commands"]]
)
def test_every_command_that_can_be_chosen_is_in_the_read_me(name: str) -> None:
    hidden = {one["command"] for one in PACKAGE["contributes"]["menus"]["commandPalette"]
              if one["when"] == "false"}  # fmt: skip
    if name.replace("command.", "gitmem.") not in hidden:
        assert TEXTS[name] in README


def test_commands_asked_of_the_server_are_the_servers() -> None:
    asked = set(re.findall(r"(?:ask|demand|tell)(?:<[^(]*>)?\(\s*'(gitmem\.[\w.]+)'", CODE))
    assert {"gitmem.overview", "gitmem.branch"} <= asked
    for command in asked:
        assert f"`{command}`" in LANGUAGE_SERVER, command


def test_commands_of_the_server_and_of_the_extension_have_different_names() -> None:
    # The client registers the server's commands in the editor by itself.
    declared = {one["command"] for one in PACKAGE["contributes"]["commands"]}
    theirs = set(re.findall(r"`(gitmem\.[\w.]+)`", LANGUAGE_SERVER))
    assert not declared & theirs


def test_what_is_switched_is_an_option_of_the_server() -> None:
    server = SOURCES[EXTENSION / "src" / "server" / "server.ts"]
    switches = server[server.index("function switches") :].partition("}\n")[0]
    names = re.findall(r"(\w+): setting\('(\w+)'\)", switches)
    assert names
    for option, setting in names:
        assert option == setting
        assert SETTINGS[f"gitmem.{setting}"]["default"] is False
        assert f"| `{option}` | `true`: " in LANGUAGE_SERVER


def test_every_translation_is_packaged() -> None:
    kept = (EXTENSION / ".vscodeignore").read_text().splitlines()
    assert "!package.nls.*.json" in kept
    assert "!l10n/**" in kept
    assert len(list(EXTENSION.glob("package.nls.*.json"))) == 1


def test_every_kind_of_record_has_a_schema_for_the_yaml_extension() -> None:
    rules = {one["fileMatch"]: one["url"] for one in PACKAGE["contributes"]["yamlValidation"]}
    for folder, kind in KIND_OF_FOLDER.items():
        url = rules[f"**/.memory/{folder}/**/*.yaml"]
        assert url == f"./dist/schemas/{kind}.schema.json"
        assert (ROOT / "schemas" / Path(url).name).is_file()


def test_every_kind_has_a_badge() -> None:
    badges = SOURCES[EXTENSION / "src" / "views" / "badges.ts"]
    assert set(re.findall(r"^  (\w+): '\w',", badges, re.MULTILINE)) == set(KIND_OF_FOLDER)


def test_no_telemetry_and_nothing_run_from_an_untrusted_folder() -> None:
    assert not re.search(r"https?://(?!www\.w3\.org)", CODE)
    assert PACKAGE["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"] == [
        "gitmem.python"
    ]
    assert "workspace.isTrusted" in CODE
