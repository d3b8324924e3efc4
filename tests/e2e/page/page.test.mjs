// The page of `gitmem serve` in a real browser: every page, keys, forms, what is live.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { Repository } from '../vscode/repository.mjs';

const { GITMEM, OUT, PATIENCE = 60_000 } = process.env;
const require = createRequire(new URL('../../../vscode-extension/package.json', import.meta.url));
const { chromium } = require('playwright-core');
const axe = require('axe-core').source;

const run = mkdtempSync(join(tmpdir(), 'gitmem-page-'));
const shop = new Repository(join(run, 'shop'), GITMEM, join(run, 'home'));
const root = '/r/shop';
let error, session, server, address, browser;

before(async () => {
  mkdirSync(OUT, { recursive: true });
  error = shop.fill();
  shop.gitmem('session', 'start', 'Unlock the till');
  shop.gitmem('session', 'log', 'note', 'The key is in the drawer.');
  shop.gitmem('session', 'log', 'change', 'price.ts', '--reason', 'a number, not a word');
  shop.gitmem('session', 'log', 'test', '--command', 'tsc', '--result', 'failed');
  shop.gitmem('session', 'end', '--success', '--summary', 'The till opens.');
  [session] = JSON.parse(shop.gitmem('list', 'kind:session', '--json')).records;
  shop.commit('What was learnt');
  server = spawn(GITMEM, ['serve', '--no-browser'], { cwd: shop.folder, env: shop.env });
  address = await new Promise((resolve, reject) => {
    let said = '';
    server.stderr.on('data', (data) => {
      const line = /http:\/\/127\.0\.0\.1:\d+\/\?token=\S+/.exec((said += data));
      if (line) resolve(line[0]);
    });
    server.once('exit', () => reject(new Error(said)));
  });
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'],
  });
});

after(async () => {
  await browser?.close();
  if (server?.exitCode === null) {
    const gone = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGINT');
    await gone;
  }
  rmSync(run, { recursive: true, force: true });
});

/** Opens a page as somebody does who followed the printed address; what went wrong is noted. */
async function open(path, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(Number(PATIENCE));
  page.faults = [];
  page.on('pageerror', (fault) => page.faults.push(String(fault)));
  page.on('console', (line) => line.type() === 'error' && page.faults.push(line.text()));
  await page.goto(address);
  await page.goto(new URL(root + path, address).href);
  return page;
}

const pages = () => ({
  overview: '/', search: '/search?q=price', why: '/search?q=price&why=on', record: `/record/${error}`,
  sessions: '/sessions', session: `/session/${session.id}`, file: '/file?path=price.ts',
  review: '/review', drafts: '/drafts', health: '/health',
});

for (const width of [390, 1280, 2560]) {
  for (const colorScheme of ['light', 'dark']) {
    test(`every page can be read by all, ${width} px, ${colorScheme}`, async () => {
      const page = await open('/', { viewport: { width, height: 800 }, colorScheme });
      for (const [name, path] of Object.entries(pages())) {
        await page.goto(new URL(root + path, address).href);
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => globalThis.axe.run({
          runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
        }));
        const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`);
        assert.deepEqual(told, [], name);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${name} is ${wide} px too wide`);
        await page.screenshot({ path: join(OUT, `page-${name}-${width}-${colorScheme}.png`), fullPage: true });
      }
      assert.deepEqual(page.faults, []);
      await page.context().close();
    });
  }
}

test('a search is answered while it is typed, and its hits are gone through by keys', async () => {
  const page = await open('/');
  await page.keyboard.press('/');
  await page.keyboard.type('zzz');
  await page.keyboard.press('Enter');
  await page.getByText('Nothing found').waitFor();
  await page.locator('main input[type=search]').fill('');
  await page.keyboard.type('cents');
  await page.locator('.hits li', { hasText: 'Prices are whole cents' }).first().waitFor();
  assert.match(page.url(), /q=cents/);
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Prices are whole cents', level: 1 }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('heading', { name: 'Keys' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Keys' }).waitFor({ state: 'hidden' });
  await page.context().close();
});

test('a session is gone through step by step', async () => {
  const page = await open(`/session/${session.id}`);
  const steps = page.locator('#steps > li');
  const all = await steps.count();
  assert.ok(all >= 3, 'a note, a run, a change');
  const slider = page.getByRole('slider', { name: 'Step' });
  await slider.focus();
  await page.keyboard.press('Home');
  assert.equal(await page.locator('#steps > li:visible').count(), 1);
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.locator('#steps > li:visible').count(), 2);
  assert.match(await slider.getAttribute('aria-valuetext'), new RegExp(`^2 of ${all}: `));
  await page.keyboard.press('End');
  assert.equal(await page.locator('#steps > li:visible').count(), all);
  await page.context().close();
});

test('what is recorded in a terminal shows by itself, and the page stays in use', async () => {
  const page = await open('/search?q=shutter');
  await page.getByText('Nothing').first().waitFor();
  shop.gitmem('add', 'note', '--title', 'The shutter sticks', '--body', 'Oil it.');
  await page.locator('.hits li', { hasText: 'The shutter sticks' }).first().waitFor();
  await page.locator('main input[type=search]').fill('cents');
  await page.locator('.hits li', { hasText: 'Prices are whole cents' }).first().waitFor();
  await page.context().close();
});

test('an attempt is recorded with a form', async () => {
  const page = await open(`/record/${error}`);
  await page.getByText('Record an attempt to fix it').click();
  await page.getByLabel('What was done').fill('Ask the till');
  await page.getByLabel('Outcome').selectOption('failed');
  await page.getByLabel('Why it failed').fill('It does not talk.');
  await page.getByRole('button', { name: 'Record it' }).click();
  await page.locator('.timeline li', { hasText: 'Ask the till' }).getByText('It does not talk.').waitFor();
  assert.match(shop.gitmem('attempts', error), /Ask the till/);
  await page.context().close();
});

test('who did not follow the printed address sees nothing', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const answer = await page.goto(new URL(`${root}/`, address).href);
  assert.equal(answer.status(), 401);
  assert.doesNotMatch(await page.content(), /price/i);
  await context.close();
});
