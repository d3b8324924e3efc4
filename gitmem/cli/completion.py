"""``gitmem completion``."""

from typing import Final

import click

from gitmem.cli.app import out
from gitmem.cli.base import Command, argument

# What follows ``run --`` is the command line of another program, which the shell knows better.
_BASH: Final = r"""
_gitmem_completion() {
  local IFS=$'\n' answer line
  answer=$(env COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD="$COMP_CWORD" \
    _GITMEM_COMPLETE=bash_complete gitmem)
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      dir,*) COMPREPLY=(); compopt -o dirnames ;;
      file,*) COMPREPLY=(); compopt -o default ;;
      plain,*) COMPREPLY+=("${line#plain,}") ;;
    esac
  done <<< "$answer"
}
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
_gitmem_completion() {
  local kind word told
  local -a answer plain described open
  answer=("${(@f)$(env COMP_WORDS="${words[*]}" COMP_CWORD=$((CURRENT - 1)) \
    _GITMEM_COMPLETE=zsh_complete gitmem)}")
  for kind word told in "${answer[@]}"; do
    case $kind in
      dir) _path_files -/ ;;
      file) _path_files -f ;;
      plain) if [[ $told == _ ]]; then plain+=("$word"); else described+=("$word:$told"); fi ;;
    esac
  done
  (( ! $#described )) || _describe -V unsorted described -U
  (( $#plain )) || return 0
  [[ $#plain != 1 || $plain[1] != *[:=/] ]] || open=(-S '')
  compadd -U -V unsorted "${open[@]}" -a plain
}
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
function _gitmem_completion
    set -l typed (commandline -cp | string collect)
    set -l word (commandline -t | string collect)
    for line in (env COMP_WORDS="$typed" COMP_CWORD="$word" _GITMEM_COMPLETE=fish_complete gitmem)
        set -l offer (string split -m 1 , -- $line)
        switch $offer[1]
            case dir
                __fish_complete_directories $offer[2]
            case file
                __fish_complete_path $offer[2]
            case plain
                printf '%s\n' $offer[2]
        end
    end
end
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
_SCRIPTS: Final = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}


@click.command("completion", cls=Command)
@argument("shell", type=click.Choice(tuple(_SCRIPTS)))
def command(shell: str) -> None:
    """Print the completion script of your shell.

    It completes commands, options, files, filters, settings, revisions, and the ids of records,
    drafts, runs and sessions; behind gitmem run -- what the shell completes for that command.

    \b
    Example:
      eval "$(gitmem completion bash)"
      gitmem completion fish | source
    """
    out(_SCRIPTS[shell].strip("\n"))
