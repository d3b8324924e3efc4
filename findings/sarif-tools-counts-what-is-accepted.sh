#!/usr/bin/env bash
# sarif-tools 3.0.5 counts results that were accepted, or that are gone, as errors.
#
# Seen: SARIF says by `suppressions` that somebody accepted a result, and by `baselineState`
# "absent" that it was there in an earlier run only. `sarif summary` gives one error for each of
# the two, as for a plain one.
# Here: of the three only the plain result is a failure.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
python3 -m venv v && v/bin/pip -q --disable-pip-version-check install sarif-tools==3.0.5

cat >write.py <<'END'
import json

for name, more in {"plain": {}, "accepted": {"suppressions": [{"kind": "inSource"}]},
                   "gone": {"baselineState": "absent"}}.items():
    place = {"physicalLocation": {"artifactLocation": {"uri": "cart.c"},
                                  "region": {"startLine": 3}}}
    result = {"ruleId": "R1", "level": "error", "message": {"text": "wrong"},
              "locations": [place], **more}
    run = {"tool": {"driver": {"name": "t", "rules": [{"id": "R1"}]}}, "results": [result]}
    with open(f"{name}.sarif", "w") as file:
        json.dump({"version": "2.1.0", "runs": [run]}, file)
END
v/bin/python write.py
for name in plain accepted gone; do
    echo "$name: $(v/bin/sarif summary "$name.sarif" | grep '^error')"
done >seen

cat >described <<'END'
plain: error: 1
accepted: error: 1
gone: error: 1
END
cat seen
diff -u described seen
