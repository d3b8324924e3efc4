// The pages of `gitmem hub serve` in a real browser: every page, keys, widths, hostile texts.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';

import { Repository } from '../vscode/repository.mjs';

const { GITMEM, OUT, PATIENCE = 60_000 } = process.env;
const require = createRequire(new URL('../../../vscode-extension/package.json', import.meta.url));
const { chromium } = require('playwright-core');
const axe = require('axe-core').source;

const run = mkdtempSync(join(tmpdir(), 'gitmem-hub-'));
const NASTY = '"><script>alert(1)</script><img src=x onerror=alert(1)><svg/onload=alert(1)>';
const TRACE = `Traceback (most recent call last):
  File "src/till.py", line 7, in open
    raise TillError("the drawer does not open")
TillError: the drawer does not open
`;
let hub, address, token, browser, error;

/** Makes a repository that publishes what it knows. */
function publishing(name) {
  const repository = new Repository(join(run, name), GITMEM, join(run, 'home'));
  const id = repository.fill();
  repository.gitmem('config', 'hub.publish', 'true', '--team');
  repository.write('log.txt', TRACE);
  repository.gitmem('runs', 'capture', 'log.txt', '--record');
  return { repository, id };
}

function hostile() {
  const { repository } = publishing('hostile');
  const corpus = new URL('../../redteam/', import.meta.url);
  for (const name of readdirSync(corpus).filter((one) => one.endsWith('.yaml'))) {
    const text = readFileSync(new URL(name, corpus), 'utf8');
    repository.write(`.memory/${/^kind: (\S+)$/m.exec(text)[1]}s/${name}`, text);
  }
  repository.gitmem('add', 'error', '--type', NASTY, '--message', NASTY);
  repository.gitmem('add', 'decision', '--title', NASTY, '--decision', NASTY);
  repository.gitmem('add', 'note', '--title', `javascript:alert(1) ${NASTY}`, '--body', NASTY.repeat(800));
  repository.gitmem('add', 'note', '--title', 'W'.repeat(190), '--body', 'x'.repeat(4000));
  return repository;
}

before(async () => {
  mkdirSync(OUT, { recursive: true });
  const repositories = { 'payments/api': publishing('api'), 'shop/web-frontend-of-the-old-till': publishing('web') };
  error = repositories['payments/api'].id;
  const named = Object.entries(repositories).map(([name, { repository }]) => [name, repository]);
  named.push([`evil/${'long'.repeat(20)}`, hostile()]);
  for (const [, repository] of named) repository.commit('What was learnt');
  const program = new URL('hub.py', import.meta.url).pathname;
  hub = spawn(join(dirname(GITMEM), 'python'), [program, join(run, 'hub'),
    ...named.map(([name, { folder }]) => `${name}=${folder}`)], { env: { ...process.env, HOME: join(run, 'home') } });
  [token, address] = await new Promise((resolve, reject) => {
    let said = '';
    hub.stderr.on('data', (data) => {
      const told = /(gmh_\S+)[^]*(http:\/\/127\.0\.0\.1:\d+)/.exec((said += data));
      if (told) resolve(told.slice(1));
    });
    hub.once('exit', () => reject(new Error(said)));
  });
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'],
  });
});

after(async () => {
  await browser?.close();
  if (hub?.exitCode === null) {
    const gone = new Promise((resolve) => hub.once('exit', resolve));
    hub.kill('SIGINT');
    await gone;
  }
  rmSync(run, { recursive: true, force: true });
});

/** Opens a page as somebody does who signed in; what went wrong is noted. */
async function open(path, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(Number(PATIENCE));
  page.faults = [];
  page.on('dialog', (dialog) => { page.faults.push(dialog.message()); dialog.dismiss(); });
  page.on('pageerror', (fault) => page.faults.push(String(fault)));
  page.on('console', (line) => line.type() === 'error' && !/401/.test(line.text()) && page.faults.push(line.text()));
  page.on('request', (asked) => {
    if (new URL(asked.url()).origin !== address) page.faults.push(asked.url());
  });
  await page.goto(address + path);
  await page.getByRole('textbox', { name: /token/i }).fill(token);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /ada/ }).waitFor();
  return page;
}

const pages = () => ({
  overview: '/', failures: '/failures', fixes: '/fixes', repositories: '/repositories', newest: '/search',
  search: '/search?q=price', pasted: `/search?q=${encodeURIComponent(TRACE)}`, nothing: '/search?q=zzzz',
  repository: '/r/payments/api/', record: `/r/payments/api/record/${error}`, unknown: '/r/payments/api/record/err-0',
  german: '/?language=de',
});

for (const width of [390, 1280]) {
  for (const colorScheme of ['light', 'dark']) {
    test(`every page can be read by all, ${width} px, ${colorScheme}`, async () => {
      const page = await open('/', { viewport: { width, height: 800 }, colorScheme });
      for (const [name, path] of Object.entries(pages())) {
        await page.goto(address + path);
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => globalThis.axe.run({
          runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
        }));
        const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`);
        assert.deepEqual(told, [], name);
        assert.equal(await page.getByRole('button', { name: /ada/ }).count(), 1, `signed in on ${name}`);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${name} is ${wide} px too wide`);
        await page.screenshot({ path: join(OUT, `hub-${name}-${width}-${colorScheme}.png`), fullPage: true });
      }
      assert.deepEqual(page.faults.filter((one) => !/404/.test(one)), []);
      await page.context().close();
    });
  }
}

