/** An environment of our own with the wheel that the extension brings: made whole, or not at all. */

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
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
    readonly what: 'no python' | 'no wheel' | 'environment' | 'packages',
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

/** Gives the wheel in a folder of the extension; undefined if it was built without. */
export function wheelIn(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  const name = readdirSync(folder).find((one) => one.endsWith('.whl'));
  return name && join(folder, name);
}

/**
 * Installs the wheel, beside an older environment, and puts it in its place.
 *
 * @param folder the extension's own storage.
 * @param wheels where the wheel is.
 * @param told is called with what the programs say.
 * @throws InstallationFailed; an older environment is then still there.
 */
export async function install(
  folder: string,
  wheels: string,
  told: (text: string) => void,
  signal?: AbortSignal,
): Promise<void> {
  const wheel = wheelIn(wheels);
  if (!wheel) throw new InstallationFailed('no wheel');
  mkdirSync(folder, { recursive: true });
  const python = await newEnough(folder, signal);
  if (!python) throw new InstallationFailed('no python');
  const next = join(folder, NEXT);
  rmSync(next, { recursive: true, force: true });
  try {
    const made = await runProgram(python, ['-m', 'venv', next], folder, told, signal);
    if (made.code !== 0) throw new InstallationFailed('environment', made.said);
    const pip = ['-m', 'pip', 'install', '--disable-pip-version-check', '--no-input', wheel];
    const installed = await runProgram(pythonIn(next), pip, folder, told, signal);
    if (installed.code !== 0) throw new InstallationFailed('packages', installed.said);
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
