// What the stories have in common: a folder for everything, steps that leave a picture behind.
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';

import { Editor, Window } from './editor.mjs';
import { Repository } from './repository.mjs';

const { GITMEM, VSIX, EDITOR, OUT } = process.env;

/** The Python that has the gitmem under test. */
export const PYTHON = join(dirname(GITMEM), 'python');

/** One editor, one window and one repository, for all steps of a file. */
export class Story {
  /**
   * @param prepare is called before the editor starts; gives what `Editor.start` takes, and the
   *   `workspace` to open if it is more than the one repository.
   */
  constructor(prepare) {
    this.run = mkdtempSync(join(tmpdir(), 'gitmem-vscode-'));
    this.editor = new Editor(EDITOR, this.run);
    this.shop = new Repository(join(this.run, 'shop'), GITMEM, this.editor.home);
    before(async () => {
      mkdirSync(OUT, { recursive: true });
      const how = await prepare(this);
      await this.editor.install(VSIX);
      await this.editor.start(how);
      const folder = how?.workspace ?? this.shop.folder;
      this.window = await Window.open(this.editor, folder, join(this.run, 'window'));
    });
    after(async () => {
      await this.window?.close();
      await this.editor.stop();
      rmSync(this.run, { recursive: true, force: true });
    });
  }

  /** A step; where it fails, a picture shows what was to be seen. */
  step(name, act) {
    test(name, async () => {
      try {
        await act(this.window, this.shop);
      } catch (failure) {
        await this.picture(`failed-${name.replace(/\W+/g, '-')}`).catch(() => undefined);
        throw failure;
      }
    });
  }

  async picture(name, window = this.window) {
    copyFileSync(await window.shot(name), join(OUT, `${name}.png`));
  }
}
