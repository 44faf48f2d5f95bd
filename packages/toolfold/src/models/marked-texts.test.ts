import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { createFold } from '@toolfold/ai-sdk';
import { generateText, isStepCount, tool } from 'ai';
import { z } from 'zod';
import { loadModel } from './model.ts';

/** The body of one request, which the command's model of a provider sends with a fold. */
async function bodyOf(name: string, system: string): Promise<Record<string, unknown>> {
  const bodies: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      bodies.push(JSON.parse(text));
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end('{"error":{"message":"recorded"}}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  try {
    const { model } = await loadModel(name, {
      ...{ provider: name.split('/')[0] ?? '', protocol: 'openai-compatible', keys: [] },
      ...{ key: undefined, needsKey: false, address: `http://127.0.0.1:${port}/v1` },
    });
    const ask = tool({ inputSchema: z.object({}), execute: () => 1 });
    const fold = createFold({ tools: { ask }, onWarning: false });
    const settings = { instructions: system, prompt: 'Hi.', maxRetries: 0 };
    const sent = generateText({ ...fold.with(model), ...settings, stopWhen: isStepCount(1) });
    await assert.rejects(sent, /recorded/);
  } finally {
    server.close();
  }
  return bodies[0] ?? {};
}

test('marks stand inside the texts, where OpenRouter and Alibaba read them', async () => {
  const marked = (text: string) => [{ type: 'text', text, cache_control: { type: 'ephemeral' } }];
  for (const name of ['openrouter/anthropic/claude-opus-5-5', 'alibaba/qwen3.5-max']) {
    const { messages } = await bodyOf(name, 'Be brief.');
    assert.deepEqual(messages, [
      { role: 'system', content: marked('Be brief.') },
      { role: 'user', content: marked('Hi.') },
    ]);
  }
});

test('what has no mark is sent as it is', async () => {
  const { messages } = await bodyOf('local/qwen3', 'Be brief.');
  assert.deepEqual(messages, [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hi.' },
  ]);
});
