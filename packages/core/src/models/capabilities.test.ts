import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { assertWellFormed, unreachable } from '../../test/models/rows.test-support.ts';
import { CAPABILITIES } from './capabilities.ts';

const FORMS = [
  'anthropic-inline',
  'anthropic-reference',
  'anthropic-search',
  'openai-additional',
  'openai-search',
  'system-tools',
];

suite('the table of capabilities', () => {
  test('has well-formed rows with known forms, none twice', () => {
    for (const row of CAPABILITIES) {
      assertWellFormed(row);
      assert.equal(new Set(row.forms).size, row.forms.length, row.model);
      for (const form of row.forms) assert.ok(FORMS.includes(form), `${row.model}: ${form}`);
    }
  });

  test('gives a form only to the provider whose wire format it is', () => {
    const wire = {
      anthropic: /^anthropic\./,
      openai: /^(openai|azure)\.responses$/,
      system: /chat$/,
    };
    for (const { provider, model, forms } of CAPABILITIES) {
      for (const form of forms) {
        const family = form.split('-')[0] as keyof typeof wire;
        assert.match(provider, wire[family], `${model}: ${form}`);
      }
    }
  });

  test('has no row that an earlier one hides', () => {
    assert.deepEqual(unreachable(CAPABILITIES), []);
  });

  test('has a check that detects a hidden row', () => {
    const row = { source: 's', date: '2026-01-01' };
    const wide = { ...row, provider: '*', model: '*gpt-5*' };
    const narrow = { ...row, provider: 'openai.*', model: '*gpt-5.6?sol*' };
    assert.deepEqual(unreachable([wide, narrow]), ['openai.* *gpt-5.6?sol*']);
    assert.deepEqual(unreachable([narrow, wide]), []);
    assert.deepEqual(unreachable([wide, wide]), ['* *gpt-5*']);
  });
});
