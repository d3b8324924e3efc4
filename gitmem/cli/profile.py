"""``gitmem code profile``."""

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.cli.base import Command
from gitmem.cli.forms import option
from gitmem.cli.model_approval import approval, by_the_model, yes_option


@click.command("profile", cls=Command)
@option(
    "--limit",
    "most",
    type=click.IntRange(1),
    default=3_000,
    show_default=True,
    help="Read at most this many source files.",
)
@option(
    "--seconds",
    type=click.FloatRange(0, min_open=True),
    default=60,
    show_default=True,
    help="Stop reading after this time, and say so.",
)
@option("--model", "by_model", is_flag=True, help="Also ask your language model for preferences.")
@yes_option
@json_option
@click.pass_obj
def command(
    app: App, most: int, seconds: float, *, by_model: bool, yes: bool, as_json: bool
) -> None:
    """Describe how the code is written: languages, names, layout, tests, libraries.

    Everything is counted in the files that git tracks, and the counts are shown. From fewer than
    10 cases nothing is concluded.

    With --model, these counts and the decisions in force are sent to the model that you set
    (llm.model), which says what people here prefer. Each preference quotes facts that show it.

    \b
    Example:
      gitmem code profile
      gitmem code profile --json
      gitmem code profile --model
    """
    with app.memory() as memory:
        code_profile = memory.code.profile(most=most, seconds=seconds)
        model_answer = None
        if by_model:
            model_answer = by_the_model(
                memory,
                lambda: memory.models.find_preferences(code_profile, approval(memory, yes=yes)),
            )
        from gitmem.render import profile as render

        if as_json:
            from gitmem.render.as_json import document
            from gitmem.render.model_answer import as_data

            more = {"model": as_data(model_answer)} if model_answer else {}
            out(document("profile", **render.as_data(code_profile), **more))
            return
        painter = app.painter_of(memory)
        out(render.plain(code_profile, painter))
        if model_answer:
            from gitmem.render.model_answer import plain

            out("")
            out(plain(model_answer, painter))
        for text in code_profile.notes:
            note(text)
