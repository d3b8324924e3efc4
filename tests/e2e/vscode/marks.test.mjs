// What stands in the text by itself, switched while the server runs; the last task that failed.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { until } from './editor.mjs';
import { PYTHON, Story } from './story.mjs';

// The editor cuts a hint after 43 characters.
const SAID = 'fixed before: A price is a number';
let switched;
const story = new Story(({ editor, shop }) => {
  shop.fill();
  shop.write('.vscode/tasks.json', JSON.stringify({
    version: '2.0.0',
    tasks: [{ label: 'check prices', type: 'process', command: 'sh', args: ['-c', 'cat tsc.log; false'], problemMatcher: [] }],
  }));
  switched = (values) => editor.settings({ 'gitmem.python': PYTHON, ...values });
  switched({});
});
const step = story.step.bind(story);

/** The marks in the gutter, by the picture that they show. */
function gutter(window) {
  return window.page.locator('.margin-view-overlays .cgmr, .glyph-margin-widgets .cgmr').evaluateAll((all) =>
    all.filter((one) => getComputedStyle(one).backgroundImage.includes('gutter.svg')).length);
}

step('lenses, hints and gutter marks are off until somebody wants them', async (window) => {
  await window.openFile('price.ts', 'twelve');
  await window.status('1 known');
  assert.equal(await window.page.getByText(SAID).count(), 0);
  assert.equal(await gutter(window), 0);
});

step('lenses, hints and gutter marks are switched on while the server runs', async (window, shop) => {
  const before = shop.servers();
  switched({ 'gitmem.codeLens': true });
  const lens = window.page.locator('.codelens-decoration a', { hasText: SAID });
  await lens.first().waitFor();
  switched({ 'gitmem.codeLens': true, 'gitmem.inlayHints': true, 'gitmem.gutter': true });
  await window.page.locator('.view-line', { hasText: SAID }).first().waitFor();
  await until(async () => (await gutter(window)) === 1, 'a mark in the gutter');
  await story.picture('marks');
  assert.deepEqual(shop.servers(), before, 'the same server');
  await lens.first().click();
  await window.recordPage().getByRole('heading', { name: 'write 12, not twelve' }).first().waitFor();
  await window.command('View: Close All Editors');
});

step('and switched off again', async (window, shop) => {
  const before = shop.servers();
  await window.openFile('price.ts', 'twelve');
  await window.page.locator('.codelens-decoration a', { hasText: SAID }).first().waitFor();
  switched({});
  await until(async () => (await window.page.getByText(SAID).count()) === 0, 'lens and hint are gone');
  await until(async () => (await gutter(window)) === 0, 'the mark is gone');
  assert.deepEqual(shop.servers(), before, 'the same server');
});

step('what a task said when it failed is known, as of a watched run', async (window, shop) => {
  await window.command('Tasks: Run Task');
  await window.row('check prices').click();
  await window.terminalSays('not assignable');
  // The editor tells of the end of a task some time after its terminal shows the last line.
  const page = window.page.locator('.tab', { hasText: /^sh -c cat tsc.log; false/ }).first();
  await until(async () => {
    await window.command('gitmem: Show what is known about the last failure');
    return page.waitFor({ timeout: 5_000 }).then(() => true, () => false);
  }, 'the page of what failed last');
  await window.recordPage().getByText('write 12, not twelve').first().waitFor();
  const runs = () => JSON.parse(shop.gitmem('runs', '--json')).runs;
  await until(() => runs().some(({ command }) => command.join(' ').includes('cat tsc.log')), 'the run of the task');
  await window.command('View: Close All Editors');
});

step('a server that dies twice comes back twice', async (window, shop) => {
  for (let deaths = 0; deaths < 2; deaths += 1) {
    const before = shop.servers();
    assert.equal(before.length, 1);
    process.kill(before[0], 'SIGKILL');
    await until(() => shop.servers().some((id) => id !== before[0]), 'another server');
    await window.status('gitmem');
  }
  await window.openFile('price.ts', 'twelve');
  await window.hover("'twelve'", 'write 12, not twelve');
});

step('the records on the disk are as they were', (_, shop) => {
  assert.equal(shop.git('status', '--porcelain', '--', '.memory'), '');
  assert.ok(readFileSync(join(shop.folder, 'price.ts'), 'utf8').includes('twelve'));
});
