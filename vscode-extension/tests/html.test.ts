import assert from 'node:assert/strict';
import { test } from 'node:test';

import { button, commandLink, element, escaped, list, table } from '../src/core/html';
import { leaf } from '../src/core/names';

const EVIL = '"><script>alert(1)</script>&amp;';

test('text never becomes markup', () => {
  assert.equal(escaped(EVIL), '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;');
  for (const made of [
    element('p', EVIL, { class: EVIL }),
    commandLink(EVIL, 'gitmem.show', EVIL),
    button(EVIL, 'gitmem.show'),
    table([EVIL], [[escaped(EVIL)]]),
    list([[escaped(EVIL)]]),
  ]) {
    assert.ok(!made.includes('<script'), made);
  }
});

test('a link says its command and its arguments', () => {
  const made = commandLink('4 open', 'gitmem.searchMemory', 'kind:error tag:"a b"');
  const [, address] = /href="command:gitmem\.searchMemory\?([^"]*)"/.exec(made) ?? [];
  assert.deepEqual(JSON.parse(decodeURIComponent(address ?? '')), ['kind:error tag:"a b"']);
});

test('numbers of a table stand right', () => {
  const made = table(['a', 'b'], [[escaped('x'), escaped('1')]], [1]);
  assert.equal(
    made,
    '<table><thead><tr><th>a</th><th class="number">b</th></tr></thead>' +
      '<tbody><tr><td>x</td><td class="number">1</td></tr></tbody></table>',
  );
});

test('the last part of a path is its name', () => {
  assert.equal(leaf('/shop/src/price.ts'), 'price.ts');
  assert.equal(leaf('c:\\shop\\.memory\\'), '.memory');
  assert.equal(leaf(''), '');
});
