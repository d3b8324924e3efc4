"""``gitmem stats analyse``."""

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.cli.base import Command, filter_text
from gitmem.cli.forms import argument, option
from gitmem.cli.model_approval import approval, by_the_model, yes_option


@click.command("analyse", cls=Command, context_settings={"ignore_unknown_options": True})
@argument("filters", nargs=-1, type=click.UNPROCESSED, metavar="FILTER…")
@option("--limit", type=click.IntRange(1), default=5, show_default=True, help="How many at most.")
@option("--model", "by_model", is_flag=True, help="Also ask your language model for patterns.")
@yes_option
@json_option
@click.pass_obj
def command(
    app: App, filters: tuple[str, ...], *, limit: int, by_model: bool, yes: bool, as_json: bool
) -> None:
    """Sum up root causes, quick steps and prevention of failures, as people recorded them.

    The most frequent failures come first, each claim with the records behind it. With --model,
    this analysis is sent to the model that you set (llm.model), which looks for patterns.

    \b
    Example:
      gitmem stats analyse
      gitmem stats analyse type:TypeError --limit 3
      gitmem stats analyse tag:auth --model
    """
    with app.memory() as memory:
        findings = memory.models.analyse(filter_text(filters), limit=limit)
        answer = None
        if by_model:
            answer = by_the_model(
                memory, lambda: memory.models.find_patterns(findings, approval(memory, yes=yes))
            )
        if as_json:
            from gitmem.learning.analysis import as_data
            from gitmem.render import model_answer
            from gitmem.render.as_json import document

            more = {"model": model_answer.as_data(answer)} if answer else {}
            notes = list(findings.notes)
            out(document("analyse", failures=as_data(findings), notes=notes, **more))
            return
        painter = app.painter_of(memory)
        if not findings.failures:
            note("no recorded error matches")
        from gitmem.render import analysis

        out(analysis.plain(findings, painter))
        if answer:
            from gitmem.render import model_answer

            out(model_answer.plain(answer, painter))
        for remark in findings.notes:
            note(remark)
