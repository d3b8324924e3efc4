/** Looks for a gitmem to start, and where there is none says so, with the one button that mends it. */

import * as vscode from 'vscode';

import { findServer, type Known, type Search } from '../core/starting';
import { setting } from '../settings';
import { Installation } from './installation';

const PYTHON_EXTENSION = 'ms-python.python';

/** What is read here of the Python extension's interface. */
interface PythonApi {
  environments: {
    getActiveEnvironmentPath(scope?: vscode.Uri): { path: string };
    resolveEnvironment(
      environment: unknown,
    ): Promise<{ executable: { uri?: vscode.Uri | undefined } } | undefined>;
  };
}

export class Finding {
  constructor(
    private readonly installation: Installation,
    private readonly least: string,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  /** Looks everywhere; what failed is in the log. */
  async search(): Promise<Search> {
    const found = await findServer(await this.known(), this.least, this.installation.folder);
    for (const reason of found.tried) this.log.info(`not used: ${reason}`);
    return found;
  }

  /** Says what is missing, and mends it if the user wants that; tells whether it did. */
  async mend(tried: readonly string[]): Promise<boolean> {
    if (setting('python')) return this.mendSetting(tried);
    const install = vscode.l10n.t('Install gitmem');
    const text = vscode.l10n.t(
      'gitmem is not installed on this machine. pip can install it for this extension alone, from the Python package index.',
    );
    const chosen = await vscode.window.showWarningMessage(text, install);
    return chosen === install && this.installation.install();
  }

  private async mendSetting(tried: readonly string[]): Promise<boolean> {
    const open = vscode.l10n.t('Open setting');
    const text = vscode.l10n.t('The program in the setting gitmem.python does not start: {0}', tried.at(-1) ?? '');
    if ((await vscode.window.showWarningMessage(text, open)) === open) {
      await vscode.commands.executeCommand('workbench.action.openSettings', 'gitmem.python');
    }
    return false; // a change of the setting is noticed by itself
  }

  private async known(): Promise<Known> {
    return {
      setting: setting('python').trim(),
      // In a folder that is not trusted, an interpreter may be a program that lies in it.
      interpreter: vscode.workspace.isTrusted ? await this.interpreter() : undefined,
      installed: await this.installation.python(),
    };
  }

  private async interpreter(): Promise<string | undefined> {
    const extension = vscode.extensions.getExtension<PythonApi>(PYTHON_EXTENSION);
    if (!extension) return undefined;
    try {
      const { environments } = await extension.activate();
      const scope = vscode.workspace.workspaceFolders?.[0]?.uri;
      const path = environments.getActiveEnvironmentPath(scope);
      return (await environments.resolveEnvironment(path))?.executable.uri?.fsPath;
    } catch (error) {
      this.log.warn(`the Python extension gave no interpreter: ${String(error)}`);
      return undefined;
    }
  }
}
