/** The status bar: the live session with its duration, and how many errors of this file are known or similar. */

import * as vscode from 'vscode';

import { since } from '../core/time';
import type { Live, Marks } from '../server/protocol';
import type { Server } from '../server/server';
import { setting } from '../settings';

const LONGEST_GOAL = 24;

function shortened(text: string): string {
  return text.length <= LONGEST_GOAL ? text : `${text.slice(0, LONGEST_GOAL - 1)}…`;
}

export class StatusBar implements vscode.Disposable {
  private readonly item: vscode.StatusBarItem;
  private live: Live | undefined;
  private known = 0;
  private similar = 0;
  private missing = '';
  private idle = true;

  constructor(private readonly server: Server) {
    this.item = vscode.window.createStatusBarItem('gitmem', vscode.StatusBarAlignment.Left, -10);
    this.item.name = 'gitmem';
    this.draw();
  }

  /** The session that is live now; undefined if none is. It is told every minute. */
  set session(live: Live | undefined) {
    this.live = live;
    this.draw();
  }

  /** What is known of the document in focus. */
  set marks(marks: Marks | undefined) {
    this.known = marks?.known ?? 0;
    this.similar = marks?.similar ?? 0;
    this.draw();
  }

  /** Something was started: until then, nothing is shown. */
  begin(): void {
    this.idle = false;
    this.draw();
  }

  /** Why the server is not there; empty if it is. */
  set problem(text: string) {
    this.missing = text;
    this.draw();
  }

  /** There is no gitmem to start. */
  get isMissing(): boolean {
    return this.missing !== '';
  }

  draw(): void {
    if (!setting('statusBar') || this.idle) {
      this.item.hide();
      return;
    }
    const { text, tooltip, command } = this.missing
      ? { text: '$(warning) gitmem', tooltip: this.missing, command: 'gitmem.restart' }
      : this.usual();
    Object.assign(this.item, { text, tooltip: this.card(tooltip), command });
    this.item.accessibilityInformation = { label: `gitmem: ${tooltip}`, role: 'button' };
    this.item.show();
  }

  /** What is known, and below it what can be done. */
  private card(told: string): vscode.MarkdownString {
    const commands = this.missing
      ? [[vscode.l10n.t('Install gitmem'), 'gitmem.installServer']]
      : [
          [vscode.l10n.t('Search the memory'), 'gitmem.searchMemory'],
          [vscode.l10n.t('Open dashboard'), 'gitmem.openDashboard'],
          this.live
            ? [vscode.l10n.t('End session'), 'gitmem.endSession']
            : [vscode.l10n.t('Start session'), 'gitmem.startSession'],
        ];
    const all = [...commands, [vscode.l10n.t('Show log'), 'gitmem.showLog']];
    const card = new vscode.MarkdownString();
    card.isTrusted = { enabledCommands: all.map(([, command = '']) => command) };
    // A session's goal is text, whatever is in it; lines stay lines.
    for (const line of told.split('\n')) card.appendText(line).appendMarkdown('\n\n');
    return card.appendMarkdown(all.map(([title, command]) => `[${title}](command:${command})`).join(' · '));
  }

  private usual(): { text: string; tooltip: string; command: string } {
    if (!this.server.running) {
      const tooltip = vscode.l10n.t('gitmem is starting');
      return { text: '$(sync~spin) gitmem', tooltip, command: 'gitmem.showLog' };
    }
    const parts = ['$(book) gitmem'];
    const told = [];
    if (this.live) {
      const goal = shortened(this.live.goal);
      const lasted = since(this.live.started, Date.now());
      parts.push(`$(record) ${goal} ${lasted}`);
      told.push(vscode.l10n.t('session: {0}, {1}', this.live.goal, lasted));
    }
    if (this.known) {
      parts.push(vscode.l10n.t('{0} known', this.known));
      told.push(
        this.known === 1
          ? vscode.l10n.t('1 error of this file is known')
          : vscode.l10n.t('{0} errors of this file are known', this.known),
      );
    }
    if (this.similar) {
      parts.push(vscode.l10n.t('{0} similar', this.similar));
      told.push(
        this.similar === 1
          ? vscode.l10n.t('1 error of this file is like a past one')
          : vscode.l10n.t('{0} errors of this file are like past ones', this.similar),
      );
    }
    const tooltip = told.join('\n') || vscode.l10n.t('No error of this file is known.');
    return { text: parts.join('  '), tooltip, command: this.command() };
  }

  private command(): string {
    return this.known || this.similar ? 'editor.action.marker.next' : 'gitmem.searchMemory';
  }

  dispose(): void {
    this.item.dispose();
  }
}
