#!/usr/bin/env bash
# behave 1.3.3: a step that nobody wrote is an error of type "NoneType" with the message "None".
#
# Seen: behave names the step and ends with 1. In the JUnit file the scenario has an <error> whose
# type and message are the words for nothing; the step stands in the text below only.
# Here: two such scenarios would be one failure by their message, so the text is read instead.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
python3 -m venv v && v/bin/pip -q --disable-pip-version-check install behave==1.3.3

mkdir -p features/steps
printf 'Feature: cart\n  Scenario: nobody wrote it\n    Given a trolley\n' >features/cart.feature
echo >features/steps/none.py
code=0; v/bin/behave --junit -q >/dev/null 2>&1 || code=$?
{ echo "behave ends with $code"; grep -oE '<error [^>]*>' reports/*.xml
  grep -o 'Failing step: .* undefined' reports/*.xml; } >seen

cat >described <<'END'
behave ends with 1
<error type="NoneType" message="None">
Failing step: Given a trolley ... undefined
END
cat seen
diff -u described seen
