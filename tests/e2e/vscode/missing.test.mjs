// A machine without gitmem: the extension says so, and its one button installs it.
import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';

import { pathWithout } from './bare.mjs';
import { PATIENCE } from './editor.mjs';
import { Story } from './story.mjs';

// pip looks here first, as a user's own settings may tell it to.
process.env.PIP_FIND_LINKS = join(dirname(process.env.VSIX), 'wheel');

const story = new Story(({ editor, run, shop }) => {
  shop.fill();
  editor.settings({});
  return { path: pathWithout(run) };
});

story.step('says that gitmem is missing, with one button', async (window) => {
  const toast = window.toast('gitmem is not installed on this machine');
  await toast.waitFor();
  assert.equal(await toast.locator('.monaco-button').count(), 1);
  await story.picture('missing');
});

story.step('the button installs it, and the memory is there', async (window, shop) => {
  await window.toast('gitmem is not installed').locator('.monaco-button').click();
  await window.page.locator('.statusbar-item', { hasText: 'known' }).or(
    window.page.locator('.statusbar-item[aria-label*="No error of this file"]'),
  ).first().waitFor({ timeout: 5 * PATIENCE });
  await window.openFile('price.ts', 'twelve');
  await window.hover("'twelve'", 'write 12, not twelve');
  assert.equal(shop.servers().length, 1);
});
