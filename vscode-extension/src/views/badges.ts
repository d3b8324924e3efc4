/** Letters beside record files in the Explorer, which say of what kind a record is. */

import * as vscode from 'vscode';

const LETTERS: Record<string, string> = {
  decisions: 'D',
  errors: 'E',
  fixes: 'F',
  patterns: 'P',
  notes: 'N',
  sessions: 'S',
};
const RECORD = /\/\.memory\/([a-z]+)\/.*\.yaml$/;

export class Badges implements vscode.FileDecorationProvider {
  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    const folder = RECORD.exec(uri.path)?.[1];
    const badge = folder === undefined ? undefined : LETTERS[folder];
    return badge && folder ? new vscode.FileDecoration(badge, `gitmem: ${folder}`) : undefined;
  }
}
