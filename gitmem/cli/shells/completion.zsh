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
