import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createLexicalSearch as lexical } from '@toolfold/core/internal/search.ts';
import { createToolLayer, type ToolLayer } from '@toolfold/core/internal/session/layer.ts';
import { createFold } from '../../src/fold/fold.ts';

const forecast = {
  name: 'get_forecast',
  description: 'Temperature and rain of the next days.',
  inputSchema: { type: 'object' },
};
const groups = [
  { groupId: 'mcp:sky', toolNames: ['get_forecast'], loader: async () => [forecast] },
];

/** What `explain` says of the search before and after one, and the answer. */
async function ask(layer: ToolLayer, query: string) {
  const session = layer.session({ strategy: 'dispatch' });
  session.present([]);
  const before = session.explain().search;
  const answer = await session.route({ id: '1', name: 'tool_search', input: { query } });
  assert.equal(answer.kind, 'answer');
  return { before, after: session.explain().search, answer: JSON.stringify(answer) };
}

suite('the search of a fold', () => {
  test('compares words and vectors, which load when somebody searches', async () => {
    const { before, after, answer } = await ask(createFold({ groups }).layer, 'climate tomorrow');
    assert.deepEqual([before, after], [undefined, 'words and vectors']);
    assert.match(answer, /sky__get_forecast/);
  });

  test('compares words alone if that is asked for', async () => {
    const { after, answer } = await ask(
      createFold({ groups, search: lexical() }).layer,
      'climate tomorrow',
    );
    assert.equal(after, 'words');
    assert.doesNotMatch(answer, /"matches":\[\{/);
  });
});

test('the search of a layer reads no file', async () => {
  assert.equal((await ask(createToolLayer({ groups }), 'rain')).after, 'words');
});
