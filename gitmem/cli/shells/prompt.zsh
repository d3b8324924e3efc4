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
