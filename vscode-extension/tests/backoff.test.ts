import assert from 'node:assert/strict';
import { test } from 'node:test';

import { BackOff } from '../src/core/backoff';

test('waits longer after each death, but never longer than half a minute', () => {
  const backOff = new BackOff();
  const waits = [0, 1, 2, 3, 4, 5].map((second) => backOff.died(second * 1000));
  assert.deepEqual(waits, [500, 1000, 2000, 4000, 8000, 16000]);
});

test('gives up after six deaths in ten minutes', () => {
  const backOff = new BackOff();
  for (let at = 0; at < 6; at += 1) backOff.died(at);
  assert.equal(backOff.died(7), undefined);
});

test('forgets what is older than ten minutes', () => {
  const backOff = new BackOff();
  for (let at = 0; at < 6; at += 1) backOff.died(at);
  assert.equal(backOff.died(11 * 60_000), 500);
});

test('forgets everything when it is told to', () => {
  const backOff = new BackOff();
  for (let at = 0; at < 9; at += 1) backOff.died(at);
  backOff.reset();
  assert.equal(backOff.died(10), 500);
});
