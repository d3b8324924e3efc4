#!/usr/bin/env bash
# pytest 9.2.0: with subtests the counts of its JUnit file are not those of its elements.
#
# Seen: a file with two tests, one of them with three subtests of which two fail. The report says
# tests="5" failures="3" and has two <testcase>, one with three <failure> in it: one for each row,
# and one that counts the rows.
# Here: tests are counted by name, and the counting line is no failure of its own.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
python3 -m venv v && v/bin/pip -q --disable-pip-version-check install pytest==9.2.0

cat >test_cart.py <<'END'
def test_rows(subtests):
    for number in 1, 2, 3:
        with subtests.test(number=number):
            assert number == 2


def test_plain():
    pass
END
v/bin/python -m pytest -q --junitxml=report.xml >/dev/null || true
{ grep -oE '(failures|tests)="[0-9]+"' report.xml; echo "testcase: $(grep -o '<testcase ' report.xml | wc -l)"
  grep -oE '<failure message="[^"]*"' report.xml; } >seen

cat >described <<'END'
failures="3"
tests="5"
testcase: 2
<failure message="assert 1 == 2"
<failure message="assert 3 == 2"
<failure message="contains 2 failed subtests"
END
cat seen
diff -u described seen
