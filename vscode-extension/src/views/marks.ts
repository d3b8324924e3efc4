/** Asks what is known of the document in focus, when it, its diagnostics or the memory changed. */

import * as vscode from 'vscode';

import type { Marks } from '../server/protocol';
import type { Server } from '../server/server';

const CALM_MS = 300;

export type Told = (editor: vscode.TextEditor | undefined, marks: Marks | undefined) => void;

export class MarksOfFocus implements vscode.Disposable {
  private timer: NodeJS.Timeout | undefined;
  private asked = 0;
  private readonly parts: vscode.Disposable[];

  constructor(
    private readonly server: Server,
    private readonly told: Told,
  ) {
    const ask = (): void => {
      this.soon();
    };
    this.parts = [
      vscode.window.onDidChangeActiveTextEditor(ask),
      server.onChange(ask),
      server.onHanded(ask),
      server.onRunning(ask),
    ];
    ask();
  }

  soon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.ask(), CALM_MS);
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const part of this.parts) part.dispose();
  }

  private async ask(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const mine = ++this.asked;
    const uri = editor?.document.uri;
    const marks =
      uri?.scheme === 'file'
        ? await this.server.ask<Marks>('gitmem.marks', { uri: uri.toString() })
        : undefined;
    if (mine === this.asked) this.told(editor, marks);
  }
}
