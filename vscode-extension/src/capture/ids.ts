/** Ids of records in a terminal open the record. */

import * as vscode from 'vscode';

const ID = /\b(?:dec|err|fix|note|pat|ses)-[0-9a-z]{10}\b/g;

class IdLink extends vscode.TerminalLink {
  constructor(
    readonly id: string,
    start: number,
  ) {
    super(start, id.length, vscode.l10n.t('Show record'));
  }
}

/** Makes ids that a terminal shows links to their records. */
export function linkIds(show: (id: string) => void): vscode.Disposable {
  const provider: vscode.TerminalLinkProvider<IdLink> = {
    provideTerminalLinks: ({ line }) =>
      [...line.matchAll(ID)].map(({ 0: id, index }) => new IdLink(id, index)),
    handleTerminalLink: ({ id }) => {
      show(id);
    },
  };
  return vscode.window.registerTerminalLinkProvider(provider);
}
