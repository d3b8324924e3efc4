// Several folders in one window, each with a memory of its own; and a folder that has none yet.
import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { until, Window } from './editor.mjs';
import { Repository } from './repository.mjs';
import { PYTHON, Story } from './story.mjs';

let depot;
let fresh;
const story = new Story(({ editor, run, shop }) => {
  shop.fill();
  depot = new Repository(join(run, 'depot'), shop.gitmemPath, editor.home);
  depot.git('init', '-q', '-b', 'main');
  depot.write('lorry.ts', 'export const lorry: number = 1;\n');
  depot.gitmem('init');
  depot.gitmem('add', 'decision', '--title', 'Lorries leave at six', '--decision', 'At six.', '--set', 'governs=[lorry.ts]');
  depot.commit('The depot');
  fresh = new Repository(join(run, 'fresh'), shop.gitmemPath, editor.home);
  fresh.git('init', '-q', '-b', 'main');
  fresh.write('a.ts', 'export const a = 1;\n');
  fresh.commit('Nothing is known yet');
  editor.settings({ 'gitmem.python': PYTHON });
  const workspace = join(run, 'both.code-workspace');
  shop.write('../both.code-workspace', JSON.stringify({ folders: [{ path: 'shop' }, { path: 'depot' }] }));
  return { workspace };
});
const step = story.step.bind(story);

step('the views show the memory of the file in focus', async (window) => {
  await window.openFile('price.ts', 'twelve');
  await window.openView();
  await window.page.locator('.pane-header', { hasText: /^Memory\s*shop/ }).waitFor();
  await window.expand(window.tree('Decisions'), window.tree('Prices are whole cents'));
  await window.openFile('lorry.ts', 'lorry');
  await window.page.locator('.pane-header', { hasText: /^Memory\s*depot/ }).waitFor();
  await window.tree('Lorries leave at six').waitFor();
  await until(async () => (await window.tree('Prices are whole cents').count()) === 0, 'the other memory is gone');
  await story.picture('folders');
});

step('search, session and pages are those of the file in focus', async (window, shop) => {
  await window.command('gitmem: Search memory');
  const input = window.page.locator('.quick-input-widget:visible input[type="text"]').first();
  await input.fill('leave at six');
  // Until the hits are there, the list is of what was offered before anything was typed.
  await window.recordPage().getByText('At six.').first().waitFor();
  await window.row('Lorries leave at six').click();
  await input.waitFor({ state: 'hidden' });
  await window.recordPage().getByText('At six.').first().waitFor();
  await window.command('View: Close All Editors');
  await window.openFile('lorry.ts', 'lorry');
  await window.command('gitmem: Start session');
  await window.typeInto('Load the lorry');
  await window.status('Load the lorry');
  const live = (where) => JSON.parse(where.gitmem('status', '--json')).live_sessions.length;
  assert.deepEqual([live(depot), live(shop)], [1, 0]);
  await window.openFile('price.ts', 'twelve');
  await window.status(/^\s*gitmem\s+1 known\s*$/);
});

/**
 * Tells whether the editor took the language. Its server now and then hands out the list of
 * extensions that it made for another window, in English; a window that is loaded again gets its own.
 */
async function inGerman(window, title) {
  for (let tries = 0; tries < 3; tries += 1) {
    await window.page.keyboard.press('F1');
    const input = window.page.locator('.quick-input-widget:visible input[type="text"]').first();
    try {
      await input.fill(`>${title}`, { timeout: 10_000 });
      await window.row(title).waitFor({ timeout: 10_000 });
      await window.page.keyboard.press('Escape');
      return true;
    } catch {
      await window.page.reload({ waitUntil: 'domcontentloaded' });
      await window.page.waitForSelector('.monaco-workbench .part.statusbar');
    }
  }
  console.log('# the editor did not take the language: its German words are only compared by make check-vscode');
  return false;
}

