"""``gitmem look``."""

import click

from gitmem.cli.app import App, json_option, out
from gitmem.cli.base import Command
from gitmem.cli.forms import argument, option
from gitmem.cli.model_approval import approval, yes_option


@click.command("look", cls=Command)
@argument("path", metavar="FILE")
@option(
    "--as",
    "what",
    type=click.Choice(["error", "diagram", "code"]),
    default="error",
    show_default=True,
    help="What the picture shows.",
)
@yes_option
@json_option
@click.pass_obj
def command(app: App, path: str, *, what: str, yes: bool, as_json: bool) -> None:
    """Ask your language model what a picture shows.

    The picture is sent to the model that you set (llm.vision_model), without its metadata, after
    you saw the price. Nothing is written. Offline, or without a model, gitmem hint --image and
    gitmem add error --screenshot read the text of a screenshot.

    \b
    Example:
      gitmem look screenshot.png
      gitmem look docs/architecture.png --as diagram --json
      gitmem look slide.png --as code --yes
    """
    with app.memory() as memory:
        description = memory.models.look(path, what, approval(memory, yes=yes))
        from gitmem.render import model_answer

        if as_json:
            from gitmem.render.as_json import document

            out(document("look", model=model_answer.as_data(description)))
            return
        out(model_answer.plain(description, app.painter_of(memory)))
