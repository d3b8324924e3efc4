/** Names of files. */

/** Gives the last part of a path, of either kind of system. */
export function leaf(path: string): string {
  return path.replace(/[\\/]+$/, '').split(/[\\/]/).at(-1) ?? '';
}

const WAITING = ['regressed', 'open'];

/** Gives the states of errors that wait for somebody, what came back first; none that are empty. */
export function waiting<State extends { name: string; count: number }>(states: readonly State[]): State[] {
  return WAITING.flatMap((name) => states.filter((one) => one.name === name && one.count > 0));
}
