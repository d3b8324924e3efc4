// A machine without gitmem: a path with what the editor needs, and Pythons that have no gitmem.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const PROGRAMS = ['git', 'bash', 'sh', 'cat', 'ls', 'env', 'uname', 'grep', 'ps', 'python3', 'node'];

/** @param run an empty folder that is ours. */
export function pathWithout(run) {
  const folder = join(run, 'bin');
  mkdirSync(folder);
  for (const program of PROGRAMS) {
    const found = which(program);
    if (found) symlinkSync(found, join(folder, program));
  }
  return folder;
}

function which(program) {
  try {
    // What stands in an environment may have gitmem: the machine's own does not.
    const path = '/usr/local/bin:/usr/bin:/bin';
    return execFileSync('sh', ['-c', `command -v ${program}`], { env: { PATH: path }, encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}
