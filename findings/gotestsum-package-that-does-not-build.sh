#!/usr/bin/env bash
# gotestsum 1.12.3: of a package that does not build its JUnit file says "Failed", and not why.
#
# Seen: the terminal shows the compiler's line. The report counts no test, and one failure of a
# test called TestMain, which nobody wrote, without a class; its text is "[build failed]".
# Here: no test of that name is remembered; the cause is taken from the log beside the report.
set -euo pipefail
work=$(mktemp -d); trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT; cd "$work"
GOBIN="$work/bin" GOPATH="$work/go" go install gotest.tools/gotestsum@v1.12.3 2>/dev/null

mkdir shop && cd shop
printf 'module shop\n\ngo 1.21\n' >go.mod
printf 'package shop\n\nfunc Twice(n int) int { return n * }\n' >shop.go
printf 'package shop\n\nimport "testing"\n\nfunc TestTwice(t *testing.T) {}\n' >shop_test.go
code=0; ../bin/gotestsum --junitfile report.xml >said 2>&1 || code=$?
{ echo "gotestsum ends with $code"; grep -o 'shop.go:3.*syntax error' said
  grep -oE '<testsuites tests="[0-9]+"|<testcase classname="" name="[^"]*"|FAIL[^<]*build failed' report.xml
  echo "names shop.go: $(grep -c 'shop\.go' report.xml || true)"; } >seen

cat >described <<'END'
gotestsum ends with 1
shop.go:3:36: syntax error
<testsuites tests="0"
<testcase classname="" name="TestMain"
FAIL&#x9;shop [build failed
names shop.go: 0
END
cat seen
diff -u described seen
