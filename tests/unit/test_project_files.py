"""What a project on a forge has beside its code: forms for issues, a way to report in private."""

import re
from pathlib import Path
from typing import Final

import click
import pytest
import yaml

from gitmem.cli.group import cli

ROOT: Final = Path(__file__).resolve().parents[2]
FORMS: Final = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
_KINDS: Final = {"textarea", "input", "dropdown", "checkboxes", "markdown"}


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.name)
def test_a_form_is_one_that_the_forge_takes(path: Path) -> None:
    form = yaml.safe_load(path.read_text(encoding="utf-8"))
    if path.name == "config.yml":
        assert form == {"blank_issues_enabled": True}
        return
    assert {"name", "description", "body"} <= set(form)
    fields = form["body"]
    assert {field["type"] for field in fields} <= _KINDS
    assert all(field["attributes"]["label"] for field in fields)
    names = [field["id"] for field in fields]
    assert len(names) == len(set(names))
    assert any(field.get("validations", {}).get("required") for field in fields)


def test_the_forms_name_commands_that_there_are() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in FORMS)
    commands = set(re.findall(r"`gitmem ([a-z-]+)", text))
    assert {"doctor", "show", "explain-fingerprint"} <= commands
    context = click.Context(cli)
    assert all(cli.get_command(context, name) for name in commands)


def test_a_vulnerability_is_reported_in_private() -> None:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    assert "## Report a vulnerability" in text
    assert "in private" in text
    assert "SECURITY.md" in (ROOT / "CODE_OF_CONDUCT.md").read_text(encoding="utf-8")
