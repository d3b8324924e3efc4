#!/usr/bin/env bash
# Vitest 5.1.2: under a coding assistant the same run does not name the tests that passed.
#
# Seen: with the variable CLAUDECODE, which that assistant sets, only what failed is listed. No
# option was given in either case.
# Here: a test that is not named any more has not gone, and nothing is concluded from its silence.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
npm install --silent --no-audit --no-fund --prefix . vitest@5.1.2 >/dev/null

cat >cart.test.js <<'END'
import { expect, test } from "vitest"
test("adds", () => { expect(1 + 1).toBe(2) })
test("divides", () => { expect(1 / 2).toBe(2) })
END
for who in person assistant; do
    variables=(-u CLAUDECODE -u AI_AGENT NO_COLOR=1)
    if [ $who = assistant ]; then variables+=(CLAUDECODE=1); fi
    echo "$who:"
    { env "${variables[@]}" npx vitest run 2>/dev/null || true; } |
        grep -oE '(✓|×) [a-z]+'
done >seen

cat >described <<'END'
person:
✓ adds
× divides
assistant:
× divides
END
cat seen
diff -u described seen
