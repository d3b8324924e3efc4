/** Search as one types: the record under the cursor is shown beside, Enter keeps it. */

import * as vscode from 'vscode';

import type { Pages } from '../records/pages';
import type { Hit } from '../server/protocol';
import type { Server } from '../server/server';
import { kindIcon } from '../views/nodes';

const DEBOUNCE_MS = 120;

interface Item extends vscode.QuickPickItem {
  id?: string;
}

interface Found {
  hits: Hit[];
  suggestion: string;
}

export function search(server: Server, pages: Pages, text = ''): void {
  const pick = vscode.window.createQuickPick<Item>();
  pick.title = vscode.l10n.t('Search the memory');
  pick.placeholder = vscode.l10n.t('Words, a pasted error, or filters such as kind:error tag:auth');
  pick.matchOnDescription = pick.matchOnDetail = true;
  let timer: NodeJS.Timeout | undefined;
  let asked = 0;

  const ask = async (typed: string): Promise<void> => {
    const mine = ++asked;
    if (!typed.trim()) {
      pick.items = [];
      return;
    }
    pick.busy = true;
    const found = await server.ask<Found>('gitmem.search', typed);
    if (mine !== asked) return; // more was typed meanwhile
    pick.busy = false;
    pick.items = items(found, typed);
  };

  pick.onDidChangeValue((typed) => {
    clearTimeout(timer);
    timer = setTimeout(() => void ask(typed), DEBOUNCE_MS);
  });
  pick.onDidChangeActive(([item]) => {
    if (item?.id) void pages.show(item.id, { preview: true });
  });
  pick.onDidAccept(() => {
    const id = pick.selectedItems[0]?.id;
    pick.hide();
    if (id) void pages.show(id);
  });
  pick.onDidHide(() => {
    clearTimeout(timer);
    pick.dispose();
  });
  pick.value = text;
  pick.show();
  if (text) void ask(text);
}

function items(found: Found | undefined, typed: string): Item[] {
  if (!found) return [];
  if (!found.hits.length) {
    const label = found.suggestion
      ? vscode.l10n.t('Nothing found. Did you mean {0}?', found.suggestion)
      : vscode.l10n.t('Nothing found');
    return [{ label, alwaysShow: true }];
  }
  return found.hits.map((hit) => ({
    label: hit.title,
    description: [hit.kind, hit.status, hit.label].filter(Boolean).join(' · '),
    detail: `${hit.id} · ${hit.author} · ${hit.created.slice(0, 10)}`,
    iconPath: kindIcon(hit.kind),
    id: hit.id,
    // Without this, the editor would hide what does not hold the very letters typed.
    alwaysShow: Boolean(typed),
  }));
}
