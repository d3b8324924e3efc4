#!/bin/sh
# Build a git that knows what Debian's stable one does not yet (branches in tables), of the source
# of Debian's next release: for the tests of layouts.
#
#     newer_git.sh [FOLDER]        the default is build/git; git is in FOLDER/bin afterwards
set -eu

cd "$(dirname "$0")/.."
folder=${1:-build/git}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
[ -x "$folder/bin/git" ] && exit

sh scripts/source_of_git.sh trixie "$folder" >"$folder/log" 2>&1 </dev/null || {
    tail -n 20 "$folder/log" >&2
    exit 1
}
cd "$folder/source"
echo "prefix = $folder" >>config.mak
echo "building git, which takes minutes"
make -j2 git >>"$folder/log" 2>&1
make -j2 install NO_INSTALL_HARDLINKS=1 >>"$folder/log" 2>&1
