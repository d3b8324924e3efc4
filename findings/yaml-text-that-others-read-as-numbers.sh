#!/usr/bin/env bash
# PyYAML 6.0.4 writes some text without quotes that js-yaml 4.1.1 reads as a number.
#
# Seen: the texts 12e03, 0o17 and 08 are written plain, as PyYAML itself reads them back as text.
# A reader in JavaScript gives 12000, 15 and 8: an abbreviated commit such as 12e03 becomes
# another value, silently, where one file is shared by both.
# Here: records are read by other people's programs, so such text is written in quotes.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
python3 -m venv v && v/bin/pip -q --disable-pip-version-check install PyYAML==6.0.4
npm install --silent --no-audit --no-fund --prefix . js-yaml@4.1.1 >/dev/null

cat >write.py <<'END'
import yaml

texts = {"commit": "12e03", "mode": "0o17", "month": "08"}
written = yaml.safe_dump(texts, sort_keys=False)
assert yaml.safe_load(written) == texts
print(written, end="")
END
v/bin/python write.py >file.yaml
cat file.yaml >seen
node -e 'console.log(require("js-yaml").load(require("fs").readFileSync("file.yaml", "utf8")))' >>seen

cat >described <<'END'
commit: 12e03
mode: 0o17
month: 08
{ commit: 12000, mode: 15, month: 8 }
END
cat seen
diff -u described seen
