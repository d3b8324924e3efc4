/** The view *Memory*: all records, by kind and by tag, a page at a time. */

import * as vscode from 'vscode';

import { leaf, waiting } from '../core/names';
import type { Overview, Row, Rows } from '../server/protocol';
import type { Server } from '../server/server';
import { fileInFocus } from './file';
import { groupNode, kindIcon, kindName, recordNode, type Node } from './nodes';
import { Tree } from './tree';

/** Records that are asked for at once: more than fit on a screen. */
const PAGE = 100;

/** The tree, of the memory that the file in focus belongs to. */
export class MemoryTree extends Tree {
  /** The memory that is shown. */
  private folder = '';

  constructor(private readonly server: Server) {
    super('gitmem.memory');
  }

  protected async roots(): Promise<Node[]> {
    const overview = await this.server.ask<Overview>('gitmem.overview');
    if (!overview) {
      this.view.description = '';
      return [];
    }
    this.folder = overview.folder;
    this.view.description = described(overview);
    const kinds = overview.kinds.map(({ kind, count }) =>
      groupNode(kindName(kind), count, kindIcon(kind), () => this.listed(`kind:${kind}`)),
    );
    if (!overview.total) return [];
    return [...this.needed(overview), ...kinds, ...this.tags(overview)];
  }

  /** What waits for somebody stands above what there is: it is what one looks for. */
  private needed(overview: Overview): Node[] {
    const states = overview.kinds.find(({ kind }) => kind === 'error')?.states ?? [];
    return waiting(states).map(({ name, count }) => {
      const label = name === 'open' ? vscode.l10n.t('Still open') : vscode.l10n.t('Came back');
      const icon = new vscode.ThemeIcon('bell-dot');
      return groupNode(label, count, icon, () => this.listed(`kind:error status:${name}`));
    });
  }

  /** Shows the memory that the file in focus belongs to; none, if it belongs to none. */
  async follow(): Promise<void> {
    if (fileInFocus() === undefined) return; // a page is in front: what was there stays
    const overview = await this.server.ask<Overview>('gitmem.overview');
    const folder = overview?.folder ?? '';
    if (folder === this.folder) return;
    this.folder = folder;
    this.refresh();
  }

  private tags({ tags }: Overview): Node[] {
    if (!tags.length) return [];
    const icon = new vscode.ThemeIcon('tag');
    const groups = tags.map(({ name, count }) =>
      groupNode(name, count, icon, () => this.listed(`tag:"${name}"`)),
    );
    return [groupNode(vscode.l10n.t('Tags'), undefined, icon, () => Promise.resolve(groups))];
  }

  private async listed(filters: string, offset = 0): Promise<Node[]> {
    const found = await this.server.ask<Rows>('gitmem.list', { filters, offset, limit: PAGE });
    if (!found) return [];
    const nodes = found.rows.map((row: Row) => recordNode(row, filters));
    const left = found.total - offset - found.rows.length;
    if (left > 0) {
      const more = vscode.l10n.t('{0} more', left);
      const next = offset + PAGE;
      nodes.push(groupNode(more, undefined, new vscode.ThemeIcon('ellipsis'), () => this.listed(filters, next)));
    }
    return nodes;
  }
}

/** Names the memory where there may be several, and says what is wrong with it. */
function described({ folder, problems }: Overview): string {
  const several = (vscode.workspace.workspaceFolders?.length ?? 0) > 1;
  return [
    several ? leaf(folder.replace(/[\\/][^\\/]*$/, '')) : '',
    problems === 1 ? vscode.l10n.t('1 problem') : '',
    problems > 1 ? vscode.l10n.t('{0} problems', problems) : '',
  ].filter(Boolean).join(' · ');
}
