#!/usr/bin/env bash
# @modelcontextprotocol/server-memory 2026.8.31: a search finds the whole query or nothing.
#
# Seen: a note says that "the cart total was wrong for empty lists". "cart total" finds it;
# "total cart", "total wrong" and "cart lists" do not: the query is looked for as one piece of
# text, blanks included.
# Here: words count in any order; the comparison of recall in the docs asks peers as they are.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
npm install --silent --no-audit --no-fund --prefix . @modelcontextprotocol/server-memory@2026.8.31 >/dev/null

cat >ask.mjs <<'END'
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
const server = spawn("npx", ["mcp-server-memory"], {
  stdio: ["pipe", "pipe", "ignore"], env: { ...process.env, MEMORY_FILE_PATH: `${process.cwd()}/memory.jsonl` } });
const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
const send = (message) => server.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
let id = 0;
const call = async (method, params) => {
  send({ id: ++id, method, params });
  return JSON.parse((await lines.next()).value).result;
};
const tool = async (name, values) => (await call("tools/call", { name, arguments: values })).structuredContent;
await call("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "ask", version: "1" } });
send({ method: "notifications/initialized" });
await tool("create_entities", { entities: [{ name: "note", entityType: "fact",
  observations: ["the cart total was wrong for empty lists"] }] });
for (const query of ["cart total", "total cart", "total wrong", "cart lists"])
  console.log(`${query}: ${(await tool("search_nodes", { query })).entities.length}`);
server.stdin.end();
END
node ask.mjs >seen

cat >described <<'END'
cart total: 1
total cart: 0
total wrong: 0
cart lists: 0
END
cat seen
diff -u described seen
