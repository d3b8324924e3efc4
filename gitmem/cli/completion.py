"""``gitmem completion``."""

from typing import Final

import click

from gitmem.cli.app import out
from gitmem.cli.base import Command, argument

# What follows ``run --`` is the command line of another program, which the shell knows better.
_BASH: Final = r"""
_gitmem_words() {
  local at offset
  for offset in _comp_command_offset _command_offset; do
    [[ ${COMP_WORDS[1]} == run ]] && declare -F "$offset" >/dev/null || continue
    for ((at = 2; at < COMP_CWORD; at++)); do
      [[ ${COMP_WORDS[at]} != -- ]] || { "$offset" $((at + 1)); return; }
    done
  done
  _gitmem_completion "$@"
  # "kind:" goes on without a space.
  [[ ${#COMPREPLY[@]} != 1 || ${COMPREPLY[0]} != *[:=/] ]] || compopt -o nospace
}
complete -o nosort -F _gitmem_words gitmem
"""
_ZSH: Final = r"""
_gitmem_words() {
  local at=${words[(i)--]}
  if [[ ${words[2]} == run ]] && (( at < CURRENT )); then
    words=("${(@)words[at+1,-1]}")
    (( CURRENT -= at ))
    _normal
  else
    _gitmem_completion "$@"
  fi
}
(( ! $+functions[compdef] )) || compdef _gitmem_words gitmem
"""
_FISH: Final = r"""
function _gitmem_words
    set -l typed (commandline -cop)
    set -l at (contains -i -- -- $typed)
    if test "$typed[2]" = run; and set -q at[1]
        set -l rest
        test $at -lt (count $typed); and set rest $typed[(math $at + 1)..-1]
        complete -C (string join ' ' -- (string escape -- $rest) (commandline -ct))
    else
        _gitmem_completion
    end
end
complete --erase --command gitmem
complete --no-files --command gitmem --arguments "(_gitmem_words)"
"""
_ZSH_ADDS: Final = "compadd -U -V unsorted -a completions"
_ZSH_ADDS_OPEN: Final = """\
local -a open=()
        [[ ${#completions} != 1 || $completions[1] != *[:=/] ]] || open=(-S '')
        compadd -U -V unsorted "${open[@]}" -a completions"""
_MORE: Final = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}


@click.command("completion", cls=Command)
@argument("shell", type=click.Choice(tuple(_MORE)))
def command(shell: str) -> None:
    """Print the completion script of your shell.

    It completes commands, options, files, filters, settings, revisions, and the ids of records,
    drafts, runs and sessions; behind gitmem run -- what the shell completes for that command.

    \b
    Example:
      eval "$(gitmem completion bash)"
      gitmem completion fish | source
    """
    from click.shell_completion import get_completion_class

    from gitmem.cli.main import cli

    completion = get_completion_class(shell)
    if completion is None:
        raise click.UsageError(f"no completion for {shell}")
    script = completion(cli, {}, "gitmem", "_GITMEM_COMPLETE")
    # Bash's own version check would start a shell; 4.4 came in 2016.
    text = (script.source_template % script.source_vars()).strip()
    out(text.replace(_ZSH_ADDS, _ZSH_ADDS_OPEN))
    out(_MORE[shell].rstrip("\n"))
