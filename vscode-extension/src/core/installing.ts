/** An environment of our own with the gitmem that the extension was built with: made whole, or not at all. */

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { runProgram } from './running';

const ENVIRONMENT = 'python';
const NEXT = 'python.next';
/** Pythons that an environment is made with, the first that can. */
export const PYTHONS = ['python3', 'python3.13', 'python3.12', 'python3.11', 'python'];
const NEW_ENOUGH = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))';

/** What went wrong: for the user, and in the log. */
export class InstallationFailed extends Error {
  constructor(
    readonly what: 'no python' | 'no release' | 'environment' | 'packages' | 'another release',
    readonly said = '',
  ) {
    super(what);
  }
}

/** Gives the environment's Python; undefined if there is none. */
export function installedPython(folder: string): string | undefined {
  const python = pythonIn(join(folder, ENVIRONMENT));
  return existsSync(python) ? python : undefined;
}

function pythonIn(environment: string): string {
  return process.platform === 'win32'
    ? join(environment, 'Scripts', 'python.exe')
    : join(environment, 'bin', 'python');
}

/** The gitmem that the extension was built with. */
export interface Release {
  /** A requirement that only this version meets. */
  requirement: string;
  /** Of its wheel: whoever else offers a package of this name is not believed. */
  sha256: string;
}

/** Reads which gitmem belongs to the extension; undefined if it was built without one. */
export function releaseIn(file: string): Release | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Release) : undefined;
}

/**
 * Downloads and installs a release, beside an older environment, and puts it in its place.
 *
 * pip looks where the user told it to: in the package index, or wherever its settings say.
 *
 * @param folder the extension's own storage.
 * @param told is called with what the programs say.
 * @throws InstallationFailed; an older environment is then still there.
 */
export async function install(
  folder: string,
  release: Release | undefined,
  told: (text: string) => void,
  signal?: AbortSignal,
): Promise<void> {
  if (!release) throw new InstallationFailed('no release');
  mkdirSync(folder, { recursive: true });
  const python = await newEnough(folder, signal);
  if (!python) throw new InstallationFailed('no python');
  const next = join(folder, NEXT);
  rmSync(next, { recursive: true, force: true });
  const pip = async (...given: string[]): Promise<void> => {
    const quiet = ['-m', 'pip', '--disable-pip-version-check', '--no-input'];
    const ended = await runProgram(pythonIn(next), [...quiet, ...given], folder, told, signal);
    if (ended.code !== 0) throw new InstallationFailed('packages', ended.said);
  };
  try {
    const made = await runProgram(python, ['-m', 'venv', next], folder, told, signal);
    if (made.code !== 0) throw new InstallationFailed('environment', made.said);
    const wheels = join(next, 'wheels');
    await pip('download', '--no-deps', '--only-binary', ':all:', '--dest', wheels, release.requirement);
    const wheel = join(wheels, readdirSync(wheels)[0] ?? '');
    const sha256 = createHash('sha256').update(readFileSync(wheel)).digest('hex');
    if (sha256 !== release.sha256) throw new InstallationFailed('another release', `${wheel}: ${sha256}\n`);
    await pip('install', wheel);
    rmSync(wheels, { recursive: true });
    rmSync(join(folder, ENVIRONMENT), { recursive: true, force: true });
    renameSync(next, join(folder, ENVIRONMENT));
  } finally {
    rmSync(next, { recursive: true, force: true });
  }
}

async function newEnough(folder: string, signal?: AbortSignal): Promise<string | undefined> {
  for (const python of PYTHONS) {
    const asked = await runProgram(python, ['-c', NEW_ENOUGH], folder, () => undefined, signal);
    if (asked.code === 0) return python;
  }
  return undefined;
}
