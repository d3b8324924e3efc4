// The page of `gitmem serve` in a real browser: every page, keys, forms, what is live.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { Repository } from '../vscode/repository.mjs';
import { serve } from './serving.mjs';

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
  server = await serve(shop);
  address = server.address;
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'],
  });
});

after(async () => {
  await browser?.close();
  await server?.stop();
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
  review: '/review', drafts: '/drafts', health: '/health', files: '/file', graph: '/graph',
  origin: `/record/${error}/origin`, new: '/new?kind=decision',
  german: '/?language=de',
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
  await page.waitForURL(/q=cents/);
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Prices are whole cents', level: 1 }).waitFor();
  await page.waitForLoadState();
  await page.keyboard.press('?');
  await page.getByRole('heading', { name: 'Keys' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Keys' }).waitFor({ state: 'hidden' });
  await page.context().close();
});

test('what is typed before the scripts of a page run is searched for', async () => {
  const page = await open('/');
  let release;
  const released = new Promise((resolve) => { release = resolve; });
  await page.route(/(htmx\.min|live)\.js$/, (route) => released.then(() => route.continue())); // the deferred ones
  await page.goto(new URL(`${root}/search`, address).href, { waitUntil: 'commit' });
  await page.locator('main input[type=search]').fill('cents');
  assert.equal(await page.evaluate(() => document.readyState), 'interactive');
  release();
  await page.locator('.hits li', { hasText: 'Prices are whole cents' }).first().waitFor();
  await page.waitForURL(/q=cents/);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('a page that somebody comes back to shows what changed meanwhile, and goes on doing so', async () => {
  const page = await open('/sessions');
  await page.goto(new URL(`${root}/health`, address).href);
  shop.gitmem('session', 'start', 'Count the stamps');
  await page.goBack();
  await page.getByText('Count the stamps').first().waitFor();
  shop.gitmem('session', 'end', '--success', '--summary', 'Twelve.');
  await page.locator('h2', { hasText: 'Ended' }).locator('..').getByText('Count the stamps').waitFor();
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('the graph is moved, zoomed and filtered, by mouse and by keys', async () => {
  const page = await open('/graph?people=on');
  const drawing = page.locator('.graph svg');
  const box = async () => (await drawing.getAttribute('viewBox')).split(' ').map(Number);
  await page.locator('[data-filter]').waitFor();
  const whole = await box();
  await page.getByRole('button', { name: 'Larger' }).click();
  const near = await box();
  assert.ok(near[2] < whole[2], `${near} is not nearer than ${whole}`);
  const place = await drawing.boundingBox();
  await page.mouse.move(place.x + 5, place.y + 5);
  await page.mouse.down();
  await page.mouse.move(place.x + 105, place.y + 45, { steps: 5 });
  await page.mouse.up();
  const moved = await box();
  assert.ok(moved[0] < near[0] && moved[1] < near[1], `${moved} is where ${near} was`);
  await drawing.focus();
  await page.keyboard.press('ArrowRight');
  assert.ok((await box())[0] > moved[0]);
  await page.keyboard.press('+');
  assert.ok((await box())[2] < moved[2]);
  await page.keyboard.press('0');
  assert.deepEqual(await box(), whole);
  const shown = (kind) => page.locator(`.graph .nodes > a[data-kind=${kind}]:visible`).count();
  assert.ok(await shown('file') > 0 && await shown('person') > 0 && await shown('error') > 0);
  await page.locator('[data-filter] label', { hasText: 'file' }).click();
  assert.equal(await shown('file'), 0);
  await page.getByLabel('Show only what has these words').fill('whole cents');
  assert.equal(await shown('error'), 0);
  assert.equal(await shown('decision'), 1);
  await page.locator('.graph .nodes > a[data-kind=decision]').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Prices are whole cents', level: 1 }).waitFor();
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('on paper stands what a page says, without its forms, and dark ink', async () => {
  const page = await open('/graph', { colorScheme: 'dark' });
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.locator('.list li', { hasText: 'Prices are whole cents' }).first().waitFor();
  assert.equal(await page.locator('form:visible').count(), 0);
  const ink = await page.locator('.list .soft').first().evaluate((one) => getComputedStyle(one).color);
  assert.ok(Math.max(...ink.match(/\d+/g).slice(0, 3).map(Number)) < 128, ink);
  await page.context().close();
});

test('labels of the graph do not lie on each other', async () => {
  for (let number = 0; number < 12; number += 1) {
    shop.gitmem('add', 'decision', '--title', `The drawer number ${number} stays locked`, '--decision', 'Yes.',
      '--set', 'governs=[drawer.ts]');
  }
  const page = await open('/graph?start=drawer.ts&people=on');
  await page.locator('[data-filter]').waitFor();
  const covered = await page.locator('.graph text').evaluateAll((texts) => {
    const boxes = texts.map((text) => text.getBoundingClientRect());
    const on = (one, other) => one.left < other.right && other.left < one.right
      && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > one.height / 2;
    return texts.filter((_, at) => boxes.some((box, other) => other > at && on(boxes[at], box))).map((text) => text.textContent);
  });
  assert.deepEqual(covered, []);
  await page.context().close();
});

test('what stands in the graph stands below it as a list', async () => {
  const page = await open('/graph');
  await page.getByText('As a list').click();
  await page.locator('.list li', { hasText: 'Prices are whole cents' }).getByText('price.ts').waitFor();
  await page.context().close();
});

test('a browser that prefers German is spoken to in German, until somebody chooses', async () => {
  const page = await open('/search?q=price', { locale: 'de-DE' });
  await page.getByRole('button', { name: 'Suche' }).waitFor();
  await page.getByRole('link', { name: 'English' }).click();
  await page.getByRole('button', { name: 'Search' }).waitFor();
  assert.match(page.url(), /search\?q=price$/);
  await page.goto(new URL(`${root}/health`, address).href);
  await page.getByRole('heading', { name: 'Health' }).waitFor();
  await page.context().close();
});

test('where a record comes from is shown on demand', async () => {
  const page = await open(`/record/${error}`);
  await page.getByRole('link', { name: 'provenance and blame' }).click();
  await page.locator('#origin').getByText('A price as a word').first().waitFor();
  assert.equal(await page.locator('main h1').count(), 1);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('a record is added with a form', async () => {
  const page = await open('/new?kind=note');
  await page.getByLabel('title').fill('The drawer jams');
  await page.getByLabel('Text').fill('Push it.');
  await page.getByRole('button', { name: 'Record it' }).click();
  await page.getByRole('heading', { name: 'The drawer jams', level: 1 }).waitFor();
  assert.match(shop.gitmem('list', 'kind:note'), /The drawer jams/);
  await page.context().close();
});

test('hostile records run nothing and break out of nothing, on any page', async () => {
  const hostile = new Repository(join(run, 'hostile'), GITMEM, join(run, 'home'));
  hostile.git('init', '-q', '-b', 'main');
  hostile.gitmem('init');
  const corpus = new URL('../../redteam/', import.meta.url);
  const ids = [];
  for (const name of readdirSync(corpus).filter((one) => one.endsWith('.yaml'))) {
    const text = readFileSync(new URL(name, corpus), 'utf8');
    const [, id] = /^id: (\S+)$/m.exec(text);
    const [, kind] = /^kind: (\S+)$/m.exec(text);
    ids.push(id);
    hostile.write(`.memory/${kind}s/${name}`, text);
  }
  const nasty = '"><script>alert(1)</script><img src=x onerror=alert(1)><svg/onload=alert(1)>';
  for (const kind of ['error', 'decision', 'note']) {
    const fields = { error: ['--type', nasty, '--message', nasty], decision: ['--title', nasty, '--decision', nasty],
      note: ['--title', `javascript:alert(1) ${nasty}`, '--body', nasty.repeat(800)] }[kind];
    hostile.gitmem('add', kind, ...fields);
  }
  hostile.gitmem('add', 'decision', '--title', 'x', '--decision', 'x', '--set', `governs=['a"onmouseover="alert(1).py', "</title><script>alert(1)</script>.py"]`);
  ids.push(...JSON.parse(hostile.gitmem('list', '--json')).records.map((one) => one.id));
  hostile.commit(nasty);
  const other = await serve(hostile);
  try {
    const context = await browser.newContext();
    const page = await context.newPage();
    const ran = [];
    page.on('dialog', (dialog) => { ran.push(dialog.message()); dialog.dismiss(); });
    page.on('console', (line) => line.type() === 'error' && ran.push(line.text()));
    page.on('pageerror', (fault) => ran.push(String(fault)));
    page.on('request', (asked) => {
      if (new URL(asked.url()).origin !== new URL(other.address).origin) ran.push(asked.url());
    });
    await page.goto(other.address);
    const asked = encodeURIComponent(nasty);
    const paths = ['/', '/search', `/search?q=alert&why=on`, `/search?q=${asked}`, '/sessions', '/graph',
      '/file', `/file?path=${asked}`, '/review', '/drafts', '/health', '/health/stale', '/new', `/new?kind=${asked}`,
      ...new Set(ids.map((id) => `/record/${id}`)), `/record/${ids[0]}/origin`,
      ...ids.filter((id) => id.startsWith('ses')).map((id) => `/session/${id}`)];
    for (const path of paths) {
      await page.goto(new URL(`/r/hostile${path}`, other.address).href);
      const found = await page.evaluate(() => ({
        scripts: [...document.scripts].filter((one) => !one.src).length,
        handlers: [...document.querySelectorAll('*')].filter((one) => [...one.attributes].some(({ name }) => name.startsWith('on'))).length,
        images: document.images.length,
        links: [...document.querySelectorAll('a[href], form[action]')].map((one) => one.href?.baseVal ?? one.href ?? one.action)
          .filter((href) => !/^(http:\/\/127\.0\.0\.1:|vscode:\/\/file\/|\/|\?)/.test(href)),
        hidden: /[\u200b-\u200f\u202a-\u202e\u2066-\u2069]/.test(document.title),
      }));
      assert.deepEqual(found, { scripts: 0, handlers: 0, images: 0, links: [], hidden: false }, path);
    }
    assert.deepEqual(ran.filter((one) => !/404|400|422/.test(one)), []);
    await context.close();
  } finally {
    await other.stop();
  }
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
  assert.match(shop.gitmem('runs', 'attempts', error), /Ask the till/);
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
