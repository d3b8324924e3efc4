#!/usr/bin/env bash
# mypy 2.4.1: its JUnit file names the files that are wrong and none of those that are right.
#
# Seen: three files checked, one wrong. With --junit-format per_file the report has tests="1"
# failures="1"; when all three are right it has one test, named after the platform and no file.
# Here: a file that is no longer named is not taken for one that was not checked.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
python3 -m venv v && v/bin/pip -q --disable-pip-version-check install mypy==2.4.1

for name in a b c; do echo 'n: int = 1' >$name.py; done
for text in '"one"' 1; do
    echo "n: int = $text" >b.py
    v/bin/mypy --python-version 3.12 --platform linux --junit-xml report.xml --junit-format per_file a.py b.py c.py >/dev/null || true
    grep -oE '(tests|failures)="[0-9]+"|name="mypy-[^"]*"' report.xml | tr '\n' ' '; echo
done >seen

cat >described <<'END'
failures="1" tests="1" name="mypy-py3_12-linux b.py" 
failures="0" tests="1" name="mypy-py3_12-linux" 
END
cat seen
diff -u described seen
