// Checks that every text of the extension can be translated, that every name in package.json
// has one, and that every translation is whole. `npm run texts` writes l10n/bundle.l10n.json anew.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const here = import.meta.dirname ?? new URL('.', import.meta.url).pathname;
const read = (path) => readFileSync(join(here, path), 'utf8');
const wrong = [];

const scratch = mkdtempSync(join(tmpdir(), 'gitmem-texts-'));
try {
  const program = join(here, 'node_modules/.bin/vscode-l10n-dev');
  execFileSync(program, ['export', '--outDir', scratch, 'src'], { cwd: here, stdio: 'ignore' });
  const now = readFileSync(join(scratch, 'bundle.l10n.json'), 'utf8');
  if (JSON.stringify(JSON.parse(now)) !== JSON.stringify(JSON.parse(read('l10n/bundle.l10n.json')))) {
    wrong.push('l10n/bundle.l10n.json is not what src/ says; run: npm run texts');
  }
} finally {
  rmSync(scratch, { recursive: true });
}

const texts = JSON.parse(read('package.nls.json'));
const used = new Set([...read('package.json').matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key));
for (const key of used) if (!(key in texts)) wrong.push(`package.nls.json lacks ${key}`);
for (const key of Object.keys(texts)) if (!used.has(key)) wrong.push(`package.nls.json: nobody uses ${key}`);

// What must be the same in every language: places for values, commands of links, code, line ends.
const fixed = (text) => (text.match(/\{\d+\}|\(command:[^)]*\)|`[^`]*`|\n/g) ?? []).sort().join(' ');
const same = (name, own, other) => {
  for (const key of Object.keys(own)) {
    if (!other[key]?.trim()) wrong.push(`${name} lacks: ${key}`);
    else if (fixed(own[key]) !== fixed(other[key])) wrong.push(`${name} has other places or code: ${key}`);
  }
  for (const key of Object.keys(other)) if (!(key in own)) wrong.push(`${name}: nobody uses ${key}`);
};
const bundle = JSON.parse(read('l10n/bundle.l10n.json'));
const languages = (names, pattern) => names.map((name) => pattern.exec(name)?.[1]).filter(Boolean).sort();
const ofBundle = languages(readdirSync(join(here, 'l10n')), /^bundle\.l10n\.(.+)\.json$/);
const ofPackage = languages(readdirSync(here), /^package\.nls\.(.+)\.json$/);
if (String(ofBundle) !== String(ofPackage)) wrong.push(`l10n/ has ${ofBundle}, package.nls has ${ofPackage}`);
for (const one of ofBundle) same(`bundle.l10n.${one}.json`, bundle, JSON.parse(read(`l10n/bundle.l10n.${one}.json`)));
for (const one of ofPackage) same(`package.nls.${one}.json`, texts, JSON.parse(read(`package.nls.${one}.json`)));

for (const line of wrong) console.error(line);
process.exitCode = wrong.length ? 1 : 0;
