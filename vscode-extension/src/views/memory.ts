/** The view *Memory*: all records, by kind and by tag, a page at a time. */

import * as vscode from 'vscode';

import type { Overview, Row, Rows } from '../server/protocol';
import type { Server } from '../server/server';
import { groupNode, kindIcon, kindName, recordNode, type Node } from './nodes';
import { Tree } from './tree';

/** Records that are asked for at once: more than fit on a screen. */
const PAGE = 100;

export function memoryTree(server: Server): Tree {
  return new Tree('gitmem.memory', async (view) => {
    const overview = await server.ask<Overview>('gitmem.overview');
    if (!overview) return [];
    view.description = overview.problems
      ? vscode.l10n.t('{0} problems', overview.problems)
      : '';
    const kinds = overview.kinds.map(({ kind, count }) =>
      groupNode(kindName(kind), count, kindIcon(kind), () => listed(server, `kind:${kind}`)),
    );
    if (!overview.tags.length) return kinds;
    const tags = groupNode(vscode.l10n.t('Tags'), undefined, new vscode.ThemeIcon('tag'), () =>
      Promise.resolve(
        overview.tags.map(({ name, count }) =>
          groupNode(name, count, new vscode.ThemeIcon('tag'), () => listed(server, `tag:"${name}"`)),
        ),
      ),
    );
    return [...kinds, tags];
  });
}

async function listed(server: Server, filters: string, offset = 0): Promise<Node[]> {
  const found = await server.ask<Rows>('gitmem.list', { filters, offset, limit: PAGE });
  if (!found) return [];
  const nodes = found.rows.map((row: Row) => recordNode(row));
  const left = found.total - offset - found.rows.length;
  if (left > 0) {
    const more = vscode.l10n.t('{0} more', left);
    const next = offset + PAGE;
    nodes.push(groupNode(more, undefined, new vscode.ThemeIcon('ellipsis'), () => listed(server, filters, next)));
  }
  return nodes;
}
