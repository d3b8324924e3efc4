#!/usr/bin/env bash
# CTest 4.4.5: in its JUnit file a test whose program is missing is skipped, not failed.
#
# Seen: CTest says "1 tests failed out of 2" and ends with 8. The report it writes in the same run
# has failures="0" and one <skipped>, as for a test that was left out on purpose.
# Here: `status="notrun"` with such a message is read as a failure.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
python3 -m venv v && v/bin/pip -q --disable-pip-version-check install cmake==4.4.5

cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.20)
project(shop NONE)
enable_testing()
add_test(NAME there COMMAND ${CMAKE_COMMAND} -E true)
add_test(NAME missing COMMAND cart_test)
END
v/bin/cmake -B build . >/dev/null
code=0; v/bin/ctest --test-dir build --output-junit report.xml >said 2>&1 || code=$?
{ grep 'tests failed out of' said; echo "ctest ends with $code"
  grep -oE '(failures|skipped)="[0-9]+"|<skipped[^>]*>|status="notrun"' build/report.xml; } >seen

cat >described <<'END'
50% tests passed, 1 tests failed out of 2
ctest ends with 8
failures="0"
skipped="1"
status="notrun"
<skipped message="Unable to find executable"/>
END
cat seen
diff -u described seen
