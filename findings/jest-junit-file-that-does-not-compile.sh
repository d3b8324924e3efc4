#!/usr/bin/env bash
# jest-junit 17.0.0 with Jest 30.5.2: a test file that does not compile is not in the report.
#
# Seen: Jest ends with 1 and names the file. The report has only the other file, with failures="0"
# and errors="0".
# Here: such a report beside a red run is called out as incomplete, never as green.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
npm install --silent --no-audit --no-fund --prefix . jest@30.5.2 jest-junit@17.0.0 >/dev/null

echo 'test("adds", () => { expect(1 + 1).toBe(2) })' >good.test.js
echo 'test("adds", () => { expect(1 + 1).toBe( })' >broken.test.js
code=0; npx jest --reporters=jest-junit >/dev/null 2>&1 || code=$?
{ echo "jest ends with $code"; grep -oE '<(testsuites|testcase) |(tests|failures|errors)="[0-9]+"' junit.xml |
    head -4 | tr '\n' ' '; echo; echo "names the broken file: $(grep -c broken junit.xml || true)"; } >seen

cat >described <<'END'
jest ends with 1
<testsuites  tests="1" failures="0" errors="0" 
names the broken file: 0
END
cat seen
diff -u described seen
