"""Write the generated parts of docs/: commands, fields of records, settings. Or check them.

``python scripts/generate_docs.py [--check]``

docs/commands.md and the plugin for Claude Code are generated whole. In other pages the text between
``<!-- generated: NAME -->`` and ``<!-- end -->`` is.
"""

import argparse
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # for the modules beside this script

from gitmem import config  # noqa: E402
from gitmem.assistants.assistant import TOOLS  # noqa: E402
from gitmem.assistants.hooks import HOOK_CLIENTS  # noqa: E402
from gitmem.query import STATUSES  # noqa: E402
from gitmem.records import kinds, parts  # noqa: E402
from gitmem.records.explain import describe  # noqa: E402
from scripts import claude_plugin  # noqa: E402
from scripts.docs_of_commands import commands_page  # noqa: E402
from scripts.docs_of_fields import PARTS, TEXTS  # noqa: E402
from scripts.docs_of_tools import HEAD, rows  # noqa: E402

_SECTION: Final = re.compile(
    r"<!-- generated: (?P<name>[a-z: _-]+) -->\n.*?<!-- end -->", re.DOTALL
)
_KINDS: Final = frozenset(kind.__name__ for kind in kinds.KINDS.values())
_ENVELOPE: Final = frozenset(kinds.Record.__struct_fields__)


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """Write a Markdown table."""
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines
    )


def what(annotation: Any) -> str:  # noqa: ANN401  an annotation
    """Say what a field holds, with a link where it is a block of its own."""
    origin = get_origin(annotation)
    args = get_args(annotation)
    if origin in {Union, UnionType} and set(args) == {str, int, float, bool, NoneType}:
        return "text, number, true, false or null"
    if origin in {Union, UnionType}:
        return " or ".join(what(option) for option in args if option is not NoneType)
    if origin is Literal:
        return ", ".join(f"`{value}`" for value in args)
    if origin is Annotated:
        return describe(annotation)
    if origin is tuple and args[-1] is ...:
        return f"list: {what(args[0])}"
    if origin is dict:
        return f"mapping: {what(args[1])}"
    if isinstance(annotation, type) and issubclass(annotation, parts.RecordPart):
        return f"[{annotation.__name__}](#{annotation.__name__.lower()})"
    return describe(annotation)


def fields(part: type[parts.RecordPart], skip: frozenset[str] = frozenset()) -> str:
    """Write the table of a block's fields."""
    hints = get_type_hints(part, include_extras=True)
    rows = []
    for field in msgspec.structs.fields(part):
        if field.name in skip or field.name == "extra":
            continue
        key = f"{part.__name__}.{field.name}"
        name = f"`{field.name}`" + (" (required)" if field.required else "")
        default = field.default if isinstance(field.default, str) and field.default else ""
        text = TEXTS[key] + (f"; `{default}` if not said" if default else "")
        rows.append((name, what(hints[field.name]), text))
    return table(("field", "holds", "meaning"), rows)


def envelope() -> str:
    """Write the fields that all kinds have."""
    rows = fields(kinds.Record).split("\n")
    kind = "| `kind` (required) | one of " + ", ".join(f"`{kind}`" for kind in kinds.KINDS)
    return "\n".join([*rows[:4], kind + " | which kind of record it is |", *rows[4:]])


def blocks() -> str:
    """Write the blocks that records are made of."""
    made = []
    for part in PARTS:
        text = (part.__doc__ or "").split("\n\n")[0].replace("``", "`")
        made.append(f"### {part.__name__}\n\n{text}\n\n{fields(part)}")
    return "\n\n".join(made)


def settings() -> str:
    """Write the table of settings."""
    defaults = config.Config()
    rows = []
    for key in config.KEYS:
        value = getattr(defaults, config.field_of(key))
        shown = f"{value:g}" if isinstance(value, float) else str(value)
        if key in config.LISTS:
            rows.append((f"`{key}`", "", "", config.HELP[key]))
            continue
        variable = f"GITMEM_{key.replace('.', '_').upper()}"
        if config.from_environment({variable: "x"}).values != {key: "x"}:
            raise SystemExit(f"{key} is not read from {variable}")
        rows.append((f"`{key}`", f"`{shown}`" if shown else "", f"`{variable}`", config.HELP[key]))
    return table(("setting", "default", "environment", "meaning"), rows)