test('a page that was asked for is shown after the token, and nothing without one', async () => {
  const page = await open('/fixes?a=b');
  assert.equal(page.url(), `${address}/fixes?a=b`);
  await page.getByRole('heading', { name: 'Who fixed what', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Sign out ada' }).click();
  await page.getByRole('textbox', { name: 'Your token' }).fill('gmh_wrong');
  await page.keyboard.press('Enter');
  await page.getByText('This token is not known here.').waitFor();
  assert.doesNotMatch(await page.content(), /payments/);
  await page.context().close();
});

test('one goes from a failure to what fixed it elsewhere by keys alone', async () => {
  const page = await open('/');
  const isThere = () => document.activeElement.matches('a') && /not assignable/.test(document.activeElement.textContent);
  for (let steps = 0; steps < 20 && !(await page.evaluate(isThere)); steps += 1) {
    await page.keyboard.press('j'); // what as many repositories have is in no order of its own
  }
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: /not assignable/, level: 1 }).waitFor();
  await page.getByText('Quoted from').waitFor();
  await page.getByRole('link', { name: 'A price is a number' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'A price is a number', level: 1 }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('heading', { name: 'Keys' }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await page.keyboard.type('cents kind:decision');
  await page.keyboard.press('Enter');
  await page.locator('.hits li', { hasText: 'Prices are whole cents' }).first().waitFor();
  assert.equal(await page.locator('.hits li').count(), 3);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('a key counts as soon as the page is seen, however slowly its scripts come', async () => {
  const page = await open('/');
  await page.route('**/*.js', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await route.continue();
  });
  await page.goto(`${address}/fixes`, { waitUntil: 'commit' });
  await page.getByRole('heading', { name: 'Who fixed what', level: 1 }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('heading', { name: 'Keys' }).waitFor({ timeout: 5000 });
  await page.context().close();
});

test('a pasted error keeps its lines, and is the same message elsewhere', async () => {
  for (const field of ['header input[type=search]', 'main input[type=search]']) {
    const page = await open('/search', { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.evaluate((text) => navigator.clipboard.writeText(text), TRACE);
    await page.locator(field).focus();
    await page.keyboard.press('Control+V');
    await page.getByText('same message').first().waitFor();
    assert.equal(await page.locator('.hits li', { hasText: 'TillError' }).count(), 3);
    assert.equal(await page.locator('textarea').inputValue(), TRACE.trim());
    await page.getByRole('main').getByRole('button', { name: 'Search' }).click();
    await page.getByText('same message').first().waitFor();
    await page.keyboard.press('/');
    assert.ok(await page.locator('textarea').evaluate((one) => one === document.activeElement));
    assert.deepEqual(page.faults, []);
    await page.context().close();
  }
});

test('part of a name finds a repository', async () => {
  const page = await open('/');
  await page.getByRole('link', { name: 'Repositories', exact: true }).click();
  await page.getByRole('searchbox', { name: 'Part of a name' }).fill('FRONTEND');
  await page.keyboard.press('Enter');
  await page.getByText('1 repository').waitFor();
  await page.getByRole('link', { name: 'shop/web-frontend-of-the-old-till' }).click();
  await page.getByText('5 records').waitFor();
  await page.context().close();
});

test('hostile records run nothing and break out of nothing, on any page', async () => {
  const page = await open('/search?q=alert');
  const links = () => page.evaluate(() => [...document.querySelectorAll('main a')].map((one) => one.getAttribute('href')));
  const paths = new Set(['/', '/failures', '/fixes', '/repositories', '/search', `/search?q=${encodeURIComponent(NASTY)}`,
    `/search?q=${encodeURIComponent(`${NASTY}\n</textarea>${NASTY}`)}`, `/repositories?q=${encodeURIComponent(NASTY)}`, ...await links()]);
  for (const listing of ['/repositories', '/search']) {
    await page.goto(address + listing);
    for (const href of await links()) paths.add(href);
  }
  await page.goto(address + [...paths].find((path) => path.includes('evil') && path.endsWith('/')));
  for (const href of await links()) paths.add(href);
  assert.ok(paths.size > 30, `${paths.size} pages`);
  for (const path of paths) {
    assert.match(path, /^\/(?!\/)/);
    await page.goto(address + path);
    const found = await page.evaluate(() => ({
      scripts: [...document.scripts].filter((one) => !one.src).length,
      handlers: [...document.querySelectorAll('*')].filter((one) => [...one.attributes].some(({ name }) => name.startsWith('on'))).length,
      images: document.images.length,
      bold: document.querySelectorAll('main b').length,
      links: [...document.querySelectorAll('a[href], form[action]')].map((one) => one.href ?? one.action)
        .filter((href) => !href.startsWith(location.origin)),
      hidden: /[\u200b-\u200f\u202a-\u202e\u2066-\u2069]/.test(document.title),
      wide: Math.max(document.documentElement.scrollWidth - innerWidth, 0),
    }));
    assert.deepEqual(found, { scripts: 0, handlers: 0, images: 0, bold: 0, links: [], hidden: false, wide: 0 }, path);
  }
  assert.deepEqual(page.faults.filter((one) => !/400|404|422/.test(one)), []);
  await page.context().close();
});
