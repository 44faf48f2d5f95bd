import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { WEIGHTS } from '../../src/search/fields.ts';
import { createLexicalSearch } from '../../src/search.ts';
import { createToolLayer } from '../../src/session/index.ts';
import type { Tool } from '../../src/tool/index.ts';

const toolOf = (more: Partial<Tool> = {}): Tool => ({
  name: 'find_order',
  description: 'Finds an order.',
  inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
  ...more,
});

suite('definitions that are equal in several layers', () => {
  test('a layer gets the functions of its own tools, whatever was made before', async () => {
    const makes = ['one', 'other'].map((user) => () => user);
    const layers = makes.map((execute) => createToolLayer({ tools: [toolOf({ execute })] }));
    for (const [at, layer] of layers.entries()) {
      const session = layer.session();
      session.present([]);
      const call = { id: '1', name: 'find_order', input: { id: 'a' } };
      const route = await session.route(call);
      assert.equal(route.kind === 'run' && route.tool.tool.execute, makes[at]);
    }
  });

  test('a fingerprint covers annotations, which equal definitions may have or not', () => {
    const fingerprintOf = (more: Partial<Tool>) =>
      createToolLayer({ tools: [toolOf(more)] }).fingerprintOf('find_order');
    const reads = { annotations: { readOnlyHint: true } };
    const plain = fingerprintOf({});
    assert.notEqual(fingerprintOf(reads), plain);
    assert.equal(fingerprintOf({}), plain);
    assert.notEqual(fingerprintOf({ annotations: { readOnlyHint: false } }), fingerprintOf(reads));
    assert.notEqual(fingerprintOf({ description: 'Finds another.' }), plain);
  });

  test('a counter of tokens counts for itself', () => {
    const schemas = (countTokens: (text: string) => number) =>
      createToolLayer({ tools: [toolOf()], countTokens })
        .session()
        .explain().reason;
    assert.match(
      schemas(() => 7),
      /\b7 tokens|only 7/,
    );
    assert.match(
      schemas(() => 11),
      /\b11 tokens|only 11/,
    );
  });

  test('searches share an index until one gets more tools', () => {
    const documents = ['order', 'invoice', 'customer'].map((kind) => {
      return {
        key: `find_${kind}`,
        name: `find_${kind}`,
        group: '',
        description: `Finds: ${kind}.`,
      };
    });
    const more = [
      { key: 'find_orders', name: 'find_orders', group: '', description: 'All orders.' },
    ];
    // Other weights, although equal, share nothing.
    const alone = () => createLexicalSearch({ weights: { ...WEIGHTS } });
    const find = (search: ReturnType<typeof alone>) =>
      search.search('orders', { limit: 5, allows: () => true, explain: true });
    const [one, other, apart] = [createLexicalSearch(), createLexicalSearch(), alone()];
    for (const search of [one, other, apart]) search.index(documents);
    assert.deepEqual(find(one), find(apart));
    one.index(more);
    apart.index(more);
    assert.deepEqual(find(one), find(apart));
    assert.deepEqual(
      find(other).map(({ key }) => key),
      ['find_order'],
    );
    assert.deepEqual(one.store?.(), apart.store?.());
  });
});