def statuses() -> str:
    """Write the table of statuses."""
    rows = [(kind, ", ".join(f"`{one}`" for one in found)) for kind, found in STATUSES.items()]
    return table(("kind", "`status:`"), rows)


def registrations() -> str:
    """List the file that registers the server with each assistant, and where it reads guidance."""
    rows = []
    for tool in TOOLS.values():
        if not tool.source:
            continue
        names = [f"`{name}`" for name in tool.guidance]
        first = names[0] if len(names) == 1 else f"the first that is there: {', '.join(names)}"
        keys = f"`{'.'.join(tool.path)}`"
        files = " or ".join(f"`{file}`" for file in tool.files)
        user = f"`~/{tool.user}`" if tool.user else ""
        name = f"{tool.title} (`{tool.name}`)"
        rows.append((name, keys, files, user, first, tool.source))
    head = ("assistant", "entry", "file", "with `--user`", "guidance", "documented at")
    return table(head, rows)


def hooks() -> str:
    """List where the hooks of each assistant are set, and which of its events are answered."""
    rows = []
    for name, client in HOOK_CLIENTS.items():
        events = [
            ", ".join(f"`{event}`" for event, own in client.events.items() if own in kinds_of)
            for kinds_of in ({"session"}, {"begins", "ended"}, {"stop"})
        ]
        titles = ", ".join(TOOLS[each].title for each in (name, *client.read_by))
        rows.append((titles, f"`{client.file}`", *events, client.source))
    head = ("assistant", "file", "session starts", "command", "turn ends", "documented at")
    return table(head, rows)


def tools() -> str:
    """List the tools whose output is read, and what of them is."""
    return table(HEAD, rows())


SECTIONS: Final[dict[str, Callable[[], str]]] = {
    "fields: envelope": envelope,
    **{f"fields: {name}": partial(fields, kind, _ENVELOPE) for name, kind in kinds.KINDS.items()},
    "fields: blocks": blocks,
    "hooks": hooks,
    "registrations": registrations,
    "settings": settings,
    "statuses": statuses,
    "tools": tools,
}


def missing_texts() -> Iterator[str]:
    """Name blocks and fields without a text, and texts without a field."""
    here = "scripts/docs_of_fields.py"
    for one in vars(parts).values():
        if (
            isinstance(one, type)
            and issubclass(one, parts.RecordPart)
            and one not in {parts.RecordPart, *PARTS}
        ):
            yield f"{here}: {one.__name__} is not in PARTS"
    structs: list[type[parts.RecordPart]] = [kinds.Record, *kinds.KINDS.values(), *PARTS]
    known = {
        f"{struct.__name__}.{name}"
        for struct in structs
        for name in struct.__struct_fields__
        if name != "extra" and not (struct.__name__ in _KINDS and name in _ENVELOPE)
    }
    yield from (f"{here}: no text for {name}" for name in sorted(known - TEXTS.keys()))
    yield from (f"{here}: there is no field {name}" for name in sorted(TEXTS.keys() - known))


def wanted(root: Path) -> dict[Path, str]:
    """Give every page with generated parts, as it has to be."""
    made = {root / "docs" / "commands.md": commands_page(), **dict(claude_plugin.files(root))}
    for page in [*sorted((root / "docs").glob("*.md")), root / "README.md"]:
        if page in made or not page.exists():
            continue
        text = page.read_text(encoding="utf-8")
        if "<!-- generated: " in text:
            made[page] = _SECTION.sub(_filled, text)
    return made


def _filled(match: re.Match[str]) -> str:
    name = match["name"]
    if name not in SECTIONS:
        raise SystemExit(
            f"there is nothing to generate called {name!r}; known: {', '.join(SECTIONS)}"
        )
    return f"<!-- generated: {name} -->\n{SECTIONS[name]()}\n<!-- end -->"


def main() -> int:
    """Run as a script."""
    parser = argparse.ArgumentParser(description="generate parts of docs/")
    parser.add_argument("--check", action="store_true", help="only compare; exit 1 if they differ")
    check = parser.parse_args().check
    found = list(missing_texts())
    if not found:
        for page, text in wanted(ROOT).items():
            if check and (not page.exists() or page.read_text(encoding="utf-8") != text):
                found.append(
                    f"{page.relative_to(ROOT)}: out of date; run: python scripts/generate_docs.py"
                )
            elif not check:
                page.parent.mkdir(parents=True, exist_ok=True)
                page.write_text(text, encoding="utf-8", newline="\n")
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
