/** Looks for a memory around a folder, before anything is started. */

import { access, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const MARK = join('.memory', 'gitmem.yaml');
const MOST_FOLDERS = 200;

async function isThere(folder: string): Promise<boolean> {
  return access(join(folder, MARK)).then(() => true, () => false);
}

/** Tells whether a folder, one above it or one right below it has a memory. */
export async function memoryNear(folder: string): Promise<boolean> {
  for (let here = folder; ; here = dirname(here)) {
    if (await isThere(here)) return true;
    if (dirname(here) === here) break;
  }
  const below = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const folders = below.filter((one) => one.isDirectory()).slice(0, MOST_FOLDERS);
  const found = await Promise.all(folders.map(({ name }) => isThere(join(folder, name))));
  return found.includes(true);
}
