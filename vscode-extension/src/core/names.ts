/** Names of files. */

/** Gives the last part of a path, of either kind of system. */
export function leaf(path: string): string {
  return path.replace(/[\\/]+$/, '').split(/[\\/]/).at(-1) ?? '';
}
