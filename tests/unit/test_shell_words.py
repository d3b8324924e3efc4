"""Words that a shell completes with are text for it, whatever they hold."""

import shutil
import subprocess

import pytest
from click.shell_completion import CompletionItem
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.cli import completing
from gitmem.cli.completing import _InBash, _InFish, _InPowerShell, _InZsh
from gitmem.cli.group import cli
from gitmem.cli.shells import text_for
from gitmem.render.shell_words import in_bash, in_powershell, is_offerable

_SIGNS = st.text(st.sampled_from("$(){}[]<>;&|`'\"\\*?!#~ \t\n\r-=:,ab/é\x1b\u202e"), max_size=12)


@pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash here")
@given(texts=st.lists(_SIGNS.filter(is_offerable), max_size=30))
@settings(max_examples=30, deadline=None)
def test_bash_takes_each_word_for_its_text(texts: list[str]) -> None:
    script = "printf '%s\\0' " + " ".join(in_bash(text) for text in texts)
    done = subprocess.run(["bash", "--norc", "-c", script], capture_output=True, check=True)
    assert done.stdout.decode().split("\0")[:-1] == (texts or [""])


def words_of_powershell(text: str) -> list[bytes]:
    """Give the words of a line as PowerShell's grammar tells them apart, quotes undone."""
    grammar = pytest.importorskip("tree_sitter_powershell")
    tree_sitter = pytest.importorskip("tree_sitter")
    parser = tree_sitter.Parser(tree_sitter.Language(grammar.language()))
    root = parser.parse(text.encode()).root_node
    assert not root.has_error, text
    words, left = [], [root]
    while left:
        node = left.pop()
        if node.type in {"generic_token", "command_parameter", "verbatim_string_characters"}:
            words.append(node.text)
        else:
            left += reversed(node.children)
    return words


@given(texts=st.lists(_SIGNS.filter(is_offerable), max_size=30))
@settings(max_examples=30, deadline=None)
def test_powershell_takes_each_word_for_its_text(texts: list[str]) -> None:
    quoted = " ".join(["gitmem", *map(in_powershell, texts)])
    words = words_of_powershell(quoted)
    assert len(words) == len(texts)
    for word, text in zip(words, texts, strict=True):
        plain = word.decode()
        if plain[:1] == "'":
            plain = plain[1:-1].replace("''", "'")
        assert plain == text


def test_printed_quotes_end_no_text_of_powershell() -> None:
    """It takes them for plain ones, which its grammar here does not know."""
    assert in_powershell("\u2018; rm x") == "'\u2018\u2018; rm x'"
    assert in_powershell("it's") == "'it''s'"
    assert in_powershell("-a.b") == "'-a.b'"  # it makes two words of it


@pytest.mark.parametrize("purpose", ["completion", "prompt"])
def test_what_powershell_is_given_is_written_in_its_language(purpose: str) -> None:
    assert words_of_powershell(text_for("powershell", purpose))


@pytest.mark.parametrize("door", [_InBash, _InZsh, _InFish, _InPowerShell])
@given(text=_SIGNS)
@settings(max_examples=60, deadline=None)
def test_every_completer_goes_through_one_door(door: type, text: str) -> None:
    """What a completer gave stood in the shell's line as it was, line breaks and all."""
    with pytest.MonkeyPatch.context() as patch:
        offer = lambda _ctx, _typed: [CompletionItem(text, help=text)]  # noqa: E731
        patch.setattr(completing, "_OFFERS", dict.fromkeys(completing._OFFERS, offer))
        for words, count in {
            "gitmem list ": 2, "gitmem show ": 2, "gitmem diff ": 2, "gitmem session show ": 3,
            "gitmem add note --link ": 4, "gitmem drafts keep ": 3, "gitmem runs ": 2,
        }.items():  # fmt: skip
            patch.setenv("COMP_WORDS", words.replace(" ", "\n"))
            patch.setenv("COMP_CWORD", "" if door is _InFish else str(count))
            answer = door(cli, {}, "gitmem", "_GITMEM_COMPLETE").complete()
            if door is _InPowerShell:
                for line in answer.splitlines():
                    kind, inserted, shown, told = line.split("\t")
                    assert kind != "plain" or (inserted == in_powershell(shown) and told)
                answer = answer.replace("plain\t", "plain,")
            values = {line.removeprefix("plain,").partition("\t")[0] for line in answer.split("\n")}
            if not is_offerable(text) or text.startswith("-"):
                assert not text.strip() or text not in values, (words, answer)
            assert not {"\x1b", "\u202e", "\r"}.intersection(answer), (words, answer)
            if door is _InBash:
                bare = {line.removeprefix("plain,") for line in answer.split("\n")}
                assert not text or text not in bare or in_bash(text) == text
