"""Figures as a table for people and as data for programs."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any, Final

from benchmarks.figures import Figure
from benchmarks.targets import target_for

FORMAT: Final = 2
"""Of the JSON; another one when a field changes its meaning or goes away."""


def table(size: int, figures: Sequence[Figure]) -> str:
    """Set the figures of one memory in columns; size 0: what does not depend on one."""
    lines = [f"{size:,} records" if size else "Whatever the memory", ""]
    for section, group in groupby(figures, key=lambda figure: figure.section):
        lines.append(section)
        lines.extend(_line(size, figure) for figure in group)
        lines.append("")
    return "\n".join(lines)


def _line(size: int, figure: Figure) -> str:
    values = " / ".join(map(short, figure.values))
    target = target_for(figure.key, size)
    judged = ""
    if target:
        judged = f"{target.text:20}{'met' if target.met(figure.values) else 'not met'}"
    columns = f"  {figure.label:45}{values:>14} {figure.unit:6}{figure.detail:38}{judged}"
    return columns.rstrip()


def short(value: float) -> str:
    """Write a number with about three figures."""
    if value >= 100:  # noqa: PLR2004
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"  # noqa: PLR2004


def data(size: int, figures: Sequence[Figure]) -> dict[str, Any]:
    """Give the figures by key."""
    return {figure.key: _entry(size, figure) for figure in figures}


def _entry(size: int, figure: Figure) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "section": figure.section,
        "label": figure.label.strip(),
        "values": list(figure.values),
        "unit": figure.unit,
        "detail": figure.detail,
    }
    target = target_for(figure.key, size)
    if target:
        entry |= {"target": target.text, "met": target.met(figure.values)}
    return entry
