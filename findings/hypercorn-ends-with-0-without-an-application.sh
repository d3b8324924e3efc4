#!/usr/bin/env bash
# hypercorn 0.18.0: a server that can't load its application ends with exit code 0.
#
# Seen: the worker prints a traceback that ends with NoAppError, serves nothing, and the program
# ends with 0. uvicorn 0.54.0 ends with 3 on the same line.
# Here: who watches exit codes sees a run that passed; so does gitmem, which says nothing of it.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
python3 -m venv v
v/bin/pip -q --disable-pip-version-check install hypercorn==0.18.0 uvicorn==0.54.0

code=0; v/bin/hypercorn shop:app -b 127.0.0.1:0 >printed 2>&1 || code=$?
other=0; v/bin/uvicorn shop:app --port 0 >/dev/null 2>&1 || other=$?
{ echo "hypercorn ends with $code"
  grep -oE 'NoAppError: Cannot load application from .shop:app., module not found' printed
  echo "uvicorn ends with $other"; } >seen

cat >described <<'END'
hypercorn ends with 0
NoAppError: Cannot load application from 'shop:app', module not found
uvicorn ends with 3
END
cat seen
diff -u described seen
