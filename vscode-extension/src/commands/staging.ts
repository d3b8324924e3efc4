/** Proposes to stage the records that belong to what is staged; never stages by itself. */

import * as vscode from 'vscode';

import type { Rows } from '../server/protocol';
import type { Server } from '../server/server';
import { setting } from '../settings';

const CALM_MS = 1_500;

/** What is used here of the interface of the editor's own git extension. */
interface Repository {
  rootUri: vscode.Uri;
  state: {
    indexChanges: { uri: vscode.Uri }[];
    onDidChange: vscode.Event<void>;
  };
  add(paths: string[]): Promise<void>;
}

interface Git {
  getAPI(version: 1): {
    repositories: Repository[];
    onDidOpenRepository: vscode.Event<Repository>;
  };
}

export class Staging implements vscode.Disposable {
  private readonly parts: vscode.Disposable[] = [];
  private readonly proposed = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly server: Server) {
    void this.listen();
  }

  /** Looks now, because the user asked; says so if nothing belongs to what is staged. */
  async now(): Promise<void> {
    const repositories = (await git())?.repositories ?? [];
    this.proposed.clear();
    const found = await Promise.all(repositories.map((one) => this.propose(one)));
    if (!found.some(Boolean)) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t('All records that belong to the staged changes are staged already.'),
      );
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const part of this.parts) part.dispose();
  }

  private async listen(): Promise<void> {
    const api = await git();
    if (!api) return;
    const follow = (repository: Repository): void => {
      this.parts.push(
        repository.state.onDidChange(() => {
          if (!setting('proposeStaging')) return;
          clearTimeout(this.timer);
          this.timer = setTimeout(() => void this.propose(repository), CALM_MS);
        }),
      );
    };
    api.repositories.forEach(follow);
    this.parts.push(api.onDidOpenRepository(follow));
  }

  private async propose(repository: Repository): Promise<boolean> {
    const staged = repository.state.indexChanges.map(({ uri }) => uri.toString());
    if (!staged.length) return false;
    const given = { uri: staged[0], uris: staged };
    const found = await this.server.ask<Rows>('gitmem.belonging', given);
    const rows = found?.rows.filter(({ id }) => !this.proposed.has(id)) ?? [];
    if (!rows.length) return false;
    // Each record is proposed once: who says no is not asked again.
    for (const { id } of rows) this.proposed.add(id);
    const stage = vscode.l10n.t('Stage them too');
    const never = vscode.l10n.t("Don't propose this");
    const names = rows.slice(0, 3).map(({ title }) => title);
    const text = vscode.l10n.t(
      'Not staged yet, but part of this change: {0}',
      names.join(', ') + (rows.length > names.length ? ', …' : ''),
    );
    const chosen = await vscode.window.showInformationMessage(text, stage, never);
    if (chosen === stage) await repository.add(rows.map(({ uri }) => vscode.Uri.parse(uri).fsPath));
    if (chosen === never) {
      const target = vscode.ConfigurationTarget.Global;
      await vscode.workspace.getConfiguration('gitmem').update('proposeStaging', false, target);
    }
    return true;
  }
}

async function git(): Promise<ReturnType<Git['getAPI']> | undefined> {
  const extension = vscode.extensions.getExtension<Git>('vscode.git');
  try {
    return (await extension?.activate())?.getAPI(1);
  } catch {
    return undefined; // git is switched off in this editor
  }
}
