/** The server's commands and what they answer: plain data, as docs/language-server.md lists it. */

export type Kind = 'decision' | 'error' | 'fix' | 'pattern' | 'note' | 'session';

/** One record in a list. */
export interface Row {
  id: string;
  kind: Kind;
  title: string;
  status: string;
  created: string;
  author: string;
  /** The record file, as a URI. */
  uri: string;
}

export interface Rows {
  rows: Row[];
  total: number;
}

export interface Count {
  name: string;
  count: number;
}

export interface Overview {
  folder: string;
  kinds: { kind: Kind; count: number; states: Count[] }[];
  tags: Count[];
  problems: number;
  session: Live | null;
}

export interface Live {
  id: string;
  goal: string;
  started: string;
  events: { at: string; kind: string; text: string }[];
}

/** What concerns one file. */
export interface About {
  decisions: Row[];
  errors: Row[];
  fixes: Row[];
}

/** What is known of the lines of one document. */
export interface Marks {
  /** How many of its diagnostics are known. */
  known: number;
  lines: { line: number; text: string; ids: string[] }[];
}

/** A record as a page to read. */
export interface Page {
  id: string;
  kind: Kind;
  title: string;
  uri: string;
  markdown: string;
  /** It holds a patch that can be tried. */
  patch: boolean;
}

export interface Hit extends Row {
  line: string;
}

export interface Refused {
  error: string;
  hint: string;
}

export function isRefused(answer: unknown): answer is Refused {
  return typeof answer === 'object' && answer !== null && 'error' in answer && 'hint' in answer;
}
