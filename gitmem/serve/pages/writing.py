"""What the page's forms write: the same verbs, checks and redaction as everywhere.

The author is who git says. A form bears the page's token, so no other page can send it.
"""

import hmac
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final
from urllib.parse import parse_qsl, quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from gitmem.errors import UsageError
from gitmem.memory import Memory
from gitmem.serve.pages.asking import ask
from gitmem.serve.pages.drafts import edited

_MOST_BYTES: Final = 1 << 20
KINDS: Final = ("error", "decision", "pattern", "note")
"""What can be written with a form of its own; a fix is written on the page of its error."""
LINES: Final = frozenset({"title", "error_type", "language"})
"""Fields of one line."""
LISTS: Final = ("governs", "alternatives")
"""Fields with an entry a line."""
_OUTCOMES: Final = ("worked", "partial", "failed", "unverified")
TEXTS: Final = {
    "error": ("title", "error_type", "message", "excerpt"),
    "fix": ("title", "approach", "why_failed", "lessons"),
    "decision": ("title", "context", "decision", "rationale", "consequences", *LISTS),
    "pattern": ("title", "when_to_use", "code", "language"),
    "note": ("title", "body"),
}
"""Fields that forms have, by kind."""
Form = Mapping[str, str]
Written = Callable[[Memory, Form, str], str]


def _add(memory: Memory, form: Form, _: str) -> str:
    kind = form.get("kind", "")
    if kind not in KINDS:
        raise UsageError(f"no records of kind {kind!r} are written here", "choose one of the form")
    return f"/record/{memory.add(kind, _fields(form, kind)).id}"


def _resolve(memory: Memory, form: Form, reference: str) -> str:
    outcome = form.get("outcome", "worked")
    if outcome not in _OUTCOMES:
        raise UsageError(f"{outcome!r} is no outcome", f"one of: {', '.join(_OUTCOMES)}")
    memory.resolve(reference, {**_fields(form, "fix"), "outcome": outcome})
    return f"/record/{reference}"


def _supersede(memory: Memory, form: Form, reference: str) -> str:
    return f"/record/{memory.supersede(reference, _fields(form, 'decision')).id}"


def _judge(memory: Memory, form: Form, reference: str) -> str:
    judge = memory.failures.unhelpful if form.get("helped") == "no" else memory.failures.helpful
    judge(reference, form.get("question", ""))
    return f"/record/{reference}?judged={'no' if form.get('helped') == 'no' else 'yes'}"


def _keep(memory: Memory, _: Form, reference: str) -> str:
    written = memory.failures.keep(reference)
    return f"/record/{written[-1]}" if written else "/drafts"


def _edit(memory: Memory, form: Form, reference: str) -> str:
    draft = memory.failures.drafts.find(reference)
    parts = edited(draft, form)
    memory.failures.edit_draft(draft.id, parts["error"], parts["fixes"], parts["others"])
    return "/drafts"


def _drop(memory: Memory, _: Form, reference: str) -> str:
    draft = memory.failures.drafts.find(reference)
    memory.failures.drafts.drop(draft.id)
    return f"/drafts?dropped={quote(draft.id)}"


def _take_back(memory: Memory, _: Form, reference: str) -> str:
    memory.failures.drafts.take_back(reference)
    return "/drafts"


def _fields(form: Form, kind: str) -> dict[str, Any]:
    fields: dict[str, Any] = {
        name: form[name].replace("\r\n", "\n") for name in TEXTS[kind] if form.get(name, "").strip()
    }
    for name in LISTS:
        if name in fields:
            fields[name] = [line.strip() for line in fields[name].split("\n") if line.strip()]
    if options := fields.get("alternatives"):
        fields["alternatives"] = [_alternative(option) for option in options]
    # A tag is one word: what stands between two commas is one.
    if tags := ["-".join(tag.split()) for tag in form.get("tags", "").split(",") if tag.strip()]:
        fields["tags"] = tags
    return fields


def _alternative(line: str) -> dict[str, str]:
    """Read an option that was not chosen: ``Redis: one more thing to run``."""
    option, _, why_not = line.partition(": ")
    return {"option": option.strip(), "why_not": why_not.strip()}


async def _form(request: Request) -> Form:
    """Read a form and check its token.

    Raises:
        HTTPException: it is too long, or bears another token.

    """
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > _MOST_BYTES:
            raise HTTPException(413, f"a form has at most {_MOST_BYTES} bytes")
    form = dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))
    if not hmac.compare_digest(
        form.get("form_token", "").encode(), str(request.scope["form_token"]).encode()
    ):
        raise HTTPException(403, "this form is not of this page; load it again")
    return form


def _endpoint(write: Written) -> Callable[[Request], Awaitable[Response]]:
    async def written(request: Request) -> Response:
        form = await _form(request)
        reference = request.path_params.get("id", "")
        path = await ask(request, lambda memory: write(memory, form, reference), writes=True)
        root = f"/r/{quote(request.path_params['repository'])}"
        return RedirectResponse(root + path, status_code=303)

    return written


FORMS: Final = tuple(
    (path, _endpoint(write))
    for path, write in (
        ("/records", _add),
        ("/record/{id}/resolve", _resolve),
        ("/record/{id}/supersede", _supersede),
        ("/record/{id}/helpful", _judge),
        ("/drafts/{id}/keep", _keep),
        ("/drafts/{id}/edit", _edit),
        ("/drafts/{id}/drop", _drop),
        ("/drafts/{id}/undo", _take_back),
    )
)
"""What is written at which address of a repository; each answers with where to go on."""
