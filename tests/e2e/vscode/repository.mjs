// A repository with a memory that knows how a type error was fixed: made with git and gitmem.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const GOOD = `export const prices: number[] = [12, 20];

export function total(prices: number[]): number {
  return prices.reduce((sum, price) => sum + price, 0);
}
`;
const BAD = GOOD.replace('[12, 20]', "['twelve', 20]");
const CHECKED = "price.ts(1,34): error TS2322: Type 'string' is not assignable to type 'number'.\n";
const PATCH = `--- a/price.ts
+++ b/price.ts
@@ -1,3 +1,3 @@
-export const prices: number[] = ['twelve', 20];
+export const prices: number[] = [12, 20];
 
 export function total(prices: number[]): number {
`;

export class Repository {
  /** @param gitmem the program. */
  constructor(folder, gitmem, home) {
    Object.assign(this, { folder, gitmemPath: gitmem });
    mkdirSync(folder, { recursive: true });
    mkdirSync(home, { recursive: true });
    // The same author in the editor as here.
    writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = Ada Lovelace\n\temail = ada@example.com\n');
    this.env = {
      PATH: process.env.PATH, HOME: home, LC_ALL: 'C.UTF-8', GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'Ada Lovelace', GIT_AUTHOR_EMAIL: 'ada@example.com',
      GIT_COMMITTER_NAME: 'Ada Lovelace', GIT_COMMITTER_EMAIL: 'ada@example.com',
    };
  }

  git(...given) {
    return this.#run('git', given);
  }

  gitmem(...given) {
    return this.#run(this.gitmemPath, given);
  }

  write(name, text) {
    const path = join(this.folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  commit(message) {
    this.git('add', '-A');
    this.git('commit', '-q', '-m', message);
  }

  /** Gives the processes that are language servers for this home. */
  servers() {
    const own = `HOME=${this.env.HOME}`;
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((id) => {
        try {
          const words = readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0');
          return words.includes('lsp') && readFileSync(`/proc/${id}/environ`, 'utf8').split('\0').includes(own);
        } catch {
          return false; // it ended meanwhile
        }
      })
      .map(Number);
  }

  #run(program, given, input = '') {
    return execFileSync(program, given, { cwd: this.folder, env: this.env, input, encoding: 'utf8' });
  }

  /** Makes the history that the scenarios start from; gives the error's id. */
  fill() {
    this.git('init', '-q', '-b', 'main');
    this.write('tsconfig.json', '{"compilerOptions": {"strict": true, "target": "es2020"}, "include": ["*.ts"]}\n');
    this.write('price.ts', GOOD);
    this.write('stock.ts', 'export const stock: number = misspelled;\n');
    this.commit('Prices');
    this.gitmem('init');
    this.write('tsc.log', CHECKED);
    this.write('price.ts', BAD);
    this.gitmem('runs', 'capture', 'tsc.log', '--record');
    const [error] = JSON.parse(this.gitmem('list', 'kind:error', '--limit', '1', '--json')).records;
    this.write('fix.patch', PATCH);
    this.gitmem(
      'resolve', error.id, 'A price is a number: write 12, not twelve.',
      '--patch-from', 'fix.patch', '--verified-by', 'tsc',
    );
    this.gitmem(
      'resolve', error.id, 'Cast the list to any', '--outcome', 'failed',
      '--why-failed', 'The sum became a text.',
    );
    this.gitmem(
      'add', 'decision', '--title', 'Prices are whole cents', '--decision', 'All prices are integers.',
      '--rationale', 'Sums stay exact.', '--set', 'governs=[price.ts]', '--tag', 'money',
    );
    this.git('rm', '-q', '--cached', '--ignore-unmatch', 'tsc.log', 'fix.patch');
    this.write('.gitignore', 'tsc.log\nfix.patch\n');
    this.commit('A price as a word');
    return error.id;
  }
}
