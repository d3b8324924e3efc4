"""``gitmem advise``."""

from typing import Any

import click

from gitmem.cli.app import App, json_option, note, out, standard_input
from gitmem.cli.base import Command
from gitmem.cli.forms import argument, option
from gitmem.cli.model_approval import approval, by_the_model, yes_option
from gitmem.errors import UsageError


@click.command("advise", cls=Command)
@argument("words", nargs=-1, metavar="[TEXT|-]")
@option("--file", "path", metavar="PATH[:LINE]", help="Advise on a file, or one line of it.")
@option("--task", "description", metavar="DESCRIPTION", help="Advise on a task.")
@option("--category", metavar="NAME", help="Category of the task, such as backend.")
@option("--type", "kind", metavar="NAME", help="Type of the task, such as bugfix.")
@option("--effort", type=float, metavar="NUMBER", help="Effort of the task, in any unit.")
@option("--depends", multiple=True, metavar="NAME", help="What the task depends on; repeatable.")
@option("--model", "by_model", is_flag=True, help="Also ask your language model for suggestions.")
@yes_option
@json_option
@click.pass_obj
def command(
    app: App,
    words: tuple[str, ...],
    path: str | None,
    description: str | None,
    *,
    category: str | None,
    kind: str | None,
    effort: float | None,
    depends: tuple[str, ...],
    by_model: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Say what to try, what to avoid, and when to stop, with the records behind it.

    TEXT is an error, the id of a recorded one, or a question; "-" reads it from standard input.
    Without it: what the newest run of a command showed (gitmem run). Confidence is a word, with
    the evidence for it.

    With --model, the question and this advice are sent to the model that you set (llm.model).

    \b
    Example:
      make 2>&1 | gitmem advise -
      gitmem advise "TypeError: can't compare offset-naive datetimes"
      gitmem advise --file src/auth.py:42
      gitmem advise --task "Add OAuth login" --category auth --type feature
    """
    about = {"category": category, "type": kind, "effort": effort, "dependencies": depends}
    task = _task(description, {name: value for name, value in about.items() if value})
    text = " ".join(words)
    if text == "-":
        text = standard_input("an error text").decode(errors="replace")
    with app.memory() as memory:
        advice = memory.advice.advise(text, path=path or "", task=task)
        model_answer = None
        if by_model:
            question = text or (f"the file {path}" if path else description or "what fails now")
            model_answer = by_the_model(
                memory,
                lambda: memory.models.suggest(
                    advice, question, task=task, approve=approval(memory, yes=yes)
                ),
            )
        from gitmem.render import advice as render

        if as_json:
            from gitmem.render.as_json import document
            from gitmem.render.model_answer import as_data

            more = {"model": as_data(model_answer)} if model_answer else {}
            out(document("advise", **render.as_data(advice), **more))
            return
        out(render.plain(advice, app.painter_of(memory)))
        if model_answer:
            from gitmem.render.model_answer import plain

            out(plain(model_answer, app.painter_of(memory)))
        for remark in advice.notes:
            note(remark)


def _task(description: str | None, stated: dict[str, Any]) -> dict[str, Any] | None:
    if description is not None:
        return {"description": description, **stated}
    if stated:
        hint = 'name the task, such as: gitmem advise --task "Add a login" --category auth'
        raise UsageError("these options are about a task, and there is no --task", hint)
    return None
