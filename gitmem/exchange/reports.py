"""Machine-readable reports: recognises the format and chooses the reader."""

import importlib
import json
import re
from typing import Any, Final, NoReturn
from urllib.parse import unquote, urlsplit

from gitmem.errors import InvalidError
from gitmem.output.cases import Report
from gitmem.tools.choice import values

MOST_BYTES: Final = 64 * 2**20
HEAD: Final = 64 * 1024
"""So much of the beginning tells the format."""
NAMES: Final[dict[str, str]] = {
    "junit": "JUnit XML",
    "sarif": "SARIF",
    **{form: values("reports.form_title")[tool] for tool, form in values("reports.form").items()},
    "otel": "OpenTelemetry JSON",
}
"""Forms of reports with what people call them; a module of this package reads each."""
_XML: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--.*?-->\s*|<!DOCTYPE[^\[>]*(?:\[.*?\])?\s*>\s*)*"
    rb"<testsuites?[\s/>]",
    re.DOTALL,
)
_OBJECT: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*[\[{]")
_SARIF: Final = re.compile(rb'sarif|"version"\s*:\s*"2\.1\.0"')
_OTEL: Final = re.compile(rb'"(?:resourceSpans|resourceLogs|exception\.(?:type|stacktrace))"')


def recognised(head: bytes) -> str:
    """Name the format of a file by its first ``HEAD`` bytes; empty for a log of a command."""
    if _XML.match(head):
        return "junit"
    if not _OBJECT.match(head):
        return ""
    if _OTEL.search(head):
        return "otel"
    if _SARIF.search(head) and b'"runs"' in head:
        return "sarif"
    for tool, form in values("reports.form").items():
        if all(re.search(sign.encode(), head) for sign in values("reports.form_signs")[tool]):
            return str(form)
    return ""


def read(data: bytes, form: str, root: str = "") -> Report:
    """Read a report.

    Args:
        data: the whole file.
        form: one of ``NAMES``.
        root: folder that paths in the report are made relative to.

    Raises:
        InvalidError: it is not of that format, damaged, or built to do harm.

    """
    if len(data) > MOST_BYTES:
        raise InvalidError(
            f"this report is larger than {MOST_BYTES >> 20} MiB",
            "leave captured output out of the report, or give the log of the run instead",
        )
    try:
        report: Report = _reader(form).read(data, root)
    except RecursionError:
        refuse(form, "it is nested too deeply")
    return report


def _reader(form: str) -> Any:  # noqa: ANN401  a module
    """Import what reads reports of a form; it is named as the form is."""
    if form not in NAMES:
        raise KeyError(form)
    return importlib.import_module(f"{__package__}.{form.replace('-', '_')}")


def refuse(form: str, why: str) -> NoReturn:
    """Raise the InvalidError that says what is wrong with a report."""
    hint = "name its format with --format, or give the log of the run"
    raise InvalidError(f"this is not {NAMES[form]} that can be read: {why}", hint)


def load_json(data: bytes, form: str) -> Any:  # noqa: ANN401  any JSON value
    """Read JSON; an InvalidError names line and column of what is wrong."""
    try:
        return json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        refuse(form, "it is not UTF-8")
    except json.JSONDecodeError as error:
        refuse(form, f"line {error.lineno}, column {error.colno}: {error.msg.lower()}")
    except ValueError as error:
        refuse(form, str(error).splitlines()[0].lower())


def mapping(value: object) -> dict[str, Any]:
    """Give a JSON object as it is, and an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def sequence(value: object) -> list[Any]:
    """Give a JSON array as it is, and an empty one for anything else."""
    return value if isinstance(value, list) else []


def text(value: object) -> str:
    """Give a text as it is, and an empty one for anything else."""
    return value if isinstance(value, str) else ""


def number(value: object) -> int | None:
    """Give a whole number that can be a line; None for anything else."""
    good = isinstance(value, int) and not isinstance(value, bool) and 0 < value < 2**31
    return value if good else None  # type: ignore[return-value]


def seconds(value: object) -> float | None:
    """Give a duration, written as a number or as text; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        # Surefire groups thousands: 1,234.5
        number = float(value.replace(",", "") if isinstance(value, str) else value)
    except (ValueError, OverflowError):
        return None
    return number if 0 <= number < 1e9 else None  # noqa: PLR2004  thirty years; not NaN


def relative(path: str, root: str) -> str:
    """Write a path or a ``file:`` address relative to a folder if it lies in it."""
    if path.startswith("file://"):
        path = unquote(urlsplit(path).path)
    inside = path.removeprefix(root.rstrip("/") + "/") if root else path
    return inside.removeprefix("./")
