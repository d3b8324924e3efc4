/** gitmem in the extension's own storage, put there when the user says so. */

import * as vscode from 'vscode';

import { install, installedPython, InstallationFailed, releaseIn } from '../core/installing';

export class Installation {
  readonly folder: string;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.folder = context.globalStorageUri.fsPath;
  }

  /** Gives the Python that gitmem was installed for; undefined if it was not. */
  async python(): Promise<string | undefined> {
    // Programs are started in this folder: it must be there.
    await vscode.workspace.fs.createDirectory(this.context.globalStorageUri);
    return installedPython(this.folder);
  }

  /** Installs gitmem and shows how it goes; tells whether it is there now. */
  async install(): Promise<boolean> {
    const release = releaseIn(vscode.Uri.joinPath(this.context.extensionUri, 'dist', 'release.json').fsPath);
    const title = vscode.l10n.t('Installing gitmem');
    const location = vscode.ProgressLocation.Notification;
    return vscode.window.withProgress({ location, title, cancellable: true }, async (_, token) => {
      const stop = new AbortController();
      token.onCancellationRequested(() => {
        stop.abort();
      });
      const told = (text: string): void => {
        this.log.info(text.trimEnd());
      };
      try {
        await install(this.folder, release, told, stop.signal);
        return true;
      } catch (error) {
        if (!token.isCancellationRequested) void this.tell(error);
        return false;
      }
    });
  }

  private async tell(error: unknown): Promise<void> {
    this.log.error(error instanceof InstallationFailed ? `${error.what}: ${error.said}` : String(error));
    const show = vscode.l10n.t('Show log');
    if ((await vscode.window.showErrorMessage(reason(error), show)) === show) this.log.show();
  }
}

function reason(error: unknown): string {
  switch (error instanceof InstallationFailed ? error.what : '') {
    case 'no python':
      return vscode.l10n.t('gitmem needs Python 3.11 or later with its venv module (on Debian: python3-venv). None was found.');
    case 'no release':
      return vscode.l10n.t('This build of the extension does not say which gitmem belongs to it. Install gitmem yourself, and choose its Python in the setting gitmem.python.');
    case 'packages':
      return vscode.l10n.t('gitmem could not be installed: pip could not download it, or what it needs.');
    case 'another release':
      return vscode.l10n.t('gitmem was not installed: what pip downloaded is not the gitmem that this extension was built with.');
    default:
      return vscode.l10n.t('gitmem could not be installed.');
  }
}
