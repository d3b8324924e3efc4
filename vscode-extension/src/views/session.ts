/** The view *Session*: the piece of work that is going on, and what happened in it. */

import * as vscode from 'vscode';

import { since } from '../core/time';
import type { Live } from '../server/protocol';
import type { Server } from '../server/server';
import { textNode, type Node } from './nodes';
import { Tree } from './tree';

const CALM_MS = 250;
const MINUTE_MS = 60_000;
const ICONS: Record<string, string> = {
  note: 'note',
  run: 'terminal',
  error: 'error',
  fix: 'wrench',
  decision: 'law',
};

/** Knows the live session, and asks again when the memory changed. */
export class LiveSession implements vscode.Disposable {
  now: Live | undefined;
  private readonly tree = new SessionTree(() => this.now);
  private timer: NodeJS.Timeout | undefined;
  private readonly parts: vscode.Disposable[];
  private readonly minutes: NodeJS.Timeout;

  constructor(
    private readonly server: Server,
    private readonly told: (live: Live | undefined) => void,
  ) {
    // Sessions also start and end in terminals and other windows; the memory's files say nothing
    // of it before the end.
    const ask = (): void => {
      this.refresh();
    };
    this.parts = [
      vscode.window.onDidEndTerminalShellExecution(ask),
      vscode.window.onDidChangeWindowState(ask),
    ];
    this.minutes = setInterval(ask, MINUTE_MS);
  }

  refresh(): void {
    this.timer ??= setTimeout(() => void this.ask(), CALM_MS);
  }

  dispose(): void {
    clearTimeout(this.timer);
    clearInterval(this.minutes);
    for (const part of this.parts) part.dispose();
    this.tree.dispose();
  }

  private async ask(): Promise<void> {
    this.timer = undefined;
    this.now = (await this.server.ask<Live | null>('gitmem.session')) ?? undefined;
    this.told(this.now);
    void vscode.commands.executeCommand('setContext', 'gitmem.live', this.now !== undefined);
    this.tree.refresh();
  }
}

class SessionTree extends Tree {
  constructor(private readonly live: () => Live | undefined) {
    super('gitmem.session');
  }

  protected roots(): Promise<Node[]> {
    const now = this.live();
    this.view.description = now ? since(now.started, Date.now()) : '';
    if (!now) return Promise.resolve([]); // what the view shows then stands in package.json
    const goal = textNode(now.goal, 'target');
    goal.item.tooltip = now.id;
    return Promise.resolve([goal, ...now.events.map(eventNode)]);
  }
}

function eventNode(event: Live['events'][number]): Node {
  const node = textNode(event.text, ICONS[event.kind] ?? 'circle-small');
  node.item.description = new Date(event.at).toLocaleTimeString(vscode.env.language);
  return node;
}
