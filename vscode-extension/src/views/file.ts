/** The view *This file*: decisions that govern the file in focus, past errors in it, their fixes. */

import * as vscode from 'vscode';

import type { About, Row } from '../server/protocol';
import type { Server } from '../server/server';
import { groupNode, kindIcon, kindName, recordNode, textNode, type Node } from './nodes';
import { Tree } from './tree';

export class FileTree extends Tree {
  private shown: vscode.Uri | undefined;

  constructor(private readonly server: Server) {
    super('gitmem.file');
  }

  protected roots(): Promise<Node[]> {
    const here = (this.shown = fileInFocus() ?? this.besides());
    this.view.description = here ? vscode.workspace.asRelativePath(here) : '';
    return here ? aboutFile(this.server, here) : Promise.resolve([]);
  }

  /** Gives the file that was shown, while it is still to be seen beside a page. */
  private besides(): vscode.Uri | undefined {
    const seen = vscode.window.visibleTextEditors.map(({ document }) => document.uri.toString());
    return this.shown && seen.includes(this.shown.toString()) ? this.shown : undefined;
  }
}

/** Gives the file that one edits; undefined while a page or another view has the focus. */
export function fileInFocus(): vscode.Uri | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri?.scheme === 'file' ? uri : undefined;
}

/** Gives what concerns a file, by kind. */
export async function aboutFile(server: Server, uri: vscode.Uri): Promise<Node[]> {
  const about = await server.ask<About>('gitmem.about', { uri: uri.toString() });
  if (!about) return [];
  const groups: Node[] = [];
  for (const [kind, rows] of [
    ['decision', about.decisions],
    ['error', about.errors],
    ['fix', about.fixes],
  ] as const) {
    if (rows.length) groups.push(group(kind, rows));
  }
  return groups.length ? groups : [textNode(vscode.l10n.t('Nothing is known about this file.'))];
}

function group(kind: 'decision' | 'error' | 'fix', rows: Row[]): Node {
  const children = (): Promise<Node[]> =>
    Promise.resolve(rows.map((row) => recordNode(row, `file ${kind}`)));
  return groupNode(kindName(kind), rows.length, kindIcon(kind), children, true);
}
