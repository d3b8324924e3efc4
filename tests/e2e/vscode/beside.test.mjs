// Beside an extension that documents a lot, and that came later: what is known stands above its words.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { until } from './editor.mjs';
import { PYTHON, Story } from './story.mjs';

const LOUD = `const vscode = require('vscode');
exports.activate = () => {
  setTimeout(() => {
    vscode.languages.registerHoverProvider({ scheme: 'file', language: 'typescript' }, {
      provideHover: () => new vscode.Hover('LOUD '.repeat(300)),
    });
    const found = vscode.languages.createDiagnosticCollection('loud');
    const price = vscode.workspace.textDocuments.find(({ fileName }) => fileName.endsWith('price.ts'));
    const one = new vscode.Diagnostic(new vscode.Range(2, 0, 2, 6), 'Too short.');
    one.source = 'loud';
    found.set(price.uri, [one]);
  }, 3000);
};
`;
const story = new Story(async ({ editor, run, shop }) => {
  shop.fill();
  editor.settings({ 'gitmem.python': PYTHON });
  const folder = join(run, 'loud');
  mkdirSync(folder);
  writeFileSync(join(folder, 'extension.js'), LOUD);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({
    name: 'loud', publisher: 'loud', version: '1.0.0', engines: { vscode: '^1.93.0' }, main: './extension.js',
    activationEvents: ['onLanguage:typescript'],
  }));
  const vsce = new URL('../../../vscode-extension/node_modules/.bin/vsce', import.meta.url).pathname;
  execFileSync(vsce, ['package', '--allow-missing-repository', '--skip-license', '--out', 'loud.vsix'], { cwd: folder });
  await editor.install(join(folder, 'loud.vsix'));
});

story.step('what is known stands above what another extension says', async (window) => {
  await window.openFile('price.ts', 'twelve');
  await window.status('1 known');
  await window.hover("'twelve'", 'LOUD');
  await until(async () => {
    const said = await window.hover("'twelve'", 'LOUD');
    return said.includes('gitmem') && said.indexOf('gitmem') < said.indexOf('LOUD');
  }, 'ours above theirs');
  await story.picture('beside');
});
