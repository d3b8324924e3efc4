import assert from 'node:assert/strict';
import { test } from 'node:test';

import { pageHtml } from '../src/core/page';
import { since } from '../src/core/time';

const PARTS = { title: 'a', body: '<p>b</p>', buttons: [], style: 's.css', source: 'vs:', language: 'en' };

test('a page allows nothing but its style', () => {
  const html = pageHtml(PARTS);
  assert.match(html, /content="default-src 'none'; style-src vs:"/);
  assert.ok(!html.includes('<nav'));
});

test('a title can not leave its place', () => {
  const html = pageHtml({ ...PARTS, title: '"></title><script>alert(1)</script>' });
  assert.ok(!html.includes('<script'));
});

test('spans of time are short', () => {
  const now = Date.parse('2026-01-03T12:00:00Z');
  assert.equal(since('2026-01-03T11:55:10Z', now), '4 min');
  assert.equal(since('2026-01-03T09:55:00Z', now), '2 h 5 min');
  assert.equal(since('2025-12-20T12:00:00Z', now), '14 d');
  assert.equal(since('2026-01-03T12:00:30Z', now), '0 min');
  assert.equal(since('never', now), '');
});
