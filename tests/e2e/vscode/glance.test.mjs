// The memory at a glance, on a dark theme: the dashboard, what a branch does, the tree.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { PYTHON, Story } from './story.mjs';

const story = new Story(({ editor, shop }) => {
  shop.fill();
  for (const place of ['basket', 'till', 'stock']) {
    shop.gitmem('add', 'error', '--title', 'The till is locked', '--message', 'LockError: till is locked',
      '--set', 'error_type=LockError', '--set', `subject=${place}`);
  }
  shop.gitmem('add', 'error', '--title', 'No such price', '--message', "KeyError: 'price'", '--set', 'error_type=KeyError');
  shop.gitmem('add', 'note', '--title', 'Money <b>is</b> exact', '--body', 'Cents, never floats.', '--tag', 'money');
  shop.gitmem('add', 'note', '--title', 'Old habits', '--body', 'We used floats.');
  shop.commit('What else is known');
  editor.settings({ 'gitmem.python': PYTHON, 'workbench.colorTheme': 'Default Dark Modern' });
});
const step = story.step.bind(story);

function recordFile(shop, word) {
  const folder = join(shop.folder, '.memory');
  const found = readdirSync(folder, { recursive: true }).find((name) => name.includes(word));
  return join(folder, found);
}

step('the status bar tells of a session that was started in a terminal', async (window) => {
  await window.openFile('price.ts', 'twelve');
  await window.status('1 known');
  await window.terminal(`${process.env.GITMEM} session start 'Unlock the till'`);
  await window.status(/gitmem\s+Unlock the till \d+ min\s+1 known/);
  await window.endTerminals();
});

step('the dashboard tells what deserves a look', async (window) => {
  await window.command('gitmem: Open dashboard');
  const page = window.recordPage();
  await page.getByRole('heading', { name: 'Open errors' }).waitFor();
  const rows = await page.locator('table tbody tr').allInnerTexts();
  assert.match(rows[0], /The till is locked\s+3\s+\d+ min/, 'the most often seen one comes first');
  assert.match(rows[1], /No such price\s+1\s+\d+ min/);
  const said = await page.locator('main').innerText();
  assert.match(said, /Fixes that worked\s+A price is a number[^\n]+\n\s*tried on: Type 'string'/);
  assert.match(said, /Fixes that failed\s+Cast the list to any/);
  assert.match(said, /Newest decisions\s+Prices are whole cents accepted, Ada Lovelace/);
  assert.match(said, /Live session\s+Unlock the till · \d+ min/);
  await story.picture('dashboard');
});

step('the dashboard follows the memory', async (window, shop) => {
  shop.gitmem('add', 'decision', '--title', 'One till a shop', '--decision', 'There is one till.');
  await window.recordPage().getByText('One till a shop').waitFor();
});

step('a number on the dashboard opens a search, a title its record', async (window) => {
  await window.recordPage().getByText('4 open').click();
  await window.row('The till is locked').waitFor();
  const input = window.page.locator('.quick-input-widget input[type="text"]').first();
  assert.equal(await input.inputValue(), 'kind:error status:open');
  await window.page.keyboard.press('Escape');
  await window.command('gitmem: Open dashboard');
  await window.recordPage().getByRole('heading', { name: 'Open errors' }).waitFor();
  await window.recordPage().getByText('No such price').click();
  await window.recordPage().getByRole('button', { name: 'Record what fixed it' }).waitFor();
});

step('the review tells what the branch adds, changes and removes', async (window, shop) => {
  shop.git('switch', '-q', '-c', 'feature');
  shop.gitmem('add', 'decision', '--title', 'The till locks itself', '--decision', 'It locks after a minute.');
  const changed = recordFile(shop, 'money-b-is-b-exact');
  writeFileSync(changed, readFileSync(changed, 'utf8').replace('never floats', 'never ever floats'));
  rmSync(recordFile(shop, 'old-habits'));
  await window.command('gitmem: Review memory of this branch');
  const page = window.recordPage();
  await page.getByRole('heading', { name: 'Changed: 1' }).waitFor();
  const said = await page.locator('main').innerText();
  assert.match(said, /Memory of the branch feature\s+Compared with the commit where it left main/);
  assert.match(said, /The till locks itself accepted, Ada Lovelace, \d{4}-\d\d-\d\d not committed YAML\s+It locks after a minute\./);
  assert.match(said, /Changed: 1\s+Notes\s+Money <b>is<\/b> exact/, 'titles are text, never markup');
  assert.match(said, /Removed: 1\s+notes\/\d{4}\/\d\d\/old-habits-note-\w{10}\.yaml/);
  await story.picture('branch');
  await page.getByText('The till locks itself').click();
  await page.getByText('It locks after a minute.').first().waitFor();
});

step('a record stands in the tree by kind and by tag, and a file has its own view alone', async (window) => {
  await window.command('View: Close All Editors');
  await window.openFile('price.ts', 'twelve');
  await window.openView();
  for (const other of ['This File', 'Session']) {
    await window.page.locator('.pane-header', { hasText: other }).click(); // closes it
  }
  const tree = window.page.locator('.pane', { has: window.page.locator('.pane-header', { hasText: /^Memory/ }) });
  const row = (text) => tree.locator('.monaco-list-row', { hasText: text });
  await window.expand(row('Tags'), row('money').first());
  await window.expand(row('money').first(), row('Prices are whole cents').first());
  await story.picture('dark');
  assert.equal(await row('price.ts').count(), 0);
});
