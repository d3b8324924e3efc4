"""Flags for a record's fields, made from the guide, and what was typed turned into data."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from gitmem.cli.app import standard_input
from gitmem.cli.base import Option
from gitmem.cli.forms import option
from gitmem.errors import InvalidError, UsageError
from gitmem.records import guide

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from gitmem.memory import Memory

_FLAG_NAMES = {
    "error_type": "--type",
    "tags": "--tag",
    "steps": "--step",
    "alternatives": "--alternative",
}


def flag(ask: guide.FieldPrompt) -> str:
    """Name the flag of a field: ``--why-failed``, ``--type``, ``--tag``."""
    return _FLAG_NAMES.get(ask.field, "--" + ask.field.replace("_", "-"))


class _Choice(Option):
    """An option for a field that allows a few words: its help names them, the shell offers them."""

    def __init__(self, *names: Any, kind: str, **options: Any) -> None:  # noqa: ANN401
        super().__init__(*names, **options)
        self.kind = kind

    def words(self) -> list[str]:
        """Name the words; what they are is asked of the type when somebody wants to know."""
        from gitmem.records.explain import annotation_at, describe
        from gitmem.records.kinds import KINDS

        allowed = describe(annotation_at(KINDS[self.kind], f".{self.name}"))
        return allowed.removeprefix("one of ").split(", ")

    def make_metavar(self, ctx: Any = None) -> str:  # noqa: ANN401, ARG002  click 8.1 gives none
        """Name the words in the place of TEXT."""
        return "|".join(self.words())

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":  # noqa: ARG002
        """Offer the words."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(word) for word in self.words() if word.startswith(incomplete)]


def field_options(kind: str, skip: tuple[str, ...] = ()) -> Callable[[Any], Any]:
    """Add a flag for each field of ``kind`` that people fill in, and those for the envelope."""

    def add(function: Any) -> Any:  # noqa: ANN401
        general = (
            option(
                "--anchor",
                multiple=True,
                metavar="PATH[:LINES]",
                help="Code it is about: src/a.py:10-20.",
            ),
            option(
                "--link",
                multiple=True,
                metavar="RELATION=ID",
                help="Link to another record: relates=err-7k.",
            ),
            option(
                "--issue",
                "issues",
                multiple=True,
                metavar="ISSUE",
                help="Issue or pull request it belongs to: #12, !7, owner/repo#12 or its address.",
            ),
            option(
                "--set",
                "assign",
                multiple=True,
                metavar="FIELD=VALUE",
                help="Any other field, by its name in the file; VALUE is YAML.",
            ),
        )
        for adding in reversed(general):
            function = adding(function)
        for ask in reversed((*guide.COMMON, *guide.KINDS[kind])):
            if ask.field not in skip:
                many = ask.form == "list"
                text = ask.help + (" (- reads standard input)" if ask.form == "lines" else "")
                more: dict[str, Any] = {}
                if ask.form == "choice":
                    more = {"cls": _Choice, "kind": kind}
                function = option(flag(ask), ask.field, multiple=many, help=text, **more)(function)
        return function

    return add


def collect(memory: "Memory", kind: str, typed: Mapping[str, Any]) -> dict[str, Any]:
    """Turn flags into plain fields; ids are completed, paths made relative to the repository."""
    from gitmem.records import intake

    fields: dict[str, Any] = {}
    for name, text in typed.items():
        ask = intake.ask_for(kind, name)
        if ask is None or text is None or text == ():
            continue
        if text == "-" and ask.form == "lines":
            text = standard_input(name).decode(errors="replace")  # noqa: PLW2901
        fields[name] = intake.value(ask, text)
        if ask.form == "place":
            fields[name]["file"] = memory.workspace.path(fields[name]["file"])
    for assignment in typed.get("assign", ()):
        _assign(fields, assignment)
    if typed.get("governs"):
        fields["governs"] = [memory.workspace.glob(path) for path in fields["governs"]]
    if anchors := typed.get("anchor"):
        parsed = [intake.anchor(text) for text in anchors]
        here = [{**anchor, "path": memory.workspace.path(anchor["path"])} for anchor in parsed]
        fields["anchors"] = [*fields.get("anchors", []), *here]
    for text in typed.get("link", ()):
        relation, reference = intake.link(text)
        links = fields.setdefault("links", {})
        links.setdefault(relation, []).append(memory.find(reference).id)
    if issues := typed.get("issues"):
        from gitmem.records.issues import parse

        named = [parse(text).tag for text in issues]
        fields["tags"] = list(dict.fromkeys([*fields.get("tags", ()), *named]))
    if "reuses" in fields:
        fields["reuses"] = memory.find(fields["reuses"], "fix").id
    return fields


def _assign(fields: dict[str, Any], assignment: str) -> None:
    from gitmem.records import codec

    name, equals, text = assignment.partition("=")
    path = codec.steps(name.strip())
    if not equals or not path or not all(isinstance(step, str) for step in path):
        raise UsageError(
            f"{assignment!r} is not an assignment", "write FIELD=VALUE or FIELD.INNER=VALUE"
        )
    try:
        value = codec.load(f"value: {text}".encode())["value"]
    except codec.YamlError as error:
        raise InvalidError(
            f"{name}: {error.message}", "quote the value as YAML wants it", name
        ) from None
    here = fields
    for step in path[:-1]:
        here = here.setdefault(str(step), {})
        if not isinstance(here, dict):
            raise UsageError(f"{name}: {step} is not a mapping", "assign the whole field")
    here[str(path[-1])] = value
