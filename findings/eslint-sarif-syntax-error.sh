#!/usr/bin/env bash
# ESLint 9.39.5 with its SARIF formatter 3.1.0: a file that can't be parsed is no result.
#
# Seen: ESLint ends with 1. The file has an empty list of results; the syntax error, with its
# file and line, stands among the notifications about the tool's configuration.
# Here: these notifications are read, too, and executionSuccessful is asked.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
npm install --silent --no-audit --no-fund --prefix . eslint@9.39.5 \
    @microsoft/eslint-formatter-sarif@3.1.0 >/dev/null

echo 'export default [{ rules: { "no-debugger": "error" } }]' >eslint.config.mjs
echo 'const price = ;' >cart.js
code=0; npx eslint -f @microsoft/eslint-formatter-sarif cart.js >out.sarif 2>/dev/null || code=$?
echo "eslint ends with $code" >seen
node -e '
const run = JSON.parse(require("fs").readFileSync("out.sarif", "utf8")).runs[0];
console.log("results:", run.results.length);
for (const each of run.invocations[0].toolConfigurationNotifications)
  console.log("notification:", each.message.text, each.locations[0].physicalLocation.region);
console.log("executionSuccessful:", run.invocations[0].executionSuccessful);' >>seen

cat >described <<'END'
eslint ends with 1
results: 0
notification: Parsing error: Unexpected token ; { startLine: 1, startColumn: 15 }
executionSuccessful: false
END
cat seen
diff -u described seen
