"""Reading and changing settings. Lines are edited in place, so that comments survive."""

import os
import re
from collections.abc import Mapping

from gitmem.config import LISTS, field_of, parse, refuse_for_team
from gitmem.errors import EnvironmentProblem, InvalidError, UsageError
from gitmem.memory.core.site import Site, read_marker, user_config_path
from gitmem.memory.core.team_rules import refuse_secrets
from gitmem.records import codec
from gitmem.records.layout import MARKER
from gitmem.store.files import Store


def setting(site: Site, key: str) -> tuple[object, str]:
    """Give a setting's value and where it comes from."""
    return getattr(site.config, field_of(key)), site.settings.origins.get(key, "default")


def set_setting(
    site: Site, environ: Mapping[str, str], key: str, value: str | None, scope: str
) -> None:
    """Set (or with None unset) a setting in the user's or the team's file."""
    if key in LISTS:
        where = f"{os.path.basename(site.folder)}/{MARKER}"
        raise UsageError(f"{key} is a list", f"write it into {where}, below settings:")
    parsed = None if value is None else parse(key, value)
    field_of(key)
    if scope == "team":
        refuse_for_team(key, parsed)
        refuse_secrets(site, {key: parsed})
        path, indent = os.path.join(site.folder, MARKER), "  "
        text = read_marker(site.folder).decode()
    else:
        path, indent = user_config_path(environ), ""
        if os.path.isabs(path):
            path = os.path.realpath(path)  # a link into a folder of dot files stays one
        else:
            raise EnvironmentProblem(
                "there is no home folder for your settings", "set HOME or XDG_CONFIG_HOME"
            )
        text = _read(path)
    new = _edited(
        text, key, None if parsed is None else codec.dump({key: parsed}).decode().strip(), indent
    )
    _prove(new, key, parsed, indent)
    folder, name = os.path.split(path)
    if not new:  # an empty file would be no settings, but a fault
        if os.path.lexists(path):
            Store(folder, 0).delete(name)
        return
    os.makedirs(folder, exist_ok=True)
    Store(folder, 0).replace(name, new.encode())


def add_to_list(site: Site, key: str, entry: Mapping[str, str]) -> None:
    """Add an entry to a list in the team's settings; the rest of the text is unchanged."""
    refuse_secrets(site, entry)
    text = read_marker(site.folder).decode()
    was = codec.load(text.encode()).get("settings", {}).get(key, [])
    lines = text.splitlines()
    head = next((i for i, old in enumerate(lines) if old == f"  {key}:"), None)
    if head is None:
        text = _edited(text, key, f"{key}:", "  ")
        lines = text.splitlines()
        head = lines.index(f"  {key}:")
    deeper = re.compile(r"\s*$|  - |   |\s*#")
    below = range(head + 1, len(lines))
    end = next((i for i in below if not deeper.match(lines[i])), len(lines))
    entry_lines = codec.dump(dict(entry)).decode().splitlines()
    lines[end:end] = [
        f"  {'- ' if number == 0 else '  '}{line}" for number, line in enumerate(entry_lines)
    ]
    new = "\n".join(lines) + "\n"
    _prove(new, key, [*was, dict(entry)], "  ")
    Store(site.folder, 0).replace(MARKER, new.encode())


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def _edited(text: str, key: str, line: str | None, indent: str) -> str:
    lines = text.splitlines()
    pattern = re.compile(rf"{indent}['\"]?{re.escape(key)}['\"]?:")
    at = next((i for i, old in enumerate(lines) if pattern.match(old)), None)
    if at is not None:
        lines[at : at + 1] = [indent + line] if line else []
    elif line and not indent:
        lines.append(line)
    elif line:
        head = next(
            (i for i, old in enumerate(lines) if re.match(r"settings:\s*(\{\}\s*)?$", old)), None
        )
        if head is None:
            lines.append("settings:")
            head = len(lines) - 1
        lines[head] = "settings:"
        lines.insert(head + 1, indent + line)
    inside = [old for old in lines if old.startswith("  ")]
    if "settings:" in lines and all(old.lstrip().startswith("#") for old in inside):
        # A key without a value would be no mapping.
        lines[lines.index("settings:")] = "settings: {}"
        if not inside:
            lines.remove("settings: {}")
    return "\n".join(lines) + "\n" if lines else ""


def _prove(text: str, key: str, value: object, indent: str) -> None:
    """Read the new text back: a hand-made layout that line editing misjudges is left alone."""
    try:
        data = codec.load(text.encode()) if text.strip() else {}
    except codec.YamlError:
        data = {}
    written = (data.get("settings", {}) if indent else data).get(key)
    if written != value:
        raise InvalidError(f"can't change {key} in this file by itself", "edit it by hand")
