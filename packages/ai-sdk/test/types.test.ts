import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DeferredToolGroup } from '@toolfold/core/internal/tool/group.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import {
  generateText,
  type InferUITools,
  type LanguageModel,
  streamText,
  ToolLoopAgent,
  tool,
  type UIMessage,
} from 'ai';
import { z } from 'zod';
import { createFold } from '../src/index.ts';
import { ENDPOINTS, modelOn } from './endpoints.test-support.ts';

const ask = tool({
  description: 'Ask the user.',
  inputSchema: z.object({ question: z.string() }),
  execute: ({ question }) => ({ answer: question.length }),
});
const groups: DeferredToolGroup[] = [];

/** Never called: the compiler checks it. */
async function typed(model: LanguageModel): Promise<void> {
  const fold = createFold({ tools: { ask }, groups });
  const result = await generateText({ ...fold.with(model), prompt: 'Hi' });
  for (const call of result.staticToolCalls) {
    if (call.toolName === 'ask') {
      const question: string = call.input.question;
      // @ts-expect-error an own tool's input keeps its type
      const wrong: number = call.input.question;
      assert.ok(question, String(wrong));
    }
  }
  const settings = fold.with(model);
  const answer: ((input: { question: string }, options: never) => unknown) | undefined =
    settings.tools.ask.execute;
  // @ts-expect-error there is no such own tool
  settings.tools.nobody;
  // Deferred tools can be named without a cast.
  streamText({
    ...settings,
    prompt: 'Hi',
    toolChoice: { type: 'tool', toolName: 'github__create_issue' },
  });
  streamText({ ...settings, prompt: 'Hi', activeTools: ['ask', 'github__create_issue'] });
  // @ts-expect-error a name that is neither an own tool's nor a deferred one's
  streamText({ ...settings, prompt: 'Hi', toolChoice: { type: 'tool', toolName: 'nobody' } });
  // @ts-expect-error roles and options are checked
  fold.with(model, { roles: 'x' });
  const agent = new ToolLoopAgent({ ...settings, instructions: 'Be brief.' });
  assert.ok(agent, String(answer));
  type Own = InferUITools<{ ask: typeof ask }>;
  const message = {} as UIMessage<unknown, never, Own>;
  const part = message.parts.find((part) => part.type === 'tool-ask');
  const length: number | undefined = part?.output?.answer;
  assert.ok(length);
}

test('the README example compiles and runs', async () => {
  await using server = await startModelServer({ script: [{ text: 'Hello.' }] });
  const model = modelOn(server, ENDPOINTS[0] ?? assert.fail());

  const fold = createFold({ tools: { ask }, groups });
  const result = streamText({ ...fold.with(model), prompt: 'Hi' });

  assert.equal(await result.text, 'Hello.');
  assert.equal(typeof typed, 'function');
});
