# Functions that the scripts share.
say() {
    printf '== %s\n' "$*"
}
