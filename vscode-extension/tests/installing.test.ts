import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';

import { install, installedPython, InstallationFailed, wheelIn } from '../src/core/installing';

let folder: string;
const path = process.env.PATH;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gitmem-installing-'));
  mkdirSync(join(folder, 'wheels'));
  mkdirSync(join(folder, 'bin'));
});

afterEach(() => {
  process.env.PATH = path;
  rmSync(folder, { recursive: true });
});

function wheel(): string {
  const file = join(folder, 'wheels', 'gitmem_native-0.1.0-py3-none-any.whl');
  writeFileSync(file, 'not a wheel');
  return join(folder, 'wheels');
}

async function failure(wheels: string): Promise<InstallationFailed> {
  const caught: unknown = await install(join(folder, 'storage'), wheels, () => undefined).catch(
    (error: unknown) => error,
  );
  assert.ok(caught instanceof InstallationFailed);
  return caught;
}

test('a build without a wheel says so', async () => {
  assert.equal(wheelIn(join(folder, 'absent')), undefined);
  assert.equal((await failure(join(folder, 'wheels'))).what, 'no wheel');
});

test('without a Python that is new enough nothing is made', async () => {
  const wheels = wheel();
  process.env.PATH = join(folder, 'bin');
  assert.equal((await failure(wheels)).what, 'no python');
  assert.equal(installedPython(join(folder, 'storage')), undefined);
});

test('a wheel that can not be installed leaves the environment before it alone', async () => {
  const wheels = wheel();
  const old = join(folder, 'storage', 'python', 'bin');
  mkdirSync(old, { recursive: true });
  writeFileSync(join(old, 'python'), '#!/bin/sh\n');
  chmodSync(join(old, 'python'), 0o755);
  const failed = await failure(wheels);
  assert.equal(failed.what, 'packages');
  assert.notEqual(failed.said, '');
  assert.equal(installedPython(join(folder, 'storage')), join(old, 'python'));
  assert.ok(!existsSync(join(folder, 'storage', 'python.next')));
});
