// Bundles the extension, and its unit tests, which need no editor.
//   node build.mjs            dist/extension.js, dist/client.js, dist/schemas, dist/release.json (if there is a wheel)
//   node build.mjs --check    only says whether the bundle is small enough
//   node build.mjs --tests    dist-tests/*.test.js
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Of what the editor's start waits for, and of what is loaded when a server is started.
const MOST_BYTES = { extension: 100_000, client: 500_000 };
// The pictures that the walkthrough shows; those of the README are fetched from the repository.
const WALKTHROUGH = ['no-memory', 'recording', 'known', 'search', 'dashboard'].map((name) => `vscode-${name}.png`);
const here = import.meta.dirname ?? new URL('.', import.meta.url).pathname;
const shared = { bundle: true, platform: 'node', target: 'node20', format: 'cjs', logLevel: 'warning' };

if (process.argv.includes('--tests')) {
  const tests = readdirSync(join(here, 'tests')).filter((name) => name.endsWith('.test.ts'));
  rmSync(join(here, 'dist-tests'), { recursive: true, force: true });
  await build({
    ...shared,
    entryPoints: tests.map((name) => join(here, 'tests', name)),
    outdir: join(here, 'dist-tests'),
    sourcemap: 'inline',
  });
} else {
  await build({
    ...shared,
    entryPoints: [join(here, 'src/extension.ts'), join(here, 'src/server/client.ts')],
    outdir: join(here, 'dist'),
    entryNames: '[name]',
    external: ['vscode'],
    plugins: [{ name: 'client', setup }],
    // Written as a require: the editor gives "vscode" to what is required only.
    supported: { 'dynamic-import': false },
    minify: true,
    sourcemap: false,
  });
  for (const [name, most] of Object.entries(MOST_BYTES)) {
    const bytes = statSync(join(here, `dist/${name}.js`)).size;
    if (bytes <= most) continue;
    console.error(`dist/${name}.js has ${bytes} bytes, more than ${most}`);
    process.exitCode = 1;
  }
  if (!process.argv.includes('--check')) {
    copy('../schemas', 'dist/schemas', '.json');
    copy('../docs/images', 'dist/pictures', '.png', WALKTHROUGH);
    release();
    cpSync(join(here, '../LICENSE'), join(here, 'LICENSE.txt'));
    cpSync(join(here, '../CHANGELOG.md'), join(here, 'CHANGELOG.md'));
  }
}

// Leaves the client where it is: a file of its own.
function setup({ onResolve }) {
  onResolve({ filter: /^\.\/client\.js$/ }, ({ path }) => ({ path, external: true }));
}

// Says which gitmem the extension installs: the wheel that was built beside it, by version and hash.
function release() {
  const target = join(here, 'dist/release.json');
  rmSync(target, { force: true });
  const wheels = join(here, '../build/wheel');
  const name = existsSync(wheels) && readdirSync(wheels).find((one) => one.endsWith('.whl'));
  if (!name) return;
  const [project, version] = name.split('-');
  const sha256 = createHash('sha256').update(readFileSync(join(wheels, name))).digest('hex');
  writeFileSync(target, JSON.stringify({ requirement: `${project.replaceAll('_', '-')}==${version}`, sha256 }));
}

function copy(from, to, ending, only) {
  const source = join(here, from);
  rmSync(join(here, to), { recursive: true, force: true });
  if (!existsSync(source)) return;
  mkdirSync(join(here, to), { recursive: true });
  for (const name of readdirSync(source).filter((one) => one.endsWith(ending) && (only?.includes(one) ?? true))) {
    cpSync(join(source, name), join(here, to, name));
  }
}
