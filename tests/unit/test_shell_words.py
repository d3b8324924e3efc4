"""Words that a shell completes with are text for it, whatever they hold."""

import shutil
import subprocess

import pytest
from click.shell_completion import CompletionItem
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.cli import completing
from gitmem.cli.completing import _InBash, _InFish, _InZsh
from gitmem.cli.main import cli
from gitmem.render.shell_words import in_bash, is_offerable

_SIGNS = st.text(st.sampled_from("$(){}[]<>;&|`'\"\\*?!#~ \t\n\r-=:,ab/é\x1b\u202e"), max_size=12)


@pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash here")
@given(texts=st.lists(_SIGNS.filter(is_offerable), max_size=30))
@settings(max_examples=30, deadline=None)
def test_bash_takes_each_word_for_its_text(texts: list[str]) -> None:
    script = "printf '%s\\0' " + " ".join(in_bash(text) for text in texts)
    done = subprocess.run(["bash", "--norc", "-c", script], capture_output=True, check=True)
    assert done.stdout.decode().split("\0")[:-1] == (texts or [""])


@pytest.mark.parametrize("door", [_InBash, _InZsh, _InFish])
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
            lines = [line for line in answer.split("\n") if text and text in line]
            if not is_offerable(text) or text.startswith("-"):
                assert not [line for line in lines if not text.isalnum()], (words, answer)
            assert not {"\x1b", "\u202e", "\r"}.intersection(answer), (words, answer)
            if door is _InBash:
                bare = {line.removeprefix("plain,") for line in answer.split("\n")}
                assert not text or text not in bare or in_bash(text) == text
