/** Decides whether a server that died is started again, and when. */

const FIRST_MS = 500;
const LONGEST_MS = 30_000;
const MOST_DEATHS = 6;
const FORGOTTEN_AFTER_MS = 10 * 60_000;

export class BackOff {
  private deaths: number[] = [];

  /**
   * Takes note of a death.
   *
   * @param now milliseconds, from any fixed point.
   * @returns milliseconds to wait before the next start; undefined: it died too often.
   */
  died(now: number): number | undefined {
    this.deaths = [...this.deaths.filter((then) => now - then < FORGOTTEN_AFTER_MS), now];
    if (this.deaths.length > MOST_DEATHS) return undefined;
    return Math.min(FIRST_MS * 2 ** (this.deaths.length - 1), LONGEST_MS);
  }

  /** Forgets all deaths: somebody asked for a new start. */
  reset(): void {
    this.deaths = [];
  }
}
