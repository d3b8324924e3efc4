/** What is handed on to the server of the diagnostics that other extensions publish. */

export interface Position {
  line: number;
  character: number;
}

/** A diagnostic in the editor's form, as far as it is read here. */
export interface Shown {
  range: { start: Position; end: Position };
  message: string;
  /** 0 error, 1 warning, 2 information, 3 hint: the editor's numbers. */
  severity: number;
  source?: string | undefined;
  code?: string | number | { value: string | number } | undefined;
}

/** The same in the protocol's form. */
export interface Handed {
  range: { start: Position; end: Position };
  message: string;
  severity: number;
  source?: string;
  code?: string | number;
}

/** More of one document are not handed on: nobody reads a thousand hovers. */
export const MOST = 500;
const LONGEST_MESSAGE = 8_000;
const OURS = 'gitmem';

/**
 * Chooses and converts what is handed on: errors first, ours and mere hints never.
 *
 * @param shown everything that the editor shows for a document.
 */
export function handedOn(shown: readonly Shown[]): Handed[] {
  return shown
    .filter((one) => one.source !== OURS && one.severity <= 2)
    .sort((one, other) => one.severity - other.severity)
    .slice(0, MOST)
    .map(handed);
}

function handed(one: Shown): Handed {
  const code = typeof one.code === 'object' ? one.code.value : one.code;
  return {
    range: { start: point(one.range.start), end: point(one.range.end) },
    message: one.message.slice(0, LONGEST_MESSAGE),
    severity: one.severity + 1,
    ...(one.source === undefined ? {} : { source: one.source }),
    ...(code === undefined ? {} : { code }),
  };
}

function point(position: Position): Position {
  return { line: position.line, character: position.character };
}

/**
 * Chooses the problem that is meant at the cursor: what holds it, else the nearest on its line;
 * of several, the worst.
 */
export function meantAt<One extends Shown>(shown: readonly One[], cursor: Position): One | undefined {
  const rank = ({ range: { start, end } }: One): number => {
    if (start.line > cursor.line || end.line < cursor.line) return Infinity;
    const before = start.line === cursor.line ? Math.max(0, start.character - cursor.character) : 0;
    const after = end.line === cursor.line ? Math.max(0, cursor.character - end.character) : 0;
    return before + after;
  };
  return shown
    .filter((one) => one.source !== OURS && rank(one) < Infinity)
    .sort((one, other) => rank(one) - rank(other) || one.severity - other.severity)[0];
}

/** Tells whether two lists say the same, so that nothing needs to be sent. */
export function same(one: readonly Handed[], other: readonly Handed[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
