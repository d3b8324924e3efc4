#!/bin/sh
# Make a virtual environment and install gitmem into it, editable, with what its tests need:
#
#     make_venv.sh FOLDER [PYTHON] [EXTRAS]
#
# Without PYTHON, the newest one that can make environments. A folder that holds a working
# environment is kept and brought up to date.
set -eu

folder=$1
python=${2:-}
extras=${3-dev}
scripts=$(dirname "$0")

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

can_make_venvs() {
    "$1" -c 'import ensurepip, venv' 2>/dev/null
}

if ! "$folder/bin/python" -m pip --version >/dev/null 2>&1; then
    if [ -z "$python" ]; then
        found=$(sh "$scripts/pythons.sh" | cut -d' ' -f2-)
        [ -n "$found" ] || fail "no Python 3.11 or later; install one (Debian: apt-get install python3 python3-venv)"
        python=$(printf '%s\n' "$found" | while read -r one; do
            if can_make_venvs "$one"; then printf '%s\n' "$one"; break; fi
        done)
        [ -n "$python" ] || python=$(printf '%s\n' "$found" | head -n 1)
    fi
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) ||
        fail "$python does not start; give another one with PYTHON="
    can_make_venvs "$python" ||
        fail "$python can't make virtual environments; install its package (Debian: apt-get install python3-venv or python$version-venv)"
    echo "setting up $folder with Python $version"
    "$python" -m venv --clear "$folder"
else
    echo "bringing $folder up to date"
fi

# -qq keeps errors and drops warnings; nothing here may wait for an answer.
"$folder/bin/python" -m pip -qq --no-input --disable-pip-version-check install --editable ".${extras:+[$extras]}"
