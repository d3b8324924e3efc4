/** A session from the editor: start, log, end. */

import * as vscode from 'vscode';

import type { Pages } from '../records/pages';
import type { Server } from '../server/server';

export class SessionCommands {
  constructor(
    private readonly server: Server,
    private readonly pages: Pages,
    private readonly changed: () => void,
  ) {}

  async start(): Promise<void> {
    const goal = await ask(vscode.l10n.t('What are you going to do?'), vscode.l10n.t('Start session'));
    if (goal) await this.tell('gitmem.session.start', goal);
  }

  async log(): Promise<void> {
    const event = await ask(vscode.l10n.t('What happened?'), vscode.l10n.t('Log to session'));
    if (event) await this.tell('gitmem.session.log', event);
  }

  async end(): Promise<void> {
    const yes = vscode.l10n.t('It succeeded');
    const no = vscode.l10n.t('It did not succeed');
    const outcome = await vscode.window.showQuickPick([yes, no], {
      title: vscode.l10n.t('End session'),
    });
    if (!outcome) return;
    const summary = await ask(vscode.l10n.t('What did you do?'), vscode.l10n.t('End session'), true);
    if (summary === undefined) return;
    const written = await this.tell('gitmem.session.end', summary, outcome === yes);
    if (written) await this.pages.show(written.id);
  }

  private async tell(command: string, ...given: unknown[]): Promise<{ id: string } | undefined> {
    const answer = await this.server.demand<{ id: string }>(command, ...given);
    this.changed();
    return answer;
  }
}

async function ask(prompt: string, title: string, mayBeEmpty = false): Promise<string | undefined> {
  const typed = await vscode.window.showInputBox({ prompt, title, ignoreFocusOut: true });
  return typed === undefined || (!typed.trim() && !mayBeEmpty) ? undefined : typed.trim();
}
