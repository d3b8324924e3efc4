import assert from 'node:assert/strict';
import { test } from 'node:test';

import { waiting } from '../src/core/names';

test('errors that wait for somebody: what came back, then what is open, none that are empty', () => {
  const states = ['resolved', 'open', 'obsolete', 'regressed'].map((name, count) => ({ name, count }));
  assert.deepEqual(waiting(states).map(({ name }) => name), ['regressed', 'open']);
  assert.deepEqual(waiting([{ name: 'open', count: 0 }]), []);
  assert.deepEqual(waiting([]), []);
});
