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
# Not optimized: a third of the time to build, and what it does here is little.
cat >config.mak <<END
NO_CURL = 1
NO_GETTEXT = 1
NO_TCLTK = 1
NO_PERL = 1
NO_PYTHON = 1
NO_EXPAT = 1
NO_OPENSSL = 1
NO_ICONV = 1
SKIP_DASHED_BUILT_INS = 1
CFLAGS = -O0
prefix = $folder
END
echo "building git, which takes minutes"
make -j2 git >>"$folder/log" 2>&1
make -j2 install NO_INSTALL_HARDLINKS=1 >>"$folder/log" 2>&1
