import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { atLeast, candidates, findServer, probe } from '../src/core/starting';

let folder: string;

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'gitmem-starting-'));
});

after(() => {
  rmSync(folder, { recursive: true });
});

function program(name: string, script: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

test('a setting stands alone, a Python is given a module', () => {
  assert.deepEqual(candidates({ setting: '/venv/bin/python3', interpreter: '/x/python' }), [
    { from: 'setting', command: '/venv/bin/python3', before: ['-m', 'gitmem'] },
  ]);
  assert.deepEqual(candidates({ setting: '/venv/bin/gitmem' })[0]?.before, []);
});

test('else the interpreter, then the path, then what we installed', () => {
  const from = candidates({ setting: '', interpreter: '/x/python', installed: '/y/python' });
  assert.deepEqual([...new Set(from.map((one) => one.from))], [
    'python extension',
    'path',
    'installed by the extension',
  ]);
});

test('a program that prints a version is one', async () => {
  const command = program('good', 'echo "gitmem, version 1.4.2"');
  assert.deepEqual(await probe({ from: 'path', command, before: [] }, folder), { version: '1.4.2' });
});

test('others say why they are none', async () => {
  const ask = async (command: string) =>
    await probe({ from: 'path', command, before: [] }, folder);
  assert.deepEqual(await ask(join(folder, 'absent')), { reason: 'there is no such program' });
  const bare = program('bare', 'echo "/usr/bin/python3: No module named gitmem" >&2; exit 1');
  assert.deepEqual(await ask(bare), { reason: 'gitmem is not installed there' });
  const odd = program('odd', 'echo first >&2; echo last words >&2; exit 3');
  assert.deepEqual(await ask(odd), { reason: 'last words' });
  const other = program('other', 'echo "something else 1.2"');
  assert.ok('reason' in (await ask(other)));
});

test('what a program prints is not believed if it failed', async () => {
  const command = program('liar', 'echo "gitmem, version 9.9"; exit 1');
  assert.ok('reason' in (await probe({ from: 'path', command, before: [] }, folder)));
});

test('versions are compared by their numbers', () => {
  assert.ok(atLeast('0.10.0', '0.9'));
  assert.ok(atLeast('1.0.0rc1', '1.0'));
  assert.ok(!atLeast('0.9.9', '0.10'));
  assert.ok(atLeast('2', '1.9.9'));
});

test('a setting that does not start is told of, and nothing else is tried', async () => {
  const setting = join(folder, 'absent');
  const { found, tried } = await findServer({ setting }, '0.1', folder);
  assert.equal(found, undefined);
  assert.deepEqual(tried, [`${setting} (setting): there is no such program`]);
});

test('one that is too old is passed over', async () => {
  const setting = program('old', 'echo "gitmem, version 0.0.9"');
  const { found, tried } = await findServer({ setting }, '0.1', folder);
  assert.equal(found, undefined);
  assert.match(tried[0] ?? '', /version 0\.0\.9, 0\.1 is needed/);
});
