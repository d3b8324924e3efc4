import assert from 'node:assert/strict';
import { test } from 'node:test';

import { handedOn, meantAt, MOST, same, type Shown } from '../src/core/diagnostics';

function shown(more: Partial<Shown> = {}): Shown {
  const range = { start: { line: 1, character: 2 }, end: { line: 1, character: 9 } };
  return { range, message: 'no such name', severity: 0, source: 'ts', code: 2304, ...more };
}

test('keeps place, words, source and code, in the numbers of the protocol', () => {
  assert.deepEqual(handedOn([shown()]), [
    {
      range: { start: { line: 1, character: 2 }, end: { line: 1, character: 9 } },
      message: 'no such name',
      severity: 1,
      source: 'ts',
      code: 2304,
    },
  ]);
});

test('takes the value of a code that has a link', () => {
  const [handed] = handedOn([shown({ code: { value: 'E501' } })]);
  assert.equal(handed?.code, 'E501');
});

test('leaves out what is not there', () => {
  const [handed] = handedOn([shown({ source: undefined, code: undefined })]);
  assert.deepEqual(Object.keys(handed ?? {}), ['range', 'message', 'severity']);
});

test('never hands on our own problems, nor hints', () => {
  assert.deepEqual(handedOn([shown({ source: 'gitmem' }), shown({ severity: 3 })]), []);
});

test('puts errors first where there are too many', () => {
  const many = [...Array<Shown>(MOST).fill(shown({ severity: 1 })), shown({ message: 'worst' })];
  const handed = handedOn(many);
  assert.equal(handed.length, MOST);
  assert.equal(handed[0]?.message, 'worst');
});

test('bounds a message', () => {
  assert.equal(handedOn([shown({ message: 'x'.repeat(1_000_000) })])[0]?.message.length, 8_000);
});

test('tells whether there is anything new to say', () => {
  assert.ok(same(handedOn([shown()]), handedOn([shown()])));
  assert.ok(!same(handedOn([shown()]), handedOn([shown({ message: 'other' })])));
});

test('takes the problem that holds the cursor, else the nearest on its line', () => {
  const at = (line: number, first: number, last: number, more: Partial<Shown> = {}): Shown =>
    shown({ range: { start: { line, character: first }, end: { line, character: last } }, ...more });
  const near = at(3, 20, 24, { message: 'near' });
  const far = at(3, 60, 64, { message: 'far' });
  const both = [far, near, at(4, 0, 9)];
  assert.equal(meantAt(both, { line: 3, character: 22 }), near);
  assert.equal(meantAt(both, { line: 3, character: 0 }), near);
  assert.equal(meantAt(both, { line: 3, character: 99 }), far);
  assert.equal(meantAt(both, { line: 5, character: 0 }), undefined);
  assert.equal(meantAt([at(3, 0, 9, { source: 'gitmem' })], { line: 3, character: 2 }), undefined);
  const worse = at(3, 20, 24, { severity: 0, message: 'worse' });
  assert.equal(meantAt([at(3, 20, 24, { severity: 1 }), worse], { line: 3, character: 22 }), worse);
  const wide: Shown = shown({ range: { start: { line: 1, character: 4 }, end: { line: 6, character: 1 } } });
  assert.equal(meantAt([wide], { line: 3, character: 0 }), wide);
});
