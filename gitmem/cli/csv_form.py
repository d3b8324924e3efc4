"""``--csv``, for commands that answer with a table."""

from collections.abc import Iterable, Sequence
from typing import Any

from gitmem.cli.app import out
from gitmem.cli.forms import option
from gitmem.errors import UsageError


def csv_option(function: Any) -> Any:  # noqa: ANN401
    """Add ``--csv``."""
    return option("--csv", "as_csv", is_flag=True, help="Answer in CSV, for spreadsheets.")(
        function
    )


def refuse_both(*, as_json: bool, as_csv: bool) -> None:
    """Refuse two forms at once."""
    if as_json and as_csv:
        raise UsageError("--json and --csv are two forms of one answer", "ask for one of them")


def print_csv(table: tuple[Sequence[str], Iterable[Sequence[object]]]) -> None:
    """Print columns and rows as CSV."""
    from gitmem.render import as_csv

    out(as_csv.table(*table))
