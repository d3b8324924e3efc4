"""``gitmem search``."""

from gitmem.cli.app import App, at_option, json_option, note, out, question_text, standard_input
from gitmem.cli.forms import Between, argument, option, plain


@plain("search", passes_on=True)
@argument("words", nargs=-1, metavar="[QUERY…|-]")
@option("--limit", type=Between(1, 10_000), help="How many hits at most.")
@option("--why", is_flag=True, help="Show what made up each score.")
@at_option
@json_option
def command(
    app: App,
    words: tuple[str, ...],
    limit: int | None,
    *,
    why: bool,
    revision: str | None,
    as_json: bool,
) -> int:
    """Find records by words, phrases, filters or a pasted error.

    Words are ranked; "phrases" must occur; -word must not. Filters: kind: tag: path: status: type:
    author: session: language: issue: since: until:. word~ also finds misspellings. "-" or nothing
    reads the question from standard input, such as a whole traceback.

    \b
    Example:
      gitmem search naive datetime kind:error status:resolved
      gitmem search '"connection refused" -docker since:90d'
      pytest 2>&1 | gitmem search
    """
    if words in {(), ("-",)}:
        text = standard_input("a question or an error text").decode(errors="replace")
    else:
        text = question_text(words)
    with app.reading(revision) as (reader, _):
        result = reader.search(text, limit, prompt=revision is None)
        if revision is None:
            reader.note_shown(result.site, (hit.ids for hit in result.hits))
        painter = app.painter(reader.site.config.ui_color)
        if as_json:
            from gitmem.render import as_json as render

            hits = render.hits(result.hits, why=why)
            more = {"suggestion": result.suggestion, "few_words": result.few_words}
            out(render.document("search", query=text, hits=hits, **more))
            return 0
        from gitmem.render import lists

        out(lists.hits(result.hits, painter, why=why))
        if why and (seconds := reader.unseen_seconds):
            note(
                f"records edited in place in the last {seconds:.0f} s may be missing;"
                " the next search has them (setting: index.complete)"
            )
        if not result.hits:
            note(
                "nothing found"
                + (
                    f"; did you mean: gitmem search {result.suggestion}"
                    if result.suggestion
                    else ""
                )
            )
        elif all(hit.is_advice for hit in result.hits):
            note("no record of this memory matches; packs have these")
        elif result.few_words:
            from gitmem.answers.found import FEW_WORDS

            note(FEW_WORDS)
    if revision is None and reader.site.config.hub_url:
        from gitmem.cli.elsewhere import of_text

        with app.memory() as memory:
            out(of_text(memory, text, (hit.label for hit in result.hits), painter, why=why))
    return 0
