/** Search as one types: the record under the cursor is shown beside, Enter keeps it, Escape does not. */

import * as vscode from 'vscode';

import { leaf } from '../core/names';
import type { Pages } from '../records/pages';
import type { About, Hit, Row, Rows } from '../server/protocol';
import type { Server } from '../server/server';
import { fileInFocus } from '../views/file';
import { kindIcon } from '../views/nodes';

const DEBOUNCE_MS = 120;
/** Records of each sort that are offered before anything is typed. */
const MOST_OFFERED = 8;

interface Item extends vscode.QuickPickItem {
  id?: string;
}

interface Found {
  hits: Hit[];
  suggestion: string;
}

export function search(server: Server, pages: Pages, text = ''): void {
  const here = fileInFocus();
  const pick = vscode.window.createQuickPick<Item>();
  pick.title = vscode.l10n.t('Search the memory');
  pick.placeholder = vscode.l10n.t('Words, a pasted error, or filters such as kind:error tag:auth');
  pick.matchOnDescription = pick.matchOnDetail = true;
  let timer: NodeJS.Timeout | undefined;
  let asked = 0;
  /** Nobody chose the first of those that are offered: the editor marks it by itself. */
  let offering = false;

  const ask = async (typed: string): Promise<void> => {
    const mine = ++asked;
    pick.busy = true;
    const found = typed.trim()
      ? items(await server.ask<Found>('gitmem.search', typed))
      : await offered(server, here);
    if (mine !== asked) return; // more was typed meanwhile
    pick.busy = false;
    offering = !typed.trim();
    pick.items = found;
  };

  pick.onDidChangeValue((typed) => {
    clearTimeout(timer);
    timer = setTimeout(() => void ask(typed), DEBOUNCE_MS);
  });
  pick.onDidChangeActive(([item]) => {
    const first = offering;
    offering = false;
    if (item?.id && !first) void pages.show(item.id, { preview: true });
  });
  let chosen: string | undefined = undefined as string | undefined;
  pick.onDidAccept(() => {
    chosen = pick.selectedItems[0]?.id;
    if (!chosen) return; // what was chosen is no longer in the list: others came meanwhile
    pick.hide();
    void pages.show(chosen);
  });
  pick.onDidHide(() => {
    clearTimeout(timer);
    if (!chosen) pages.endPreview();
    pick.dispose();
  });
  pick.value = text;
  pick.show();
  void ask(text);
}

/** What is about the file in focus, then the newest: what one looks for most often. */
async function offered(server: Server, here: vscode.Uri | undefined): Promise<Item[]> {
  const about = here && (await server.ask<About>('gitmem.about', { uri: here.toString() }));
  const newest = await server.ask<Rows>('gitmem.list', { limit: 2 * MOST_OFFERED });
  const mine = about ? [...about.decisions, ...about.errors, ...about.fixes].slice(0, MOST_OFFERED) : [];
  const known = new Set(mine.map(({ id }) => id));
  const others = (newest?.rows ?? []).filter(({ id }) => !known.has(id)).slice(0, MOST_OFFERED);
  return [
    ...headed(here ? vscode.l10n.t('About {0}', leaf(here.path)) : '', mine),
    ...headed(vscode.l10n.t('Newest'), others),
  ];
}

function headed(label: string, rows: Row[]): Item[] {
  const head = { label, kind: vscode.QuickPickItemKind.Separator };
  return rows.length ? [head, ...rows.map((row) => item({ ...row, label: '' }))] : [];
}

function item(row: Pick<Hit, 'id' | 'kind' | 'title' | 'status' | 'author' | 'created' | 'label'>): Item {
  return {
    label: row.title,
    description: [row.kind, row.status, row.label].filter(Boolean).join(' · '),
    detail: `${row.id} · ${row.author} · ${row.created.slice(0, 10)}`,
    iconPath: kindIcon(row.kind),
    id: row.id,
  };
}

function items(found: Found | undefined): Item[] {
  if (!found) return [];
  if (!found.hits.length) {
    const label = found.suggestion
      ? vscode.l10n.t('Nothing found. Did you mean {0}?', found.suggestion)
      : vscode.l10n.t('Nothing found');
    return [{ label, alwaysShow: true }];
  }
  // Without this, the editor would hide what does not hold the very letters typed.
  return found.hits.map((hit) => ({ ...item(hit), alwaysShow: true }));
}
