"""Every text of the page has a translation, and nothing stands in a template beside them."""

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from gitmem.catalog.rows import CLAIMED_RESOLVED, VERDICTS
from gitmem.hub.prints import LABELS
from gitmem.learning.periodicity import DAYS
from gitmem.matching import labels
from gitmem.memory.codebase.record_graph import PERSON
from gitmem.memory.history import blame
from gitmem.query import KINDS, STATUSES
from gitmem.render.record import BACK, RELATIONS

jinja2 = pytest.importorskip("jinja2")

from jinja2 import nodes  # noqa: E402  after the check that it is there
from jinja2.ext import extract_from_ast  # noqa: E402
from starlette.requests import Request  # noqa: E402

from gitmem.serve import languages, view  # noqa: E402
from gitmem.serve.pages.drafts import TEXTS as OF_DRAFTS  # noqa: E402
from gitmem.serve.pages.writing import TEXTS as OF_FORMS  # noqa: E402

_ROOT = Path(__file__).resolve().parents[2]
_TEMPLATES = sorted((_ROOT / "gitmem").rglob("templates/*.html"))
_OTHERS = [name for name in languages.NAMES if name != "en"]
_SHOWN_AS_THEY_ARE = {
    "gitmem",
    "UTC",
    "src/clock.py",
    "openapi.json",
    "Authorization",
    "Bearer",
    "api/v1/",
    "repository",
    "write",
}
# Said by modules in a sentence of their own, which no constant names.
_SAID = {
    "file", "missing", "attempt", "run", "change", "changes", "showed in", "is about", "by", "yes",
    "no", "ok", "off", "broken", "taken back", "still there", "unclear", "weak", "warning", "info",
    "passed", "failed", "error", "skipped", "the bug was already committed", "it was known already",
    "This token is not known here.",
    "There is no such record, or it is not yours to see.",
    "There is no such repository, or it is not yours to see.",
    "today", "yesterday", "%s days ago", "it was seen in CI",
    "this form is not of this page; load it again",
}  # fmt: skip


def _template_texts() -> Iterator[str]:
    environment = view.environment("en")
    for path in _TEMPLATES:
        tree = environment.parse(path.read_text(encoding="utf-8"))
        for _, _, said in extract_from_ast(tree, babel_style=False):
            yield from (said,) if isinstance(said, str) else (one for one in said or () if one)


def _schema_words() -> Iterator[str]:
    """Give the names of fields as people say them, and the values of closed sets."""

    def inside(schema: object) -> Iterator[str]:
        if isinstance(schema, dict):
            properties = schema.get("properties", {})
            yield from (name.replace("_", " ") for name in properties)
            yield from (str(value) for value in schema.get("enum", ()))
            for part in schema.values():
                yield from inside(part)
        elif isinstance(schema, list):
            for part in schema:
                yield from inside(part)

    for kind in KINDS:
        yield from inside(json.loads((_ROOT / f"schemas/{kind}.schema.json").read_text()))


def _words() -> set[str]:
    texts = [name for part in (OF_DRAFTS, OF_FORMS) for names in part.values() for name in names]
    return {
        *KINDS, *VERDICTS, CLAIMED_RESOLVED, *DAYS, PERSON, *RELATIONS, *RELATIONS.values(),
        *BACK.values(),
        *(status.replace("-", " ") for some in STATUSES.values() for status in some),
        *_schema_words(),
        *(name.replace("_", " ") for name in texts),
        *(getattr(labels, name) for name in ("SAME_ERROR", "SAME_PLACE", "SAME_MESSAGE", "SIMILAR",
                                             "IN_MEANING")),
        *LABELS.values(),
        blame.ANCHORED, blame.WENT_WRONG, blame.GOVERNS, blame.PATCHED, blame.SAME_COMMIT,
        blame.SAME_CHANGE, blame.SQUASHED, blame.FIXED, *_SAID,
    } - {"caused_by"}  # fmt: skip


@pytest.mark.parametrize("language", _OTHERS)
def test_every_text_is_translated(language: str) -> None:
    texts = set(_template_texts())
    assert len(texts) > 100, "templates were not read"
    table = languages.table(language)
    assert sorted((texts | _words()) - table.keys()) == []


@pytest.mark.parametrize("language", _OTHERS)
def test_no_translation_is_of_a_text_that_nobody_uses(language: str) -> None:
    assert sorted(languages.table(language).keys() - set(_template_texts()) - _words()) == []


@pytest.mark.parametrize("language", _OTHERS)
def test_a_translation_has_the_places_of_its_text(language: str) -> None:
    def places(text: str) -> tuple[list[str], list[str]]:
        braces = [name for _, name, _, _ in Formatter().parse(text) if name]
        return sorted(re.findall(r"%(?:\(\w+\))?\w?", text)), sorted(braces)

    for english, other in languages.table(language).items():
        assert other.strip(), english
        assert places(english) == places(other), english


@pytest.mark.parametrize("path", _TEMPLATES, ids=lambda p: p.stem)
def test_no_template_says_anything_of_its_own(path: Path) -> None:
    """Words between tags, and those that are read out or shown, all come from the table."""
    tree = view.environment("en").parse(path.read_text(encoding="utf-8"))
    data = "\0".join(part.data for part in tree.find_all(nodes.TemplateData))
    spoken = re.findall(r'(?:aria-label|placeholder|title|alt)="([^"\0]*[A-Za-z][^"\0]*)"', data)
    # What is left of a tag where a template has put something into it is no text either.
    between = re.sub(r"&\w+;", " ", re.sub(r"<[^<>]*>", " ", data.replace("\0", "")))
    words = set(re.findall(r"[A-Za-z][\w/.]*", between))
    assert words - _SHOWN_AS_THEY_ARE == set()
    assert set(spoken) - _SHOWN_AS_THEY_ARE == set()


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("de", "de"),
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("fr-FR, fr;q=0.9, de;q=0.4, en;q=0.2", "de"),
        ("en-GB,en;q=0.9,de;q=0.8", "en"),
        ("de;q=0, en", "en"),
        ("de;q=nonsense, en;q=0.1", "en"),
        ("*", "en"),
        ("x" * 10_000, "en"),
    ],
)
def test_the_language_that_a_browser_prefers(header: str, language: str) -> None:
    scope = {"type": "http", "headers": [(b"accept-language", header.encode())]}
    assert languages.of_request(Request(scope)) == language


def test_files_of_others_are_those_that_were_taken_over() -> None:
    folder = Path(view.FOLDER).parent / "static/vendored"
    listed = json.loads((folder / "vendored.json").read_text(encoding="utf-8"))
    assert {path.name for path in folder.glob("*.js")} == listed.keys()
    for name, said in listed.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == said["sha256"], name
        licence = (folder / f"{name.removesuffix('.min.js')}.LICENSE").read_text(encoding="utf-8")
        assert "WITHOUT FEE" in licence.upper(), name
