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
  /** It is a fix that holds a patch. */
  patch: boolean;
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
  /** How many records there are. */
  total: number;
  kinds: { kind: Kind; count: number; states: Count[] }[];
  tags: Count[];
  problems: number;
  session: Live | null;
  /** Only where it was asked for, with `details`. */
  attention?: Attention;
}

/** What deserves a look, at most ten of each. */
export interface Attention {
  /** Open ones, the most often seen first; `first` is when it was seen first. */
  errors: (Row & { seen: number; first: string })[];
  /** The newest fixes, each with the errors that it was tried on. */
  worked: (Row & { errors: Row[] })[];
  failed: (Row & { errors: Row[] })[];
  decisions: Row[];
  /** What was learnt here and waits to be kept or dropped. */
  drafts: { id: string; title: string }[];
}

/** A record that a branch adds or changes. */
export interface ChangedRow extends Row {
  gist: string;
  /** Its file is not in the last commit as it is now. */
  uncommitted: boolean;
}

/** What a branch does to the memory. */
export interface Branch {
  /** Empty where none is checked out. */
  branch: string;
  /** The default branch, which it is compared with; empty if there is none. */
  base: string;
  rows: ChangedRow[];
  total: number;
  changed: ChangedRow[];
  /** Paths of record files that are gone, relative to the memory's folder. */
  removed: string[];
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
  /** How many are like past ones, or are known to a pack. */
  similar: number;
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
  /** It says how somebody would ask for it, or can't. */
  asked: boolean;
  /** Somebody may say whether it helped: it is not new. */
  judged: boolean;
}

/** What is known of the failures in a text. */
export interface Telling {
  markdown: string;
  /** How many of them are known. */
  known: number;
  failures: number;
}

/** What is known of the failures of the run observed last. */
export interface LastRun {
  /** As a shell takes it. */
  command: string;
  at: string;
  exit_code: number;
  markdown: string;
}

/** What became of a text that was recorded. */
export interface Recorded {
  ids: string[];
  /** Records that stood for what is in it already; nothing was written for these. */
  known: string[];
}

export interface Initialised {
  folder: string;
  /** Files that were made; none: it was a memory already. */
  created: string[];
  notices: string[];
}

/** A record that a search found; its place is a path in the memory's folder. */
export interface Hit extends Omit<Row, 'uri' | 'patch'> {
  path: string;
  score: number;
  label: string;
}

export interface Refused {
  error: string;
  hint: string;
  /** Where the file that was named belongs to no memory. */
  lacks?: 'memory';
}

export function isRefused(answer: unknown): answer is Refused {
  return typeof answer === 'object' && answer !== null && 'error' in answer && 'hint' in answer;
}
