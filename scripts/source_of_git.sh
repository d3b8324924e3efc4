#!/bin/sh
# Fetch and unpack the source of git as a release of Debian has it, without the parts that no test
# needs; it needs apt-get and dpkg-dev.
#
#     source_of_git.sh RELEASE FOLDER        the source is in FOLDER/source afterwards
set -eu

release=$1
mkdir -p "$2"
folder=$(cd "$2" && pwd)
apt=$folder/apt
mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
mirror=$(
    sed -n 's/^URIs: *//p; s/^deb \(\[[^]]*\] \)*\(http[^ ]*debian\/\{0,1\}\) .*/\2/p' \
        /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list 2>/dev/null |
        grep -v security | head -n 1
)
signers=/usr/share/keyrings/debian-archive-keyring.gpg
echo "deb-src [signed-by=$signers] $mirror $release main" >"$apt/sources.list"
set -- -o "Dir::Etc::SourceList=$apt/sources.list" -o Dir::Etc::SourceParts=/dev/null \
    -o "Dir::State::Lists=$apt/lists" -o "Dir::Cache=$apt/cache" -o APT::Sandbox::User=root
apt-get "$@" update -qq
cd "$folder"
rm -rf source git_*
apt-get "$@" source -qq --download-only git
dpkg-source --no-check -x git_*.dsc source
# Not optimized: a third of the time to build, and what it does here is little.
cat >source/config.mak <<END
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
END
