// Takes the pictures of docs/editors.md in a real VS Code: moments that people meet.
//   node pictures.mjs FOLDER THEME-WIDTH…   looks as dark-1280, light-800, contrast-1280
// The environment is that of `make test-vscode`. `make pictures` calls it.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { pathWithout } from './bare.mjs';
import { Editor, until, Window } from './editor.mjs';
import { Repository } from './repository.mjs';

const { GITMEM, VSIX, EDITOR } = process.env;
const THEMES = { dark: 'Default Dark Modern', light: 'Default Light Modern', contrast: 'Default High Contrast' };
const DRAWN = { dark: '.vs-dark', light: '.vs', contrast: '.hc-black' };
const [out, ...looks] = process.argv.slice(2);

const TILL = `export type Till = { sum: number };

export function close(till: Till): number {
  return till.amount;
}
`;
const BASKET = `type Basket = { apple: number };

export const basket: Basket = { apple: 3 };
export const count: number = basket.pear;
`;

const run = mkdtempSync(join(tmpdir(), 'gitmem-pictures-'));
const editor = new Editor(EDITOR, run);
const opened = [];
try {
  mkdirSync(out, { recursive: true });
  const shop = new Repository(join(run, 'shop'), GITMEM, editor.home);
  fill(shop);
  const folder = (name, ready) => {
    const made = new Repository(join(run, name), GITMEM, editor.home);
    made.git('init', '-q', '-b', 'main');
    made.write('price.ts', 'export const price = 12;\n');
    if (ready) made.gitmem('init');
    made.commit('Prices');
    return made.folder;
  };
  await editor.install(VSIX);
  const python = join(dirname(GITMEM), 'python');
  await moments({}, { 'gitmem.python': python }, [
    [folder('without'), { 'no-memory': view('gitmem is not set up') }],
    [folder('begun', true), { empty: view('Nothing is recorded yet') }],
    [shop.folder, {
      known: hover('price.ts', "'twelve'", 'decision for this file'),
      failed: hover('till.ts', 'amount', 'Rename the field'),
      similar: hover('basket.ts', 'pear', 'similar'),
      advice: hover('stock.ts', 'misspelled', 'general advice'),
      recording, applying, tree, search, review, dashboard,
    }],
  ]);
  await moments({ path: pathWithout(run) }, {}, [[shop.folder, { missing }]]);
} finally {
  for (const one of opened.reverse()) await (one.close?.() ?? one.stop());
  rmSync(run, { recursive: true, force: true });
}

/** Takes some moments of some folders, in every look. */
async function moments(how, settings, folders) {
  editor.settings({ ...settings, 'gitmem.codeLens': false });
  await editor.start(how);
  opened.push(editor);
  for (const [number, [folder, taken]] of folders.entries()) {
    const window = await Window.open(editor, folder, join(run, `window-${number}`));
    opened.push(window);
    for (const look of looks) {
      const [theme, width] = look.split('-');
      editor.settings({ ...settings, 'workbench.colorTheme': THEMES[theme] });
      await window.page.setViewportSize({ width: Number(width), height: Math.max(600, Math.round(Number(width) * 0.625)) });
      await window.page.waitForSelector(`.monaco-workbench${DRAWN[theme]}`);
      for (const [name, show] of Object.entries(taken)) {
        await show(window, Number(width) < 1000);
        await window.page.waitForTimeout(1000); // it may fade or slide in
        const named = looks.length > 1 ? `${name}-${look}` : name;
        await window.page.screenshot({ path: join(out, `vscode-${named}.png`) });
        await window.page.keyboard.press('Escape');
      }
    }
    await window.close();
  }
  await editor.stop();
}

