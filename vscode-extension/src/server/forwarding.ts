/** Hands the diagnostics of every other extension on to the server, calmly. */

import * as vscode from 'vscode';

import { handedOn, same, type Handed } from '../core/diagnostics';

export const DEBOUNCE_MS = 150;
/** What code stands in: files, texts that are in none yet, cells of notebooks. */
export const SCHEMES = ['file', 'untitled', 'vscode-notebook-cell'];

/** Says what a document's diagnostics are now. */
export type Send = (document: vscode.TextDocument, diagnostics: Handed[]) => Promise<void>;

export class Forwarding implements vscode.Disposable {
  private readonly sent = new Map<string, Handed[]>();
  private readonly waiting = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  private readonly parts: vscode.Disposable[] = [];

  private readonly sources = new Set<string>();

  /** @param newSource is called when a tool reports something for the first time. */
  constructor(
    private readonly newSource: () => void,
    private readonly send: Send,
  ) {
    this.parts.push(
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        this.wait(uris.map(String));
      }),
      vscode.window.onDidChangeVisibleTextEditors(() => {
        this.everything();
      }),
      vscode.workspace.onDidCloseTextDocument((document) => {
        this.sent.delete(document.uri.toString());
      }),
    );
  }

  /** Hands on all there is: the server is new, or other documents are to be seen. */
  everything(anew = false): void {
    if (anew) this.sent.clear();
    this.wait(visible().map(({ uri }) => uri.toString()));
  }

  /**
   * Hands on at once what is new about a document: somebody asks about it.
   *
   * @returns undefined if nothing is new. Then nobody waits: a wait for nothing lets all other
   *   extensions' work go first, which takes 3 to 20 ms.
   */
  flush(document: vscode.TextDocument): Promise<void> | undefined {
    this.waiting.delete(document.uri.toString());
    return this.hand(document);
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const part of this.parts) part.dispose();
  }

  private wait(uris: string[]): void {
    for (const uri of uris) this.waiting.add(uri);
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      const due = visible().filter(({ uri }) => this.waiting.has(uri.toString()));
      this.waiting.clear();
      for (const document of due) void this.hand(document);
    }, DEBOUNCE_MS);
  }

  private hand(document: vscode.TextDocument): Promise<void> | undefined {
    const uri = document.uri.toString();
    const now = handedOn(vscode.languages.getDiagnostics(document.uri).map(plain));
    if (same(now, this.sent.get(uri) ?? [])) return undefined;
    this.sent.set(uri, now);
    const before = this.sources.size;
    for (const { source } of now) this.sources.add(`${document.languageId} ${source ?? ''}`);
    if (this.sources.size > before) this.newSource();
    return this.send(document, now);
  }
}

/** The editor's own type says that a target stands beside a code; nobody reads it here. */
function plain(one: vscode.Diagnostic): Parameters<typeof handedOn>[0][number] {
  return {
    range: one.range,
    message: one.message,
    severity: one.severity,
    source: one.source,
    code: one.code,
  };
}

function visible(): vscode.TextDocument[] {
  const documents = vscode.window.visibleTextEditors.map(({ document }) => document);
  return [...new Set(documents)].filter(({ uri }) => SCHEMES.includes(uri.scheme));
}
