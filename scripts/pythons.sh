#!/bin/sh
# Print every Python of this machine that gitmem runs on (3.11 and later, releases only),
# newest first: "3.12 /path/to/python3.12", one line for each minor version. Looks on the
# path and among pyenv's versions; what does not start (a shim without a version) is no find,
# nor is a virtual environment.
set -eu

probe='import sys; v = sys.version_info
if v[0] == 3 and v[1] >= 11 and v[3] == "final" and sys.prefix == sys.base_prefix:
    print(v[1], v[2], sys.executable)'

candidates() {
    IFS=:
    for folder in $PATH; do
        printf '%s\n' "$folder"/python3 "$folder"/python3.[1-9][0-9]
    done
    unset IFS
    printf '%s\n' "${PYENV_ROOT:-${HOME:-/}/.pyenv}"/versions/3.*/bin/python3
}

candidates | while read -r python; do
    [ -x "$python" ] || continue
    "$python" -c "$probe" 2>/dev/null </dev/null || continue
done | sort -s -k1,1nr -k2,2nr | while read -r minor _ python; do
    [ "$minor" = "${last:-}" ] || printf '3.%s %s\n' "$minor" "$python"
    last=$minor
done
