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
