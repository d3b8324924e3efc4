"""Runs and their tests as text: listed, one in detail, what fails newly, which one was best."""

import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from gitmem import plurals
from gitmem.render.run_report import recognised
from gitmem.render.text import STATUS_COLOURS, Painter, one_line

if TYPE_CHECKING:
    from gitmem.capture.cases import Failing
    from gitmem.capture.looking import Best, Regressions
    from gitmem.capture.runs import Run

_MOST = 20


def runs(runs: "Iterable[Run]", painter: Painter) -> Iterator[str]:
    """List runs."""
    for run in runs:
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


def run(run: "Run", painter: Painter) -> Iterator[str]:
    """Show a run: how it ended, what failed with which values, which tests were slow."""
    yield from runs([run], painter)
    yield from _cases(run.failing, painter)
    if run.tests and run.tests.slowest:
        slow = (f"{one_line(name)} {seconds:.2f} s" for name, seconds in run.tests.slowest.items())
        yield painter.line(2, [(f"slowest: {', '.join(slow)}", ("dim",))])


def _cases(cases: "Sequence[Failing]", painter: Painter) -> Iterator[str]:
    for case in cases[:_MOST]:
        message = one_line(case.message.partition("\n")[0])
        parts: list[tuple[str, tuple[str, ...]]] = [(case.status, (STATUS_COLOURS[case.status],))]
        parts += [(one_line(case.name), ("bold",)), (message, ())]
        yield painter.line(2, parts)
        for name, value in (
            ("input", case.input),
            ("expected", case.expected),
            ("actual", case.actual),
            ("in", _place(case)),
        ):
            if value:
                yield painter.line(4, [(f"{name:<8}", ("dim",)), (one_line(value), ())])
    if len(cases) > _MOST:
        yield painter.line(2, [(f"and {len(cases) - _MOST} more", ("dim",))])


def _place(case: "Failing") -> str:
    line = f"line {case.line}" if case.line else ""
    return ", ".join(filter(None, (case.function, line)))


def regressions(regressions: "Regressions", painter: Painter) -> Iterator[str]:
    """Tell what the newest run of a command shows that the run before did not."""
    yield painter.line(0, [(f"$ {one_line(shlex.join(regressions.run.command))}", ("dim",))])
    if regressions.before:
        times = (
            f"{regressions.run.at:%Y-%m-%d %H:%M} against {regressions.before.at:%Y-%m-%d %H:%M}"
        )
        yield painter.line(0, [(times, ("dim",))])
    named = [newly for newly in regressions.cases if newly.case.name]
    for newly in named[:_MOST]:
        before = f"{newly.was} before" if newly.was else ""
        yield painter.line(2, [(one_line(newly.case.name), ("bold",)), (before, ("dim",))])
    if len(named) > _MOST:
        yield painter.line(2, [(f"and {len(named) - _MOST} more", ("dim",))])
    yield from recognised(regressions.found, painter)


def best(best: "Best", painter: Painter) -> Iterator[str]:
    """Tell which run was best, and how to see its code."""
    yield painter.line(0, [(f"$ {one_line(shlex.join(best.run.command))}", ("dim",))])
    newest = f"the newest of {plurals.counted(best.of, 'run')} has {len(best.newest.failing)}"
    yield painter.line(
        0,
        [
            (f"{best.run.at:%Y-%m-%d %H:%M}", ("dim",)),
            (plurals.counted(len(best.run.failing), "failure"), ("bold",)),
            (_share(best.run), ()),
            ("that is the newest run" if best.run.id == best.newest.id else newest, ()),
        ],
    )
    for failing in best.run.failing[:_MOST]:
        title = failing.name or failing.message
        yield painter.line(2, [(one_line(title), ())])
    if len(best.run.failing) > _MOST:
        yield painter.line(2, [(f"and {len(best.run.failing) - _MOST} more", ("dim",))])
    if not best.run.tree:
        reason = "the code it ran on is not known"
    elif not best.there:
        reason = f"git no longer has its tree {best.run.tree}"
    elif best.run.tree == best.now:
        reason = "the code is the same now"
    else:
        # Between trees: git diff with one would leave out what git does not track.
        reason = f"what changed since: git diff {best.run.tree} {best.now}".rstrip()
    yield painter.line(2, [(reason, ("dim",))])


def _share(run: "Run") -> str:
    rate = run.tests.rate if run.tests else None
    return "" if rate is None else f"{rate:.1%} of its tests passed"
