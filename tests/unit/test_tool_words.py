"""Messages for assistants name tools where there are some, and arguments instead of flags."""

import pytest

from gitmem.render.tool_words import as_tools


@pytest.mark.parametrize(
    ("message", "wanted"),
    [
        ("no reason: add --reason, others look", "no reason: add reason, others look"),
        ("see what there is: gitmem list", "see what there is: gitmem_search"),
        ('say it: gitmem resolve ID "x"', 'say it: gitmem_record_fix ID "x"'),
        ("end it with gitmem -C /a/b session end ses-1", "end it with coding_end_session ses-1"),
        ("give an error, --task or --file", "give an error, task or path"),
        ("watch one with: gitmem run -- COMMAND", "watch one with: gitmem run -- COMMAND"),
        ("give --task; or watch a command: gitmem run -- COMMAND",
         "give task; or watch a command: gitmem run -- COMMAND"),
        ("a branch or a tag; see: git log --oneline", "a branch or a tag; see: git log --oneline"),
        ("set it with gitmem config x --user", "set it with gitmem config x --user"),
        ("a gitmem showroom", "a gitmem showroom"),
        ("nothing", "nothing"),
    ],
)  # fmt: skip
def test_what_assistants_are_told_to_do(message: str, wanted: str) -> None:
    assert as_tools(message) == wanted
