// Bundles the extension, and its unit tests, which need no editor.
//   node build.mjs            dist/extension.js, dist/schemas, dist/wheel (if it was built)
//   node build.mjs --check    only says whether the bundle is small enough
//   node build.mjs --tests    dist-tests/*.test.js
import { build } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const MOST_BYTES = 600_000;
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
    entryPoints: [join(here, 'src/extension.ts')],
    outfile: join(here, 'dist/extension.js'),
    external: ['vscode'],
    minify: true,
    sourcemap: false,
  });
  const bytes = statSync(join(here, 'dist/extension.js')).size;
  if (bytes > MOST_BYTES) {
    console.error(`dist/extension.js has ${bytes} bytes, more than ${MOST_BYTES}`);
    process.exitCode = 1;
  }
  if (!process.argv.includes('--check')) {
    copy('../schemas', 'dist/schemas', '.json');
    copy('../build/wheel', 'dist/wheel', '.whl');
    if (existsSync(join(here, 'dist/wheel'))) {
      for (const name of readdirSync(join(here, 'dist/wheel'))) unpacked(join(here, 'dist/wheel', name));
    }
    cpSync(join(here, '../LICENSE'), join(here, 'LICENSE.txt'));
    cpSync(join(here, '../CHANGELOG.md'), join(here, 'CHANGELOG.md'));
  }
}

// A wheel whose files are only stored: the package then compresses all of them together, which
// takes a quarter less than each by itself. Nothing else about the wheel changes.
function unpacked(wheel) {
  const program = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel:
    files = [(one, wheel.read(one)) for one in wheel.infolist()]
with zipfile.ZipFile(sys.argv[1], "w") as wheel:
    for one, content in files:
        wheel.writestr(one, content, compress_type=zipfile.ZIP_STORED)
`;
  execFileSync('python3', ['-c', program, wheel]);
}

function copy(from, to, ending) {
  const source = join(here, from);
  rmSync(join(here, to), { recursive: true, force: true });
  if (!existsSync(source)) return;
  mkdirSync(join(here, to), { recursive: true });
  for (const name of readdirSync(source).filter((one) => one.endsWith(ending))) {
    cpSync(join(source, name), join(here, to, name));
  }
}
