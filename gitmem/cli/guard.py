"""``gitmem guard``."""

import sys
from typing import TYPE_CHECKING, Any, Final

import click

from gitmem.cli.app import App, json_option, note, out, standard_input
from gitmem.cli.base import Command
from gitmem.cli.forms import argument, option
from gitmem.errors import UsageError
from gitmem.render.text import safe

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitmem.answers.guard_rules import Proposal
    from gitmem.answers.guarded import Guarded, TakenBack
    from gitmem.memory import Memory

MOST_BYTES: Final = 4 << 20
_CUT: Final = "the change is longer than 4 MiB: its end was not looked at"


@click.command("guard", cls=Command)
@argument("span", metavar="[RANGE|-]", default="")
@option("--all", "everything", is_flag=True, help="The work tree as it is, staged or not.")
@option("--fail", is_flag=True, help="Exit with 1 if a fix is taken back.")
@option("--meant", metavar="FIX", help="Say that this fix may go: it is not told again.")
@option("--why", metavar="TEXT", default="", help="With --meant: a sentence about it.")
@option("--propose", metavar="FIX", help="Propose a rule that finds what this fix fixed.")
@option("--run", "proving", is_flag=True, help="Run what had proved them, in the work tree.")
@json_option
@click.pass_obj
def command(
    app: App,
    span: str,
    *,
    everything: bool,
    fail: bool,
    meant: str | None,
    why: str,
    propose: str | None,
    proving: bool,
    as_json: bool,
) -> int:
    """Show which fixes that worked a change takes back.

    Without RANGE it is what is staged. RANGE is as for gitmem review; "-" reads a diff from
    standard input. A fix that is written in another form, moves, or goes with its whole function
    is not told. A commit whose message names the fix or its error is not told either.

    With --propose a pattern of what a fix removed is held against the history. Kept in the
    record, it tells what brings that in again.

    With --run the command that had proved a fix that is taken back is run, and tells whether the
    error is back. It is run unasked only if this clone ran it before; otherwise you are asked.

    \b
    Example:
      gitmem guard
      gitmem guard --all --run
      gitmem guard origin/main... --fail
      git diff main | gitmem guard -
      gitmem guard --propose fix-4p
      gitmem guard --meant fix-4p --why "the server checks it now"
    """
    if sum(map(bool, (span, everything, meant, propose))) > 1:
        hint = "give one of RANGE, - , --all, --meant and --propose"
        raise UsageError("several things are asked for", hint)
    if why and not meant:
        raise UsageError("--why goes with --meant", "name the fix with --meant")
    if proving and (span or meant or propose):
        raise UsageError("--run is about the work tree", "leave RANGE out, or check it out first")
    with app.memory() as memory:
        if meant:
            _say_meant(memory, meant, why, as_json=as_json)
            return 0
        if propose:
            return _propose(memory, propose, as_json=as_json)
        guarded = _guarded(memory, span, everything=everything)
        proofs = [memory.history.prove(each, _may_run) for each in guarded.taken_back if proving]
        if as_json:
            counts = guarded._asdict()
            del counts["taken_back"]
            if proving:
                counts["proofs"] = [proof._asdict() for proof in proofs]
            out(_document(guarded.taken_back, **counts))
        else:
            from gitmem.render.guarded import counted, plain, proved

            out(plain(guarded.taken_back, app.painter_of(memory)))
            out(
                proved(taken, proof)
                for taken, proof in zip(guarded.taken_back, proofs, strict=False)
            )
            note(counted(guarded))
        if guarded.cut:
            note(_CUT)
    return int(fail and bool(guarded.taken_back))


def _guarded(memory: "Memory", span: str, *, everything: bool) -> "Guarded":
    if span != "-":
        return memory.history.guard(span, work_tree=everything, by="command")
    diff = standard_input("a diff", MOST_BYTES, "give a part of it, or a RANGE")
    return memory.history.guard_diff(diff.decode(errors="replace"))


def _document(taken: "Iterable[TakenBack] | None" = None, /, **data: Any) -> str:  # noqa: ANN401  plain data
    from gitmem.render.as_json import document, taken_back

    fixes = {} if taken is None else {"taken_back": taken_back(taken)}
    return document("guard", **fixes, **data)


def _may_run(line: str) -> bool:
    """Ask about a command of which nobody here is known to have run it."""
    if safe(line) != line or not sys.stdin.isatty() or not sys.stderr.isatty():
        return False
    click.echo(f"  $ {line}", err=True)
    return click.confirm("  run this? It is recorded, but was never run here", err=True)


def _say_meant(memory: "Memory", reference: str, why: str, *, as_json: bool) -> None:
    meaning = memory.history.say_meant(reference, why)
    if as_json:
        out(_document(fix=meaning.fix.id, note=meaning.note))
        return
    out(
        f"{meaning.fix.id} may be taken back"
        + (f", as {meaning.note} says" if meaning.note else "")
    )
    if not meaning.note:
        note("that was said before")


def _propose(memory: "Memory", reference: str, *, as_json: bool) -> int:
    """Show a rule for a fix, which is written into the record where somebody says so."""
    from gitmem.render import guard_rules

    def may_keep(proposal: "Proposal") -> bool:
        if as_json or not (sys.stdin.isatty() and sys.stderr.isatty()):
            return False
        out(guard_rules.plain(proposal))
        return click.confirm("  keep it in the record?", err=True)

    proposal = memory.history.propose_rule(reference, may_keep)
    if as_json:
        out(_document(**guard_rules.data(proposal)))
    else:
        out(guard_rules.plain(proposal))
        note(guard_rules.next_step(proposal))
    return int(not proposal.holds)
