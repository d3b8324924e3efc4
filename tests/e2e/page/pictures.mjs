// Takes the pictures of docs/pages.md in a real Chromium: every page, at two widths and in two themes.
//   node pictures.mjs FOLDER      `make page-pictures` calls it, and puts them together.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Repository } from '../vscode/repository.mjs';
import { serve } from './serving.mjs';

const { GITMEM } = process.env;
const require = createRequire(new URL('../../../vscode-extension/package.json', import.meta.url));
const { chromium } = require('playwright-core');
const [out] = process.argv.slice(2);
const LOOKS = [[1280, 'light'], [390, 'light'], [390, 'dark'], [1280, 'dark']];
const TILL = `def close(till):
    return till["sum"] - till["change"]


if __name__ == "__main__":
    print(close({"sum": 5}))
`;

const run = mkdtempSync(join(tmpdir(), 'gitmem-page-pictures-'));
const shop = new Repository(join(run, 'shop'), GITMEM, join(run, 'home'));
let server, browser;
try {
  mkdirSync(out, { recursive: true });
  const pages = fill();
  server = await serve(shop);
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'],
  });
  for (const [width, colorScheme] of LOOKS) {
    const height = Math.max(700, Math.round(width * 0.7));
    const context = await browser.newContext({ viewport: { width, height }, colorScheme });
    const page = await context.newPage();
    page.setDefaultTimeout(120_000); // the doctor tries everything
    await page.goto(server.address);
    for (const [name, [path, ready]] of Object.entries(pages)) {
      await page.goto(new URL(`/r/shop${path}`, server.address).href);
      await ready?.(page);
      await page.screenshot({ path: join(out, `${name}-${width}-${colorScheme}.png`) });
    }
    await context.close();
  }
} finally {
  await browser?.close();
  await server?.stop();
  rmSync(run, { recursive: true, force: true });
}

/** Makes the history that the pictures show; gives each page's address, and what is done there first. */
function fill() {
  const error = shop.fill();
  shop.gitmem('config', '--team', 'capture.mode', 'draft');
  shop.write('till.py', TILL);
  shop.commit('The till');
  failing('till.py');
  shop.write('till.py', TILL.replace('till["change"]', 'till.get("change", 0)'));
  shop.gitmem('run', '--', 'python3', 'till.py');
  shop.gitmem('session', 'start', 'Unlock the till');
  shop.gitmem('session', 'log', 'note', 'The key is in the drawer.');
  shop.gitmem('session', 'log', 'change', 'price.ts', '--reason', 'a number, not a word');
  shop.gitmem('session', 'log', 'test', '--command', 'tsc', '--result', 'failed');
  shop.gitmem('session', 'end', '--success', '--summary', 'The till opens.');
  const [session] = JSON.parse(shop.gitmem('list', 'kind:session', '--json')).records;
  shop.commit('What was learnt');
  shop.git('switch', '-q', '-c', 'stamps');
  shop.write('stamps.py', 'import json\n\nprint(json.loads("{"))\n');
  shop.write('price.ts', 'export const prices: number[] = [13, 20];\n');
  shop.gitmem('add', 'decision', '--title', 'Stamps are counted by weight', '--decision', 'Weigh them.',
    '--set', 'governs=[stamps.py]');
  shop.commit('Stamps');
  failing('stamps.py');
  return {
    overview: ['/'],
    search: ['/search?q=price&why=on'],
    record: [`/record/${error}`, (page) => page.getByText('the change').first().click()],
    session: [`/session/${session.id}`],
    file: ['/file?path=price.ts'],
    graph: ['/graph', (page) => page.locator('[data-filter]').waitFor()],
    review: ['/review'],
    drafts: ['/drafts'],
    health: ['/health', tryDoctor],
    add: ['/new?kind=decision'],
  };
}

function failing(file) {
  try {
    shop.gitmem('run', '--', 'python3', file);
  } catch (failed) {
    if (failed.status !== 1) throw failed;
    return;
  }
  throw new Error(`${file} did not fail`);
}

async function tryDoctor(page) {
  await page.getByRole('link', { name: 'Try them' }).click();
  const first = page.locator('#doctor li').first();
  await first.waitFor();
  await first.evaluate((row, folder) => { row.lastChild.data = row.lastChild.data.replace(folder, '~'); }, run);
}