/** The history that the pictures show: one fix that worked, attempts that did not, a decision. */
function fill(shop) {
  shop.fill();
  shop.write('till.ts', TILL);
  shop.write('basket.ts', BASKET);
  const recorded = (line) => {
    shop.write('tsc.log', `${line}\n`);
    shop.gitmem('runs', 'capture', 'tsc.log', '--record');
    return JSON.parse(shop.gitmem('list', 'kind:error', '--limit', '1', '--json')).records[0].id;
  };
  const till = recorded("till.ts(4,15): error TS2339: Property 'amount' does not exist on type 'Till'.");
  const failed = (what, why) => shop.gitmem('resolve', till, what, '--outcome', 'failed', '--why-failed', why);
  failed('Rename the field to amount', 'The stock still writes sum.');
  failed('Cast the till to any', 'Closing then gave NaN.');
  const drawer = recorded("drawer.ts(2,9): error TS2339: Property 'coins' does not exist on type 'Drawer'.");
  shop.gitmem('resolve', drawer, 'Declare the field in the type, with its default', '--verified-by', 'tsc');
  shop.gitmem('add', 'note', '--title', 'The stock is counted on Fridays', '--body', 'By hand.', '--tag', 'stock');
  shop.commit('The till');
  shop.git('switch', '-q', '-c', 'till-locks');
  shop.gitmem('add', 'decision', '--title', 'The till locks itself', '--decision', 'It locks after a minute.',
    '--rationale', 'Nobody has to think of it.', '--set', 'governs=[till.ts]');
  shop.gitmem('session', 'start', 'Lock the till');
}

async function sides(window, narrow) {
  const bar = window.page.locator('.part.sidebar');
  const wanted = !narrow;
  await until(async () => {
    if ((await bar.isVisible()) === wanted) return true;
    await window.command('View: Toggle Primary Side Bar Visibility');
    return false;
  }, 'the side bar');
}

function view(text) {
  return async (window) => {
    await window.command('View: Show gitmem');
    await window.page.locator('.welcome-view-content:visible', { hasText: text }).waitFor();
  };
}

function hover(file, word, text) {
  return async (window, narrow) => {
    await sides(window, narrow);
    await window.openFile(file, word);
    await window.page.locator('.squiggly-error').first().waitFor();
    await window.clickWord('export');
    await window.hover(word, text);
  };
}

async function recording(window, narrow) {
  await sides(window, narrow);
  await window.openFile('till.ts', 'amount');
  await window.quickFix('amount', 'Record what fixed it').then((row) => row.click());
  await window.page.locator('.quick-input-widget:visible input[type="text"]').first().fill('Close the till by its sum');
}

async function applying(window, narrow) {
  await sides(window, narrow);
  await window.openFile('price.ts', 'twelve');
  await window.quickFix("'twelve'", 'Apply past fix');
}

async function tree(window, narrow) {
  await sides(window, false);
  await window.openFile('price.ts', 'twelve');
  await window.openView();
  const part = (name) => window.page.locator('.pane', { has: window.page.locator('.pane-header', { hasText: name }) });
  // Where there is little room, people close what they do not need.
  const session = part('Session').locator('.pane-header[aria-expanded="true"]');
  if (narrow && (await session.count())) await session.click();
  const row = (text) => part(/^Memory/).locator('.monaco-list-row', { hasText: text }).first();
  await window.expand(row('Errors'), row("Type 'string' is not assignable"));
  await part('This File').locator('.monaco-list-row', { hasText: 'Prices are whole cents' }).first().waitFor();
}

async function page(window, narrow, command, heading) {
  await sides(window, narrow);
  await window.command(command);
  await window.recordPage().getByText(heading).first().waitFor();
  await window.page.mouse.move(5, 300);
}

async function review(window, narrow) {
  await page(window, narrow, 'gitmem: Review memory of this branch', 'The till locks itself');
}

async function dashboard(window, narrow) {
  await page(window, narrow, 'gitmem: Open dashboard', 'Open errors');
}

async function search(window, narrow) {
  await sides(window, narrow);
  await window.openFile('price.ts', 'twelve');
  await window.command('gitmem: Search memory');
  await window.page.locator('.quick-input-widget:visible input[type="text"]').first().fill('whole cents');
  await until(async () => (await window.page.locator('.quick-input-list .monaco-list-row').count()) === 1, 'one hit');
  await window.recordPage().getByText('Sums stay exact.').first().waitFor();
}

async function missing(window) {
  await window.command('View: Show gitmem');
  await window.command('gitmem: Restart'); // a message that was closed before comes again
  await window.toast('gitmem is not installed on this machine').waitFor();
  await window.page.locator('.welcome-view-content:visible', { hasText: 'not installed' }).waitFor();
}
