/** Two pages that are more than one record: what deserves a look, and what a branch does. */

import * as vscode from 'vscode';

import { button, commandLink, element, escaped, type Html, list, raw, table } from '../core/html';
import { since } from '../core/time';
import type { Attention, Branch, Kind, Live, Overview, Row } from '../server/protocol';
import { kindName } from '../views/nodes';
import type { Made } from './pages';

const MOST_TAGS = 30;

/** Makes the page of what deserves a look. */
export function dashboardPage(overview: Overview, attention: Attention, now: number): Made {
  const { session } = overview;
  const buttons = [
    button(vscode.l10n.t('Search the memory'), 'gitmem.searchMemory'),
    button(vscode.l10n.t('Memory of this branch'), 'gitmem.reviewBranch'),
    ...(session
      ? [
          button(vscode.l10n.t('Log to session'), 'gitmem.logToSession'),
          button(vscode.l10n.t('End session'), 'gitmem.endSession'),
        ]
      : [button(vscode.l10n.t('Start session'), 'gitmem.startSession')]),
  ];
  const body = [
    element('h1', vscode.l10n.t('What this memory holds')),
    numbers(overview),
    ...section(vscode.l10n.t('Live session'), session ? [live(session, now)] : []),
    ...section(vscode.l10n.t('Open errors'), [openErrors(attention, now)]),
    ...section(vscode.l10n.t('Fixes that worked'), tried(attention.worked)),
    ...section(vscode.l10n.t('Fixes that failed'), tried(attention.failed)),
    ...section(vscode.l10n.t('Newest decisions'), decisions(attention.decisions)),
    ...section(vscode.l10n.t('Drafts waiting for you'), drafts(attention)),
    ...section(vscode.l10n.t('Tags'), tags(overview)),
  ];
  return { title: vscode.l10n.t('gitmem: dashboard'), body: raw(body.join('\n')), buttons };
}

function section(title: string, content: Html[]): Html[] {
  return content.length ? [element('h2', title), ...content] : [];
}

function searching(text: string, filters: string): Html {
  return commandLink(text, 'gitmem.searchMemory', filters);
}

function numbers({ kinds, problems }: Overview): Html {
  if (!kinds.length && !problems) {
    return element('p', vscode.l10n.t('Nothing yet. Record an error, or a decision about some lines.'));
  }
  const tiles = kinds.map(({ kind, count, states }) => {
    const parts = states.filter(({ name }) => name);
    const told = parts.flatMap(({ name, count: number }, at) => [
      ...(at ? [escaped(' · ')] : []),
      searching(`${number} ${name}`, `kind:${kind} status:${name}`),
    ]);
    return element('div', [
      element('div', [searching(String(count), `kind:${kind}`)], { class: 'count' }),
      element('div', kindName(kind)),
      element('div', told, { class: 'quiet' }),
    ], { class: 'tile' });
  });
  if (problems) {
    tiles.push(element('div', [
      element('div', String(problems), { class: 'count' }),
      element('div', vscode.l10n.t('Problems')),
      element('div', [element('code', 'gitmem check')], { class: 'quiet' }),
    ], { class: 'tile' }));
  }
  return element('div', tiles, { class: 'tiles' });
}

function live({ goal, started, events }: Live, now: number): Html {
  const newest = events.at(-1);
  const lines = [
    element('strong', goal),
    escaped(` · ${since(started, now)}`),
    ...(newest ? [element('div', newest.text, { class: 'quiet' })] : []),
  ];
  return element('p', lines);
}

function openErrors({ errors }: Attention, now: number): Html {
  if (!errors.length) return element('p', vscode.l10n.t('No error is open.'));
  const heads = [vscode.l10n.t('Error'), vscode.l10n.t('Seen'), vscode.l10n.t('Open for')];
  return table(
    heads,
    errors.map((one) => [shown(one), escaped(String(one.seen)), escaped(since(one.first, now))]),
    [1, 2],
  );
}

function tried(fixes: Attention['worked']): Html[] {
  const items = fixes.map((one) => [
    shown(one),
    quiet(day(one)),
    ...one.errors.slice(0, 1).map((error) =>
      element('div', [escaped(`${vscode.l10n.t('tried on:')} `), shown(error)], { class: 'quiet' }),
    ),
  ]);
  return items.length ? [list(items)] : [];
}

function decisions(rows: Row[]): Html[] {
  const items = rows.map((row) => [shown(row), quiet([row.status, row.author, day(row)].join(', '))]);
  return items.length ? [list(items)] : [];
}

function drafts(attention: Attention): Html[] {
  const items = attention.drafts.map(({ id, title }) => [
    escaped(title),
    element('div', [element('code', `gitmem drafts keep ${id}`)], { class: 'quiet' }),
  ]);
  return items.length ? [list(items)] : [];
}

function tags(overview: Overview): Html[] {
  const links = overview.tags.slice(0, MOST_TAGS).map(({ name, count }) =>
    element('span', [searching(name, `tag:"${name}"`), escaped(` ${count}`)], { class: 'tag' }),
  );
  return links.length ? [element('p', links)] : [];
}

/** Makes the page of what a branch adds to the memory, changes and removes. */
export function branchPage({ branch, base, rows, changed, removed }: Branch): Made {
  const buttons = [button(vscode.l10n.t('Open dashboard'), 'gitmem.openDashboard')];
  const title = branch ? vscode.l10n.t('Memory of the branch {0}', branch) : vscode.l10n.t('Memory of this branch');
  const intro = base && base !== branch
    ? vscode.l10n.t('Compared with the commit where it left {0}, including what is not committed yet.', base)
    : vscode.l10n.t('What is not committed yet.');
  const body = [
    element('h1', title),
    element('p', intro, { class: 'quiet' }),
    ...section(vscode.l10n.t('Added: {0}', rows.length), rows.length ? byKind(rows) : []),
    ...section(vscode.l10n.t('Changed: {0}', changed.length), changed.length ? byKind(changed) : []),
    ...section(
      vscode.l10n.t('Removed: {0}', removed.length),
      removed.length ? [list(removed.map((path) => [element('code', path)]))] : [],
    ),
  ];
  if (!rows.length && !changed.length && !removed.length) {
    body.push(element('p', vscode.l10n.t('This branch adds nothing to the memory.')));
  }
  return { title, body: raw(body.join('\n')), buttons };
}

function byKind(rows: Branch['rows']): Html[] {
  const kinds = [...new Set(rows.map(({ kind }) => kind))].sort(inOrder);
  return kinds.flatMap((kind) => [
    element('h3', kindName(kind)),
    list(rows.filter((row) => row.kind === kind).map((row) => [
      shown(row),
      quiet([row.status, row.author, day(row)].filter(Boolean).join(', ')),
      escaped(' '),
      ...(row.uncommitted ? [element('span', vscode.l10n.t('not committed'), { class: 'mark' }), escaped(' ')] : []),
      commandLink('YAML', 'gitmem.viewYaml', row.uri),
      ...(row.gist ? [element('div', row.gist)] : []),
    ])),
  ]);
}

const ORDER: Kind[] = ['decision', 'error', 'fix', 'pattern', 'note', 'session'];

function inOrder(one: Kind, other: Kind): number {
  return ORDER.indexOf(one) - ORDER.indexOf(other);
}

function shown(row: Row): Html {
  return commandLink(row.title, 'gitmem.show', row.id);
}

function quiet(text: string): Html {
  return element('span', ` ${text}`, { class: 'quiet' });
}

function day(row: Row): string {
  return row.created.slice(0, 10);
}
