/** Records to choose from: those of this branch, and an overview of the memory. */

import * as vscode from 'vscode';

import type { Pages } from '../records/pages';
import type { Overview, Row, Rows } from '../server/protocol';
import type { Server } from '../server/server';
import { kindIcon, kindName } from '../views/nodes';

/** Lists what this branch adds to the memory, to be read before it is merged. */
export async function reviewBranch(server: Server, pages: Pages): Promise<void> {
  const found = await server.ask<Rows>('gitmem.branch');
  if (!found) return;
  if (!found.rows.length) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('This branch adds nothing to the memory.'),
    );
    return;
  }
  await choose(vscode.l10n.t('Memory of this branch'), found.rows, pages);
}

async function choose(title: string, rows: readonly Row[], pages: Pages): Promise<void> {
  const items = rows.map((row) => ({
    label: row.title,
    description: [row.kind, row.status].filter(Boolean).join(' · '),
    detail: `${row.id} · ${row.author} · ${row.created.slice(0, 10)}`,
    iconPath: kindIcon(row.kind),
    id: row.id,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title,
    matchOnDescription: true,
    matchOnDetail: true,
    onDidSelectItem: (item) => {
      if (typeof item !== 'string') void pages.show((item as (typeof items)[0]).id, { preview: true });
    },
  });
  if (chosen) await pages.show(chosen.id);
}

/** Shows what the memory holds, in numbers. */
export async function dashboard(server: Server, pages: Pages): Promise<void> {
  const overview = await server.ask<Overview>('gitmem.overview');
  if (!overview) return;
  const rows = overview.kinds.map(({ kind, count, states }) => {
    const parts = states.filter(({ name }) => name).map(({ name, count: n }) => `${n} ${name}`);
    return `| ${kindName(kind)} | ${count} | ${parts.join(', ')} |`;
  });
  const heads = [vscode.l10n.t('Kind'), vscode.l10n.t('Records'), vscode.l10n.t('Of these')];
  const tags = overview.tags.slice(0, 30).map(({ name, count }) => `\`${name}\` ${count}`);
  const parts = [
    `# ${vscode.l10n.t('What this memory holds')}`,
    `| ${heads.join(' | ')} |\n| --- | ---: | --- |\n${rows.join('\n')}`,
    overview.session ? `${vscode.l10n.t('Live session')}: \`${overview.session.goal}\`` : '',
    overview.problems ? vscode.l10n.t('{0} problems', overview.problems) : '',
    tags.length ? `## ${vscode.l10n.t('Tags')}\n\n${tags.join(' · ')}` : '',
  ];
  await pages.showText('gitmem', parts.filter(Boolean).join('\n\n'));
}
