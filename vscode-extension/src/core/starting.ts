/** Finds a command that starts the server: which ones are tried, and what each one answered. */

import { execFile } from 'node:child_process';

/** A way to start gitmem, and where it comes from. */
export interface Candidate {
  from: 'setting' | 'python extension' | 'path' | 'installed by the extension';
  command: string;
  /** What stands before gitmem's own arguments: `-m gitmem` for a Python. */
  before: string[];
}

export interface Found extends Candidate {
  version: string;
}

export interface Known {
  /** The path in the setting; empty if there is none. */
  setting: string;
  /** The interpreter that the Python extension has chosen. */
  interpreter?: string | undefined;
  /** The Python of the environment in the extension's own storage. */
  installed?: string | undefined;
}

const PYTHON = /(^|[\\/])(pypy|python)[\d.]*(\.exe)?$/i;
const PROBE_MS = 15_000;

/** Gives what is tried, the most specific first. Only a setting stands alone. */
export function candidates(known: Known): Candidate[] {
  if (known.setting) return [started('setting', known.setting)];
  const found: Candidate[] = [];
  if (known.interpreter) found.push(started('python extension', known.interpreter));
  for (const command of ['gitmem', 'python3', 'python']) found.push(started('path', command));
  if (known.installed) found.push(started('installed by the extension', known.installed));
  return found;
}

function started(from: Candidate['from'], command: string): Candidate {
  return { from, command, before: PYTHON.test(command) ? ['-m', 'gitmem'] : [] };
}

/** What a candidate answered: a version, or why it can't be used. */
export type Answer = { version: string } | { reason: string };

/**
 * Asks a candidate for its version.
 *
 * @param folder where it runs: a Python takes modules from there, so never the workspace.
 */
export function probe(candidate: Candidate, folder: string): Promise<Answer> {
  const { command, before } = candidate;
  return new Promise((resolve) => {
    const options = { cwd: folder, timeout: PROBE_MS, windowsHide: true };
    execFile(command, [...before, '--version'], options, (error, out, told) => {
      const version = /gitmem[^\d]*(\d+\.\d+\S*)/.exec(out)?.[1];
      if (version && !error) resolve({ version });
      else resolve({ reason: why(error, told) });
    });
  });
}

function why(error: Error | null, told: string): string {
  if (error && 'code' in error && error.code === 'ENOENT') return 'there is no such program';
  if (/No module named '?gitmem/.test(told)) return 'gitmem is not installed there';
  const last = told.trim().split('\n').at(-1);
  return last?.trim() ?? error?.message ?? 'it gave no version';
}

/** Tells whether a version is at least another one; what follows the numbers does not count. */
export function atLeast(version: string, least: string): boolean {
  const [mine, wanted] = [numbers(version), numbers(least)];
  for (let at = 0; at < wanted.length; at += 1) {
    const difference = (mine[at] ?? 0) - (wanted[at] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

function numbers(version: string): number[] {
  return (/^\d+(\.\d+)*/.exec(version)?.[0] ?? '0').split('.').map(Number);
}

export interface Search {
  found?: Found;
  /** What failed, and why, for the log. */
  tried: string[];
}

/** Asks one candidate after the other until one can be used. */
export async function findServer(known: Known, least: string, folder: string): Promise<Search> {
  const tried: string[] = [];
  for (const candidate of candidates(known)) {
    const answer = await probe(candidate, folder);
    const name = [candidate.command, ...candidate.before].join(' ');
    if ('reason' in answer) tried.push(`${name} (${candidate.from}): ${answer.reason}`);
    else if (atLeast(answer.version, least)) return { found: { ...candidate, ...answer }, tried };
    else tried.push(`${name} (${candidate.from}): version ${answer.version}, ${least} is needed`);
  }
  return { tried };
}
