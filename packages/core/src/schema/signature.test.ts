import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { signatureOf } from './schema.ts';

const string = { type: 'string' };

suite('a signature', () => {
  test('has required parameters first, with simple types', () => {
    const properties = {
      limit: { type: 'integer' },
      state: { enum: ['open', 'closed'] },
      repo: string,
      labels: { type: 'array', items: string },
      filter: { type: 'array', items: { enum: ['a', 'b'] } },
      any: {},
      nested: { type: 'object', properties: { deep: string } },
    };
    assert.equal(
      signatureOf({ properties, required: ['repo', 'gone'] }),
      'repo: string, limit?: integer, state?: "open" | "closed", labels?: string[], filter?: array, any?, nested?: object',
    );
  });

  test('is empty without parameters', () => {
    for (const schema of [{}, undefined, null, 'x', true, { properties: null }, { properties: {} }])
      assert.equal(signatureOf(schema), '');
  });

  test('says how many parameters it leaves out', () => {
    const names = Array.from({ length: 100 }, (_, i) => `parameter_${i}`);
    const signature = signatureOf({
      properties: Object.fromEntries(names.map((name) => [name, string])),
    });
    assert.match(signature, /, and \d+ more$/);
  });

  test('of any schema is short and never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (properties, required) => {
        assert.ok(signatureOf({ properties, required }).length <= 320);
      }),
    );
  });
});
