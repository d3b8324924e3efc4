/** In which state gitmem is here: what the views say while they show nothing, and which commands there are. */

import * as vscode from 'vscode';

import { isRefused, type Overview } from '../server/protocol';
import type { Server } from '../server/server';

/** As conditions in package.json name it. */
export type State = 'none' | 'starting' | 'missing' | 'empty' | 'ready';

const CALM_MS = 150;
// A server that is running but did not answer is asked again: nothing else need happen for a while.
const AGAIN_MS = 1000;

export class StateOfMemory implements vscode.Disposable {
  private timer: NodeJS.Timeout | undefined;
  private turn = 0;
  private readonly parts: vscode.Disposable[];

  /**
   * @param idle tells whether nothing was started: there is no memory here.
   * @param missing tells whether there is no gitmem to start.
   */
  constructor(
    private readonly server: Server,
    private readonly idle: () => boolean,
    private readonly missing: () => boolean,
  ) {
    const ask = (): void => {
      this.soon();
    };
    this.parts = [
      server.onChange(ask),
      server.onRunning(ask),
      vscode.window.onDidChangeActiveTextEditor(ask),
      vscode.workspace.onDidChangeWorkspaceFolders(ask),
    ];
  }

  /** Looks again, once for many reasons. */
  soon(after = CALM_MS): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.look();
    }, after);
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const part of this.parts) part.dispose();
  }

  private async look(): Promise<void> {
    const mine = ++this.turn;
    const state = await this.now();
    if (mine !== this.turn) return;
    const active = state === 'empty' || state === 'ready';
    void vscode.commands.executeCommand('setContext', 'gitmem.state', state);
    void vscode.commands.executeCommand('setContext', 'gitmem.active', active);
    if (state === 'starting' && this.server.running) this.soon(AGAIN_MS);
  }

  private async now(): Promise<State> {
    if (this.missing()) return 'missing';
    if (this.idle()) return 'none';
    if (!this.server.running) return 'starting';
    const overview = await this.server.look<Overview>('gitmem.overview');
    if (overview === undefined) return 'starting';
    if (isRefused(overview)) return 'none';
    return overview.total ? 'ready' : 'empty';
  }
}
