/** What stands in the trees: records, groups of records, and lines of text. */

import * as vscode from 'vscode';

import type { Kind, Row } from '../server/protocol';

const ICONS: Record<Kind, string> = {
  decision: 'law',
  error: 'error',
  fix: 'wrench',
  pattern: 'symbol-snippet',
  note: 'note',
  session: 'history',
};

const PASSED = 'testing.iconPassed';
const FAILED = 'testing.iconFailed';
const STATES: Record<string, [string, string]> = {
  'error open': ['error', FAILED],
  'error resolved': ['pass', PASSED],
  'error resolved (claimed)': ['pass', PASSED],
  'fix worked': ['pass', PASSED],
  'fix claimed': ['pass', PASSED],
  'fix failed': ['circle-slash', FAILED],
  'fix did not hold': ['circle-slash', FAILED],
};

/** A node knows how it looks and what is below it. */
export interface Node {
  readonly item: vscode.TreeItem;
  /** The record that it stands for, if it stands for one. */
  readonly row?: Row;
  children?(): Promise<Node[]>;
}

export function kindName(kind: Kind): string {
  switch (kind) {
    case 'decision':
      return vscode.l10n.t('Decisions');
    case 'error':
      return vscode.l10n.t('Errors');
    case 'fix':
      return vscode.l10n.t('Fixes');
    case 'pattern':
      return vscode.l10n.t('Patterns');
    case 'note':
      return vscode.l10n.t('Notes');
    case 'session':
      return vscode.l10n.t('Sessions');
  }
}

export function kindIcon(kind: Kind): vscode.ThemeIcon {
  return new vscode.ThemeIcon(ICONS[kind]);
}

/**
 * @param where tells the places of one record in a tree apart: the editor wants different ids.
 */
export function recordNode(row: Row, where: string): Node {
  const item = new vscode.TreeItem(row.title);
  item.id = `${where} ${row.id}`;
  item.description = [row.status, row.created.slice(0, 10)].filter(Boolean).join(' · ');
  item.tooltip = `${row.id}\n${row.title}\n${row.author}, ${row.created.slice(0, 10)}`;
  item.iconPath = stateIcon(row);
  item.contextValue = `record.${row.kind}${row.patch ? '.patch' : ''}`;
  item.command = { command: 'gitmem.showRecord', title: '', arguments: [row.id] };
  item.accessibilityInformation = { label: `${row.kind} ${row.title}, ${item.description}` };
  return { item, row };
}

/** Says by shape and colour what became of a fix or an error; of other kinds, what they are. */
function stateIcon({ kind, status }: Row): vscode.ThemeIcon {
  const [shape, colour] = STATES[`${kind} ${status}`] ?? [ICONS[kind], undefined];
  return new vscode.ThemeIcon(shape, colour === undefined ? undefined : new vscode.ThemeColor(colour));
}

export function groupNode(
  label: string,
  count: number | undefined,
  icon: vscode.ThemeIcon,
  children: () => Promise<Node[]>,
  open = false,
): Node {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(label, open ? Expanded : Collapsed);
  if (count !== undefined) item.description = String(count);
  item.iconPath = icon;
  return { item, children };
}

export function textNode(text: string, icon?: string): Node {
  const item = new vscode.TreeItem(text);
  if (icon) item.iconPath = new vscode.ThemeIcon(icon);
  return { item };
}
