/** The settings, by name; their defaults stand in package.json and nowhere else. */

import * as vscode from 'vscode';

export const SECTION = 'gitmem';

export interface Settings {
  python: string;
  codeLens: boolean;
  inlayHints: boolean;
  gutter: boolean;
  statusBar: boolean;
  proposeStaging: boolean;
  captureTerminal: boolean;
}

/** Gives a setting as it is in force, for a folder if it is one of a folder. */
export function setting<Name extends keyof Settings>(
  name: Name,
  scope?: vscode.Uri,
): Settings[Name] {
  const value = vscode.workspace.getConfiguration(SECTION, scope).get<Settings[Name]>(name);
  if (value === undefined) throw new Error(`package.json gives no default for ${name}`);
  return value;
}
