import assert from 'node:assert/strict';
import { test } from 'node:test';

import { LastWords, plainText } from '../src/core/output';

test('the end of a long text is kept', () => {
  const words = new LastWords();
  for (let line = 0; line < 100_000; line += 1) words.add(`line ${line}\n`);
  assert.equal(words.text.length, 200_000);
  assert.ok(words.text.endsWith('line 99999\n'));
});

test('a short one is kept whole', () => {
  const words = new LastWords();
  words.add('one');
  words.add('two');
  assert.equal(words.text, 'onetwo');
});

test('colours, titles and marks of the shell go', () => {
  const said = '\u001b]633;C\u0007\u001b[1;31mERROR\u001b[0m here\u001b]0;title\u001b\\\r\n';
  assert.equal(plainText(said), 'ERROR here\n');
});

test('what was overwritten goes', () => {
  assert.equal(plainText('10 %\r50 %\rdone\nnext'), 'done\nnext');
});
