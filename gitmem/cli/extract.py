"""``gitmem code extract``."""

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.cli.base import Command
from gitmem.cli.forms import argument, option


@click.command("extract", cls=Command)
@argument("source", metavar="[RANGE|FIX|FILE]", default="")
@option("--fixes", is_flag=True, help="From all fixes that worked.")
@option("--language", default="", metavar="NAME", help="Only code in this language.")
@option("--only", multiple=True, metavar="NAME", help="Only these; * stands for anything.")
@option("--code", is_flag=True, help="Show the code, too.")
@option("--record", is_flag=True, help="Write them as pattern records.")
@json_option
@click.pass_obj
def command(
    app: App,
    source: str,
    language: str,
    only: tuple[str, ...],
    *,
    fixes: bool,
    code: bool,
    record: bool,
    as_json: bool,
) -> None:
    """Find patterns in accepted code: a range of commits, a fix that worked, a file.

    A pattern is a whole function, class, or error handling that the change brought or touched.
    What is recorded already, also with other names or layout, is left out. Python works as it is;
    other languages need the extra: pip install "gitmem-native[code]".

    \b
    Example:
      gitmem code extract main..feature
      gitmem code extract --fixes --language python
      gitmem code extract src/retry.py --only "retry*" --record
    """
    with app.memory() as memory:
        extracted = memory.code.extract_from(
            source, fixes=fixes, language=language, only=only, record=record
        )
        from gitmem.render import code_patterns as render

        if as_json:
            from gitmem.render.as_json import document

            out(document("extract", **render.as_data(extracted)))
            return
        out(render.plain(extracted, app.painter_of(memory), code=code))
        for text in render.counted(extracted):
            note(text)
