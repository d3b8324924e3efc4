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