step('in a folder without a memory, its command starts all there is, in German for Germans', async () => {
  assert.ok(!existsSync(join(fresh.folder, '.memory')));
  const how = { language: 'de' };
  const window = await Window.open(story.editor, fresh.folder, join(story.run, 'window-fresh'), how);
  try {
    assert.equal(await window.page.locator('.statusbar-item', { hasText: /^\s*gitmem/ }).count(), 0);
    const german = await inGerman(window, 'gitmem: In diesem Repository einrichten');
    await window.command(german ? 'gitmem: In diesem Repository einrichten' : 'gitmem: Set up gitmem in this repository');
    await until(() => existsSync(join(fresh.folder, '.memory/gitmem.yaml')), 'the memory');
    await window.status('gitmem');
    await window.command(german ? 'gitmem: Dashboard öffnen' : 'gitmem: Open dashboard');
    if (german) {
      await window.recordPage().getByText('Keine offenen Fehler.').waitFor();
      await window.recordPage().getByText('Erfassen Sie einen Fehler').waitFor();
    } else {
      await window.recordPage().locator('h1').first().waitFor();
    }
    await story.picture('german', window);
  } finally {
    await window.close();
  }
});

step('a folder inside of a memory shows it from the start', async (_, shop) => {
  shop.write('inner/deep.ts', 'export const deep = 1;\n');
  const window = await Window.open(story.editor, join(shop.folder, 'inner'), join(story.run, 'window-inner'));
  try {
    await window.status('gitmem');
    await window.openView();
    await window.tree('Decisions').waitFor();
  } finally {
    await window.close();
  }
});

step('without a memory the view says so, and what needs one offers to make it', async (_, shop) => {
  const bare = new Repository(join(story.run, 'bare'), shop.gitmemPath, story.editor.home);
  bare.git('init', '-q', '-b', 'main');
  bare.write('b.ts', 'export const b = 1;\n');
  bare.commit('Nothing is known yet');
  const window = await Window.open(story.editor, bare.folder, join(story.run, 'window-bare'));
  try {
    await window.command('View: Show gitmem');
    const view = window.page.locator('.pane-body .welcome-view-content:visible');
    await view.getByText('gitmem is not set up in this folder.').waitFor();
    assert.equal(await view.count(), 1, 'one welcome');
    await story.picture('no-memory', window);
    await window.command('gitmem: Start session');
    await window.typeInto('Begin');
    await window.toast('gitmem is not set up in this folder.').locator('.monaco-button', { hasText: 'Set up gitmem' }).click();
    await window.status('Begin');
    await view.getByText('Nothing is recorded yet.').waitFor();
    await story.picture('empty', window);
    assert.ok(existsSync(join(bare.folder, '.memory/gitmem.yaml')));
  } finally {
    await window.close();
  }
});

step('a memory that is made in a terminal, and removed there, is noticed', async (_, shop) => {
  const late = new Repository(join(story.run, 'late'), shop.gitmemPath, story.editor.home);
  late.git('init', '-q', '-b', 'main');
  late.write('c.ts', 'export const c = 1;\n');
  late.commit('Nothing is known yet');
  const window = await Window.open(story.editor, late.folder, join(story.run, 'window-late'));
  try {
    await window.command('View: Show gitmem');
    const view = window.page.locator('.pane-body .welcome-view-content:visible');
    await view.getByText('gitmem is not set up in this folder.').waitFor();
    late.gitmem('init');
    await view.getByText('Nothing is recorded yet.').waitFor();
    late.gitmem('add', 'decision', '--title', 'Late is late', '--decision', 'It stays so.');
    await window.tree('Decisions').waitFor();
    rmSync(join(late.folder, '.memory'), { recursive: true });
    await view.getByText('gitmem is not set up in this folder.').waitFor();
    assert.equal(await window.tree('Decisions').count(), 0);
  } finally {
    await window.close();
  }
});
