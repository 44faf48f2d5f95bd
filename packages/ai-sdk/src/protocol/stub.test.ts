import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock';
import { fakeGroup } from '@toolfold/testing/internal/doubles/fake-group.ts';
import { generateText, type ModelMessage } from 'ai';
import { createFold } from '../index.ts';

interface Body {
  readonly messages: unknown[];
  readonly toolConfig?: { readonly tools: { toolSpec: { name: string } }[] };
}

const call = { toolCallId: '1', toolName: 'load_tools' } as const;
const noted = { toolfold: { epoch: { strategy: 'dispatch', fingerprint: 'f', scope: 's' } } };
const HISTORY: ModelMessage[] = [
  { role: 'user', content: 'Load them.' },
  {
    role: 'assistant',
    content: [
      { type: 'tool-call', ...call, input: { group_id: 'mcp:mail' }, providerOptions: noted },
    ],
  },
  {
    role: 'tool',
    content: [{ type: 'tool-result', ...call, output: { type: 'text', value: 'Loaded.' } }],
  },
  { role: 'user', content: 'And now without.' },
];

/** What Bedrock gets of a view without tools. */
async function bodyOf(messages: ModelMessage[]): Promise<Body> {
  const bodies: Body[] = [];
  const bedrock = createAmazonBedrock({
    ...{ region: 'us-east-1', apiKey: 'none' },
    fetch: async (_url, init) => {
      bodies.push(JSON.parse(String(init?.body)));
      const message = { role: 'assistant', content: [{ text: 'Ok.' }] };
      const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
      return Response.json({ output: { message }, stopReason: 'end_turn', usage });
    },
  });
  const fold = createFold({ groups: [fakeGroup({ groupId: 'mcp:mail', count: 20 })] });
  const model = bedrock('anthropic.claude-opus-5-5-v1:0');
  await generateText({ ...fold.with(model, { only: [] }), messages });
  return bodies.at(-1) ?? assert.fail();
}

test('Bedrock keeps the calls of a request without tools, because a short stub stands in their place', async () => {
  const { messages, toolConfig } = await bodyOf(HISTORY);
  assert.deepEqual(
    toolConfig?.tools.flatMap(({ toolSpec }) => toolSpec?.name ?? []),
    ['tools_are_off'],
  );
  assert.match(JSON.stringify(messages), /toolUse.*toolResult/);
});

test('where nothing was called, nothing is declared', async () => {
  const { toolConfig } = await bodyOf([{ role: 'user', content: 'Hello' }]);
  assert.equal(toolConfig?.tools, undefined);
});
