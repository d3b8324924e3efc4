// Measures the extension in a real VS Code: activation, what a hover waits for us, memory.
//   node measure.mjs [REPOSITORY]   a copy of a repository with a large memory; else a small one
// The environment is that of `make test-vscode`. `make bench-vscode` calls it.
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { Editor, until, Window } from './editor.mjs';
import { Repository } from './repository.mjs';

const { GITMEM, VSIX, EDITOR } = process.env;
const TARGETS = { activation: 300, hover: 50, vsix: 1_000 };
const HOVERS = 20;
const large = process.argv[2];

const run = mkdtempSync(join(tmpdir(), 'gitmem-vscode-'));
const editor = new Editor(EDITOR, run);
const shop = new Repository(join(run, 'shop'), GITMEM, editor.home);
let window;
try {
  if (large) cpSync(large, shop.folder, { recursive: true, preserveTimestamps: true });
  shop.fill();
  editor.settings({ 'gitmem.python': join(dirname(GITMEM), 'python') });
  await editor.install(VSIX);
  await editor.start({ log: 'gitmem.gitmem=debug' });
  window = await Window.open(editor, shop.folder, join(run, 'window'));
  await window.openFile('price.ts', 'twelve');
  await window.page.locator('.squiggly-error').first().waitFor();
  await until(async () => (await window.page.locator('.statusbar-item', { hasText: '1 known' }).count()) > 0, 600_000, 'the memory is read');
  await window.command('gitmem: Show log');
  const times = [];
  for (let count = 0; count < HOVERS; count += 1) {
    await window.hover("'twelve'", 'gitmem: known error');
    times.push(...(await hovers()).slice(-1));
  }
  times.sort((one, other) => one - other);
  row('activation', await activation(), 'ms', TARGETS.activation);
  if (times.length) {
    row('hover, what it waits for us, p50', at(times, 0.5), 'ms', TARGETS.hover);
    row('hover, what it waits for us, p99', at(times, 0.99), 'ms');
  } else {
    console.log('hover: the editor showed no log at this level');
  }
  row('language server, memory', resident(shop.servers()[0]), 'MB');
  row('package', statSync(VSIX).size / 1000, 'kB', TARGETS.vsix);
} finally {
  await window?.close();
  await editor.stop();
  rmSync(run, { recursive: true, force: true });
}

function row(name, value, unit, target) {
  const judged = target === undefined ? '' : `  <= ${target} ${unit}  ${value <= target ? 'met' : 'not met'}`;
  console.log(`${name.padEnd(36)}${value.toFixed(1).padStart(8)} ${unit}${judged}`);
}

function at(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** The milliseconds that the hovers took that the end of the extension's log tells of. */
async function hovers() {
  // Without native modules the editor writes no log files; its view of the log is read.
  const shown = await window.page.locator('.output-view .view-line, .output-view-container .view-line').allInnerTexts();
  return [...shown.join('\n').replace(/\u00a0/g, ' ').matchAll(/hover: ([\d.]+) ms/g)].map(([, time]) => Number(time));
}

/** The milliseconds that the editor counts as ours when it starts. */
async function activation() {
  await window.command('Developer: Show Running Extensions');
  const entry = window.page.locator('.monaco-list-row', { hasText: 'a repository that remembers' }).first();
  await entry.waitFor();
  const said = await entry.innerText();
  const time = /Activation: ([\d.]+)ms/.exec(said)?.[1];
  if (!time) throw new Error(`the editor tells no time: ${said}`);
  return Number(time);
}

function resident(id) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))[1]) / 1024;
}
