/** Spans of time, in few letters. */

const MINUTE = 60_000;

/** Says how long ago something was: `5 min`, `2 h 5 min`, `3 d`. */
export function since(then: string, now: number): string {
  const minutes = Math.max(0, Math.floor((now - Date.parse(then)) / MINUTE));
  if (Number.isNaN(minutes)) return '';
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return `${Math.floor(hours / 24)} d`;
  return hours ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
}
