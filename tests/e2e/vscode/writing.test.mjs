// Writing records from where one is, on a high-contrast theme: selections, a decision, staging.
import assert from 'node:assert/strict';

import { PATIENCE, until } from './editor.mjs';
import { PYTHON, Story } from './story.mjs';

const TRACE = `Traceback (most recent call last):
  File "till.py", line 3, in <module>
    open_till(None)
TypeError: can't open a till of None
`;
const story = new Story(({ editor, shop }) => {
  shop.fill();
  shop.write('till.log', TRACE);
  shop.write('stock.log', 'stock.py:7: error: Name "pices" is not defined  [name-defined]\n');
  shop.commit('Logs');
  editor.settings({ 'gitmem.python': PYTHON, 'workbench.colorTheme': 'Default High Contrast' });
});
const step = story.step.bind(story);

function errors(shop) {
  return shop.gitmem('list', 'kind:error');
}

step('an error that is selected in an editor is recorded', async (window, shop) => {
  await window.openFile('till.log', 'Traceback');
  await window.status('gitmem');
  // A busy window loses keys; what is recorded already is only shown again.
  await until(async () => {
    await window.focusEditor();
    await window.page.keyboard.press('Control+A');
    await window.command('gitmem: Record the selected error text');
    const heading = window.recordPage().getByRole('heading', { name: "can't open a till of None" }).first();
    return heading.waitFor({ timeout: PATIENCE / 4 }).then(() => true, () => false);
  }, 'the record of what is selected in the editor');
  assert.match(errors(shop), /can't open a till of None/);
  await window.openView();
  await window.tree('Errors').click();
  await story.picture('contrast');
  await window.command('View: Show Explorer');
  await window.command('View: Close All Editors');
});

step('an error that is selected in a terminal is recorded', async (window, shop) => {
  await window.terminal('clear; cat stock.log');
  await window.terminalSays('is not defined');
  // A busy terminal may copy its selection later than it says.
  await until(async () => {
    await window.command('Terminal: Select All');
    await window.command('gitmem: Record the error selected in the terminal');
    const page = window.recordPage().getByText('pices').first();
    return page.waitFor({ timeout: PATIENCE / 4 }).then(() => true, () => false);
  }, 'the record of what is selected in the terminal');
  assert.match(errors(shop), /"pices" is not defined/);
  await window.endTerminals();
  await window.command('View: Close All Editors');
});

step('without a selection it says what to do', async (window) => {
  await window.terminal('true');
  await window.command('gitmem: Record the error selected in the terminal');
  await window.toast('Select the text of an error first').waitFor();
  await window.command('Notifications: Clear All Notifications');
  await window.endTerminals();
});

step('a decision about the lines that are selected is recorded in one step', async (window, shop) => {
  await window.openFile('price.ts', 'twelve');
  await window.clickWord('total');
  await window.command('gitmem: Record a decision here');
  await window.typeInto('One function sums.');
  await window.typeInto('One place to look at.');
  await window.recordPage().getByText('One place to look at.').first().waitFor();
  await story.picture('decision');
  assert.match(shop.gitmem('list', 'kind:decision'), /One function sums/);
  await window.command('View: Close All Editors');
});

step('records that belong to what is staged are proposed for staging', async (window, shop) => {
  shop.git('add', '-A');
  shop.git('commit', '-q', '-m', 'What was recorded');
  shop.gitmem('add', 'decision', '--title', 'Words are no prices', '--decision', 'Numbers only.', '--set', 'governs=[price.ts]');
  shop.gitmem('add', 'note', '--title', 'Something else', '--body', 'About nothing here.');
  shop.write('price.ts', 'export const prices: number[] = [12];\n');
  shop.git('add', 'price.ts');
  const toast = window.toast('Not staged yet, but part of this change: Words are no prices');
  await toast.waitFor();
  await window.page.waitForTimeout(500); // it slides in
  await story.picture('staging');
  await toast.locator('.monaco-button', { hasText: 'Stage them too' }).click();
  await until(() => /^A {2}\.memory\/decisions\/.*words-are-no-prices/m.test(shop.git('status', '--porcelain', '-uall')), 'it is staged');
  assert.match(shop.git('status', '--porcelain', '-uall'), /^\?\? \.memory\/notes\/.*something-else/m);
});

step('what was proposed once is proposed again when one asks', async (window, shop) => {
  await window.toast('Words are no prices').waitFor({ state: 'detached' });
  shop.git('rm', '-rq', '--cached', '.memory/decisions/*/*/words-are-no-prices*');
  await window.command('gitmem: Stage records that belong to the staged change');
  await window.toast('Words are no prices').waitFor();
});
