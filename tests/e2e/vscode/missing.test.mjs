// A machine without gitmem: the extension says so, and its one button installs it.
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { PATIENCE } from './editor.mjs';
import { Story } from './story.mjs';

const story = new Story(({ editor, run, shop }) => {
  shop.fill();
  editor.settings({});
  return { path: bare(run) };
});

/** Gives a path with what the editor needs, and Pythons that have no gitmem. */
function bare(run) {
  const folder = join(run, 'bin');
  mkdirSync(folder);
  const programs = ['git', 'bash', 'sh', 'cat', 'ls', 'env', 'uname', 'grep', 'ps', 'python3', 'node'];
  for (const program of programs) {
    const found = which(program);
    if (found) symlinkSync(found, join(folder, program));
  }
  return folder;
}

function which(program) {
  try {
    // What stands in an environment may have gitmem: the machine's own does not.
    const path = '/usr/local/bin:/usr/bin:/bin';
    return execFileSync('sh', ['-c', `command -v ${program}`], { env: { PATH: path }, encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}

story.step('says that gitmem is missing, with one button', async (window) => {
  const toast = window.toast('gitmem is not installed on this machine');
  await toast.waitFor();
  assert.equal(await toast.locator('.monaco-button').count(), 1);
  await story.picture('missing');
});

story.step('the button installs it, and the memory is there', async (window, shop) => {
  await window.toast('gitmem is not installed').locator('.monaco-button').click();
  await window.page.locator('.statusbar-item', { hasText: 'known' }).or(
    window.page.locator('.statusbar-item[aria-label*="Search the memory"]'),
  ).first().waitFor({ timeout: 5 * PATIENCE });
  await window.openFile('price.ts', 'twelve');
  await window.hover("'twelve'", 'write 12, not twelve');
  assert.equal(shop.servers().length, 1);
});
