"""Runs and their tests as text: listed, one in detail, what fails newly, which one was best."""

import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from gitmem import plurals
from gitmem.render.observed import recognised
from gitmem.render.text import STATUS_COLOURS, Painter, one_line

if TYPE_CHECKING:
    from gitmem.capture.cases import Failing
    from gitmem.capture.looking import Best, Regressions
    from gitmem.capture.runs import Run

_MOST = 20


def runs(found: "Iterable[Run]", painter: Painter) -> Iterator[str]:
    """List runs."""
    for run in found:
        state = "passed" if run.green else "failed"
        yield painter.line(
            0,
            [
                (run.id, ("yellow",)),
                (f"{run.at:%Y-%m-%d %H:%M}", ("dim",)),
                (state, (STATUS_COLOURS[state],)),
                (one_line(shlex.join(run.command)), ()),
                (counted(run), ()),
                (f"{run.seconds:.1f} s", ("dim",)),
                ("ci" if run.ci else "", ("dim",)),
            ],
        )


def counted(run: "Run") -> str:
    """Say how many tests ended how, or how many failures there were; empty for none."""
    if run.tests and run.tests.complete:
        named = {"error": "errors"}
        counts = run.tests.counts.items()
        return ", ".join(f"{number} {named.get(status, status)}" for status, number in counts)
    return plurals.counted(len(run.failing), "failure") if run.failing else ""


def run(one: "Run", painter: Painter) -> Iterator[str]:
    """Show a run: how it ended, what failed with which values, which tests were slow."""
    yield from runs([one], painter)
    yield from _cases(one.failing, painter)
    if one.tests and one.tests.slowest:
        slow = (f"{one_line(name)} {seconds:.2f} s" for name, seconds in one.tests.slowest.items())
        yield painter.line(2, [(f"slowest: {', '.join(slow)}", ("dim",))])


def _cases(found: "Sequence[Failing]", painter: Painter) -> Iterator[str]:
    for one in found[:_MOST]:
        said = one_line(one.message.partition("\n")[0])
        parts: list[tuple[str, tuple[str, ...]]] = [(one.status, (STATUS_COLOURS[one.status],))]
        parts += [(one_line(one.name), ("bold",)), (said, ())]
        yield painter.line(2, parts)
        for name, value in (
            ("input", one.input),
            ("expected", one.expected),
            ("actual", one.actual),
            ("in", _place(one)),
        ):
            if value:
                yield painter.line(4, [(f"{name:<8}", ("dim",)), (one_line(value), ())])
    if len(found) > _MOST:
        yield painter.line(2, [(f"and {len(found) - _MOST} more", ("dim",))])


def _place(one: "Failing") -> str:
    line = f"line {one.line}" if one.line else ""
    return ", ".join(filter(None, (one.function, line)))


def regressions(one: "Regressions", painter: Painter) -> Iterator[str]:
    """Tell what the newest run of a command shows that the run before did not."""
    yield painter.line(0, [(f"$ {one_line(shlex.join(one.run.command))}", ("dim",))])
    if one.before:
        times = f"{one.run.at:%Y-%m-%d %H:%M} against {one.before.at:%Y-%m-%d %H:%M}"
        yield painter.line(0, [(times, ("dim",))])
    named = [newly for newly in one.cases if newly.case.name]
    for newly in named[:_MOST]:
        before = f"{newly.was} before" if newly.was else ""
        yield painter.line(2, [(one_line(newly.case.name), ("bold",)), (before, ("dim",))])
    if len(named) > _MOST:
        yield painter.line(2, [(f"and {len(named) - _MOST} more", ("dim",))])
    yield from recognised(one.found, painter)


def best(one: "Best", painter: Painter) -> Iterator[str]:
    """Tell which run was best, and how to see its code."""
    yield painter.line(0, [(f"$ {one_line(shlex.join(one.run.command))}", ("dim",))])
    newest = f"the newest of {plurals.counted(one.of, 'run')} has {len(one.newest.failing)}"
    yield painter.line(
        0,
        [
            (f"{one.run.at:%Y-%m-%d %H:%M}", ("dim",)),
            (plurals.counted(len(one.run.failing), "failure"), ("bold",)),
            (_share(one.run), ()),
            ("that is the newest run" if one.run.id == one.newest.id else newest, ()),
        ],
    )
    for failing in one.run.failing[:_MOST]:
        title = failing.name or failing.message
        yield painter.line(2, [(one_line(title), ())])
    if len(one.run.failing) > _MOST:
        yield painter.line(2, [(f"and {len(one.run.failing) - _MOST} more", ("dim",))])
    if not one.run.tree:
        said = "nobody knows what code it ran on"
    elif not one.there:
        said = f"git no longer has its tree {one.run.tree}"
    elif one.run.tree == one.now:
        said = "the code is the same now"
    else:
        # Between trees: git diff with one would leave out what git does not track.
        said = f"what changed since: git diff {one.run.tree} {one.now}".rstrip()
    yield painter.line(2, [(said, ("dim",))])


def _share(run: "Run") -> str:
    rate = run.tests.rate if run.tests else None
    return "" if rate is None else f"{rate:.1%} of its tests passed"
