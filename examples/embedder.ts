/**
 * A search with an embedder of the app's own, beside words and word vectors: `embedMany` of the AI SDK is
 * passed as it is. The embedder here is a stand-in, so that the example runs without a key.
 */
import assert from 'node:assert/strict';
import { createFold } from '@toolfold/ai-sdk';
import { hybrid } from '@toolfold/core/vectors';
import { embedMany } from 'ai';
import { MockEmbeddingModelV4 } from 'ai/test';

/** With a key, this is for example `openai.embedding('text-embedding-3-small')`. */
const model = new MockEmbeddingModelV4({
  maxEmbeddingsPerCall: 100,
  // It knows that brb is about leaving for a while.
  doEmbed: async ({ values }) => ({
    embeddings: values.map((text) => (/brb|absence/.test(text) ? [1, 0] : [0, 1])),
    warnings: [],
  }),
});

/** An app may keep the embeddings of tools longer than a process: any object with `get` and `set`. */
const cache = new Map<string, readonly number[]>();
const tool = (name: string, description: string) => ({
  ...{ name, description, inputSchema: { type: 'object' } },
});
const tools = [
  tool('set_absence', 'Sets the absence note of the mailbox.'),
  tool('send_mail', 'Sends a letter to people.'),
];
const { layer } = createFold({
  strategy: 'bridge',
  search: hybrid({ embed: embedMany, model, cache }),
  groups: [
    {
      groupId: 'mcp:office',
      toolNames: tools.map(({ name }) => name),
      loader: async () => tools,
    },
  ],
});

const session = layer.session();
const route = await session.route({ id: '1', name: 'tool_search', input: { query: 'brb' } });
assert.ok(route.kind === 'answer');
const [first] = Object(route.result).matches;
console.log(`brb: ${first.name}`);
console.log(`The search compares ${session.explain().search}; ${cache.size} embeddings are kept.`);
assert.equal(first.name, 'office__set_absence');
