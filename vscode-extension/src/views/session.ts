/** The view *Session*: the piece of work that is going on, and what happened in it. */

import * as vscode from 'vscode';

import { since } from '../core/time';
import type { Live } from '../server/protocol';
import type { Server } from '../server/server';
import { textNode, type Node } from './nodes';
import { Tree } from './tree';

const CALM_MS = 250;
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
  readonly tree: Tree;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly server: Server,
    private readonly told: (live: Live | undefined) => void,
  ) {
    this.tree = new Tree('gitmem.session', (view) => Promise.resolve(this.nodes(view)));
  }

  refresh(): void {
    this.timer ??= setTimeout(() => void this.ask(), CALM_MS);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.tree.dispose();
  }

  private async ask(): Promise<void> {
    this.timer = undefined;
    this.now = (await this.server.ask<Live | null>('gitmem.session')) ?? undefined;
    this.told(this.now);
    void vscode.commands.executeCommand('setContext', 'gitmem.live', this.now !== undefined);
    this.tree.refresh();
  }

  private nodes(view: vscode.TreeView<Node>): Node[] {
    view.description = this.now ? since(this.now.started, Date.now()) : '';
    if (!this.now) return []; // what the view shows then stands in package.json
    const goal = textNode(this.now.goal, 'target');
    goal.item.tooltip = this.now.id;
    return [goal, ...this.now.events.map(eventNode)];
  }
}

function eventNode(event: Live['events'][number]): Node {
  const node = textNode(event.text, ICONS[event.kind] ?? 'circle-small');
  node.item.description = new Date(event.at).toLocaleTimeString(vscode.env.language);
  return node;
}
