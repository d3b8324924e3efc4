# Older bash (macOS has 3.2) knows neither compopt nor nosort: it is given the names themselves.
_gitmem_paths() {
  compopt -o "$1" 2>/dev/null && return
  local IFS=$'\n'
  COMPREPLY=($(compgen "$2" -- "${COMP_WORDS[COMP_CWORD]}"))
}
_gitmem_completion() {
  local IFS=$'\n' answer line
  answer=$(env COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD="$COMP_CWORD" \
    _GITMEM_COMPLETE=bash_complete gitmem)
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      dir,*) COMPREPLY=(); _gitmem_paths dirnames -d ;;
      file,*) COMPREPLY=(); _gitmem_paths default -f ;;
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
  [[ ${#COMPREPLY[@]} != 1 || ${COMPREPLY[0]} != *[:=/] ]] || compopt -o nospace 2>/dev/null
}
complete -o nosort -F _gitmem_words gitmem 2>/dev/null || complete -F _gitmem_words gitmem
