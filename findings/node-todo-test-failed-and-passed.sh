#!/usr/bin/env bash
# Node's test runner (22.11.0): a test marked as to do that fails is a failure in its JUnit file only.
#
# Seen: the run ends with 0 and TAP counts no failure. In the JUnit report of the same run the
# test has <skipped type="todo"> and <failure> side by side.
# Here: what is skipped is not failed, whatever else stands in the element.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
npm install --silent --no-audit --no-fund --prefix . node@22.11.0 >/dev/null

cat >cart.test.mjs <<'END'
import assert from "node:assert";
import { test } from "node:test";
test("discount", { todo: true }, () => assert.equal(1, 3));
END
node=node_modules/node/bin/node
$node --version >seen
code=0; $node --test --test-reporter=junit cart.test.mjs >report.xml || code=$?
{ echo "node ends with $code"; $node --test --test-reporter=tap cart.test.mjs | grep -E '^# (fail|todo)'
  grep -oE '<(skipped|failure) type="[a-zA-Z]+"' report.xml; } >>seen

cat >described <<'END'
v22.11.0
node ends with 0
# fail 0
# todo 1
<skipped type="todo"
<failure type="testCodeFailure"
END
cat seen
diff -u described seen
