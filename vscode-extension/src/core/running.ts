/** Runs a program to its end, without a shell. */

import { spawn } from 'node:child_process';

export interface Ended {
  code: number | null;
  /** What it said, both streams as they came. */
  said: string;
}

/**
 * Runs a program.
 *
 * @param told is called with what it says while it runs.
 * @param signal ends it.
 */
export function runProgram(
  command: string,
  given: readonly string[],
  folder: string,
  told: (text: string) => void,
  signal?: AbortSignal,
): Promise<Ended> {
  return new Promise((resolve) => {
    let said = '';
    const child = spawn(command, given, {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
      ...(signal ? { signal } : {}),
    });
    const take = (text: string): void => {
      said += text;
      told(text);
    };
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', take);
    }
    child.on('error', (error) => {
      resolve({ code: null, said: `${said}${error.message}\n` });
    });
    child.on('close', (code) => {
      resolve({ code, said });
    });
  });
}
