/** The view *This file*: decisions that govern the file in focus, past errors in it, their fixes. */

import * as vscode from 'vscode';

import type { About, Row } from '../server/protocol';
import type { Server } from '../server/server';
import { groupNode, kindIcon, kindName, recordNode, textNode, type Node } from './nodes';
import { Tree } from './tree';

export function fileTree(server: Server): Tree {
  const tree = new Tree('gitmem.file', async (view) => {
    const document = vscode.window.activeTextEditor?.document;
    view.description = '';
    if (document?.uri.scheme !== 'file') return [];
    view.description = vscode.workspace.asRelativePath(document.uri);
    const about = await server.ask<About>('gitmem.about', { uri: document.uri.toString() });
    if (!about) return [];
    const groups: Node[] = [];
    for (const [kind, rows] of [
      ['decision', about.decisions],
      ['error', about.errors],
      ['fix', about.fixes],
    ] as const) {
      if (rows.length) groups.push(group(kind, rows));
    }
    return groups.length ? groups : [textNode(vscode.l10n.t('Nothing is known of this file.'))];
  });
  return tree;
}

function group(kind: 'decision' | 'error' | 'fix', rows: Row[]): Node {
  const children = (): Promise<Node[]> => Promise.resolve(rows.map(recordNode));
  return groupNode(kindName(kind), rows.length, kindIcon(kind), children, true);
}
