#!/usr/bin/env bash
# Newman 6.2.2: a request that could not be sent is no case of its JUnit report.
#
# Seen: Newman names the request and ends with 1. In the report the request is a suite with
# tests="0" errors="1" and no testcase; the reason stands in its <system-err>. So is an error of a
# script. The table of failures in the terminal names no request there either: `inside ""`.
# Here: who counts the cases sees a run without a failure, so the errors of suites are read, too.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
npm install --silent --no-audit --no-fund newman@6.2.2

cat >shop.json <<'END'
{"info": {"name": "Shop",
  "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
 "item": [{"name": "get price", "request": {"method": "GET", "url": "http://127.0.0.1:9/price"}}]}
END
code=0
node_modules/.bin/newman run shop.json --color off -r cli,junit --reporter-junit-export report.xml \
  >printed 2>&1 || code=$?
{ echo "newman ends with $code"
  grep -oE '<testsuite name="get price"' report.xml
  grep -oE 'tests="0" failures="0" errors="1"' report.xml
  echo "testcases: $(grep -c '<testcase' report.xml || true)"
  grep -oE 'inside ""' printed; } >seen

cat >described <<'END'
newman ends with 1
<testsuite name="get price"
tests="0" failures="0" errors="1"
testcases: 0
inside ""
END
cat seen
diff -u described seen
