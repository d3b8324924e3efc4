// A folder that nobody trusts yet: what lies in it is not run.
import assert from 'node:assert/strict';
import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';

import { until } from './editor.mjs';
import { PYTHON, Story } from './story.mjs';

let ran;
const story = new Story(({ editor, run, shop }) => {
  shop.fill();
  ran = join(run, 'ran');
  shop.write('evil/python', `#!/bin/sh\ntouch ${ran}\nexec ${PYTHON} "$@"\n`);
  chmodSync(join(shop.folder, 'evil/python'), 0o755);
  shop.write('.vscode/settings.json', JSON.stringify({ 'gitmem.python': join(shop.folder, 'evil/python') }));
  // A module of this name in the folder must not be taken for ours either.
  shop.write('gitmem/__init__.py', `open(${JSON.stringify(ran)}, 'w')\n`);
  editor.settings({
    'gitmem.python': PYTHON,
    'security.workspace.trust.startupPrompt': 'never',
    'security.workspace.trust.banner': 'never',
  });
  return { trust: false };
});

story.step('the memory is there, from the Python that the user chose', async (window, shop) => {
  await window.status('Restricted Mode');
  await window.openView();
  await window.expand(window.tree('Decisions'), window.tree('Prices are whole cents'));
  assert.equal(shop.servers().length, 1);
  assert.ok(!existsSync(ran));
});

story.step('once it is trusted, its own setting counts', async (window) => {
  await window.command('Workspaces: Manage Workspace Trust');
  await window.page.locator('.workspace-trust-editor .monaco-button', { hasText: 'Trust' }).first().click();
  await until(() => existsSync(ran), 'the program of its own setting is run');
});
