"""``gitmem shell-init``."""

from typing import Final

import click

from gitmem.cli.app import out
from gitmem.cli.base import Command, argument

_BASH: Final = r"""
# gitmem: after a failing command in a repository with a memory, one line offers help.
# Nothing is captured, and after success no process is started.
if [[ $- == *i* ]]; then
_gitmem_prompt() {
  local code=$? ran=${_gitmem_ran-}${_gitmem_old-} folder=$PWD last
  _gitmem_ran=
  case $code in 0|130|141|148) return "$code" ;; esac
  [[ -n $ran ]] || return "$code"
  while [[ ! -f $folder/${GITMEM_FOLDER:-.memory}/gitmem.yaml ]]; do
    [[ -n $folder ]] || return "$code"
    folder=${folder%/*}
  done
  last=$(HISTTIMEFORMAT='' builtin history 1 2>/dev/null)
  [[ $last == *gitmem* ]] ||
    printf 'gitmem: exit code %s; what is known?  !! 2>&1 | gitmem hint\n' "$code" >&2
  return "$code"
}
if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404)); then
  # Read before each command: an empty line at the prompt runs none.
  [[ ${PS0-} == *_gitmem_ran* ]] || PS0=${PS0-}'${_gitmem_none[_gitmem_ran=1]-}'
else
  _gitmem_old=1
fi
[[ ${PROMPT_COMMAND-} == *_gitmem_prompt* ]] ||
  PROMPT_COMMAND="_gitmem_prompt${PROMPT_COMMAND:+; $PROMPT_COMMAND}"
fi
"""
_ZSH: Final = r"""
# gitmem: after a failing command in a repository with a memory, one line offers help.
# Nothing is captured, and no process is started.
if [[ -o interactive ]]; then
_gitmem_preexec() { _gitmem_ran=$1 }
_gitmem_precmd() {
  local code=$? ran=${_gitmem_ran-} folder=$PWD
  _gitmem_ran=
  case $code in (0|130|141|148) return 0 ;; esac
  [[ -n $ran && $ran != *gitmem* ]] || return 0
  while [[ ! -f $folder/${GITMEM_FOLDER:-.memory}/gitmem.yaml ]]; do
    [[ -n $folder ]] || return 0
    folder=${folder%/*}
  done
  print -u2 -r -- "gitmem: exit code $code; what is known?  !! 2>&1 | gitmem hint"
}
autoload -Uz add-zsh-hook
add-zsh-hook preexec _gitmem_preexec
add-zsh-hook precmd _gitmem_precmd
fi
"""
_FISH: Final = r"""
# gitmem: after a failing command in a repository with a memory, one line offers help.
# Nothing is captured, and no process is started.
if status is-interactive
    function _gitmem_postexec --on-event fish_postexec
        set -l code $status
        contains -- $code 0 130 141 148; and return
        string match -q -- '*gitmem*' $argv[1]; and return
        set -l name .memory
        set -q GITMEM_FOLDER; and set name $GITMEM_FOLDER
        set -l folder $PWD
        while not test -f $folder/$name/gitmem.yaml
            test -n "$folder"; or return
            set folder (string replace -r '/[^/]*$' '' -- $folder)
        end
        echo "gitmem: exit code $code; what is known?  eval \$history[1] 2>&1 | gitmem hint" >&2
    end
end
"""
_SNIPPETS: Final = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}


@click.command("shell-init", cls=Command)
@argument("shell", type=click.Choice(tuple(_SNIPPETS)))
def command(shell: str) -> None:
    """Print a snippet for your shell that offers help after a failing command.

    In a repository with a memory, one line is shown after a command that failed. Nothing is
    captured, and at a prompt after success no process is started.

    \b
    Example:
      eval "$(gitmem shell-init bash)"
      gitmem shell-init fish | source
    """
    out(_SNIPPETS[shell].strip())
