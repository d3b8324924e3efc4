import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';

import { install, installedPython, InstallationFailed, type Release, releaseIn } from '../src/core/installing';

let folder: string;
const path = process.env.PATH;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gitmem-installing-'));
  mkdirSync(join(folder, 'wheels'));
  mkdirSync(join(folder, 'bin'));
});

afterEach(() => {
  process.env.PATH = path;
  delete process.env.PIP_FIND_LINKS;
  delete process.env.PIP_NO_INDEX;
  rmSync(folder, { recursive: true });
});

const WHEEL = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w") as wheel:
    about = "gitmem_native-0.1.0.dist-info"
    wheel.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\\nName: gitmem-native\\nVersion: 0.1.0\\n" + sys.argv[2])
    wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    wheel.writestr(f"{about}/RECORD", "")
`;

/** A wheel in the only folder where pip looks. */
function release(metadata = ''): Release {
  const file = join(folder, 'wheels', 'gitmem_native-0.1.0-py3-none-any.whl');
  execFileSync('python3', ['-c', WHEEL, file, metadata]);
  process.env.PIP_FIND_LINKS = join(folder, 'wheels');
  process.env.PIP_NO_INDEX = '1';
  const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
  return { requirement: 'gitmem-native==0.1.0', sha256 };
}

async function failure(wanted: Release | undefined): Promise<InstallationFailed> {
  const caught: unknown = await install(join(folder, 'storage'), wanted, () => undefined).catch(
    (error: unknown) => error,
  );
  assert.ok(caught instanceof InstallationFailed);
  return caught;
}

test('a build that knows of no release says so', async () => {
  assert.equal(releaseIn(join(folder, 'absent')), undefined);
  assert.equal((await failure(undefined)).what, 'no release');
});

test('another package of the same name and version is not installed', async () => {
  const failed = await failure({ ...release(), sha256: '0'.repeat(64) });
  assert.equal(failed.what, 'another release', failed.said);
  assert.equal(installedPython(join(folder, 'storage')), undefined);
});

test('without a Python that is new enough nothing is made', async () => {
  const wanted = release();
  process.env.PATH = join(folder, 'bin');
  assert.equal((await failure(wanted)).what, 'no python');
  assert.equal(installedPython(join(folder, 'storage')), undefined);
});

test('the release is installed, and nothing is left beside it', async () => {
  const storage = join(folder, 'storage');
  await install(storage, release(), () => undefined);
  assert.equal(installedPython(storage), join(storage, 'python', 'bin', 'python'));
  assert.deepEqual(readdirSync(storage), ['python']);
  assert.ok(!existsSync(join(storage, 'python', 'wheels')));
});

test('a release that can not be installed leaves the environment before it alone', async () => {
  const wanted = release('Requires-Dist: gitmem-nowhere-to-be-had\n');
  const old = join(folder, 'storage', 'python', 'bin');
  mkdirSync(old, { recursive: true });
  writeFileSync(join(old, 'python'), '#!/bin/sh\n');
  chmodSync(join(old, 'python'), 0o755);
  const failed = await failure(wanted);
  assert.equal(failed.what, 'packages');
  assert.notEqual(failed.said, '');
  assert.equal(installedPython(join(folder, 'storage')), join(old, 'python'));
  assert.ok(!existsSync(join(folder, 'storage', 'python.next')));
});
