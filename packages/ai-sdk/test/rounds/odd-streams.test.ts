import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { CallEvent } from '@toolfold/core/internal/transcript/transcript.ts';
import { generateText, isStepCount, streamText, type ToolSet } from 'ai';
import { createFold, type Fold } from '../../src/index.ts';
import { foldOptions } from '../folds.test-support.ts';
import { reading, rejections } from './failures.test-support.ts';
import { type PartsReply, partsModel, toolCall } from './parts-model.test-support.ts';
import { CREATE, MODES } from './rounds.test-support.ts';

const load = (id: string, group_id = 'mcp:github') => toolCall(id, 'load_tools', { group_id });
const call = (id: string) =>
  toolCall(id, 'deferred_tool_call', { tool_name: CREATE, arguments: { title: id } });
const said = (text: string) => ({ type: 'text' as const, text });

describe('odd streams with loads', () => {
  test('a response that ends without a finish part ends the model call', async (t) => {
    const unhandled = rejections(t);
    const model = partsModel([{ content: [load('a')] }, { content: [said('never')] }]);
    const doStream = model.doStream.bind(model);
    model.doStream = async (params) => {
      const result = await doStream(params);
      const withoutEnd = new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
        transform(part, controller) {
          if (part.type !== 'finish') controller.enqueue(part);
        },
      });
      return { ...result, stream: result.stream.pipeThrough(withoutEnd) };
    };
    const fields = createFold(foldOptions([])).with(model);
    const result = streamText({ ...fields, prompt: 'Go.', onError: () => {} });
    await result.consumeStream();
    assert.equal(model.prompts.length, 1);
    assert.deepEqual(await unhandled(), []);
  });

  test('an input that starts and never comes leaves the calls before it with results', async (t) => {
    const unhandled = rejections(t);
    const start: LanguageModelV4StreamPart = {
      ...{ type: 'tool-input-start', id: 'b' },
      toolName: 'load_tools',
    };
    const cut: PartsReply = { content: [load('a')], extra: [start], finish: 'length' };
    const model = partsModel([cut, { content: [said('next')] }]);
    const fold = createFold(foldOptions([]));
    const fields = fold.with(model);
    const result = streamText({ ...fields, prompt: 'Go.', stopWhen: isStepCount(9) });
    await result.consumeStream();
    const messages = [...(await result.responseMessages)];
    assert.equal(model.prompts.length, 1);
    const { text } = await generateText({
      ...fields,
      messages: [
        { role: 'user', content: 'Go.' },
        ...messages,
        { role: 'user', content: 'Go on.' },
      ],
    });
    assert.equal(text, 'next');
    assert.match(model.prompts[1] ?? '', /"role":"tool".*"toolCallId":"a"/);
    assert.deepEqual(await unhandled(), []);
  });

  test('promise 62: a conversation goes on after a later round has failed', async (t) => {
    const unhandled = rejections(t);
    // There is no second reply: the model throws.
    const broken = partsModel([{ content: [said('see'), load('a')] }]);
    const fold = createFold(foldOptions([]));
    const errors: unknown[] = [];
    const result = streamText({
      ...fold.with(broken),
      ...{ prompt: 'Go.', onError: ({ error }: { error: unknown }) => void errors.push(error) },
    });
    await result.consumeStream();
    assert.match(String(errors[0]), /no reply 2/);
    assert.equal(await result.finishReason, 'error');
    assert.equal((await result.usage).inputTokens, 10);
    const model = partsModel([{ content: [said('here again')] }]);
    const { text } = await generateText({
      ...fold.with(model),
      messages: [
        { role: 'user', content: 'Go.' },
        ...(await result.responseMessages),
        { role: 'user', content: 'Once more.' },
      ],
    });
    assert.equal(text, 'here again');
    const sent = JSON.parse(model.prompts[0] ?? '[]') as { role: string }[];
    const roles = ['system', 'user', 'assistant', 'tool', 'user'];
    assert.deepEqual(
      sent.map(({ role }) => role),
      roles,
    );
    assert.deepEqual(await unhandled(), []);
  });

  test('a reader that reads nothing asks the model nothing more', async () => {
    const model = partsModel([{ content: [load('a')] }, { content: [said('next')] }]);
    const fold = createFold(foldOptions([])) as unknown as Fold<ToolSet>;
    const reader = await reading(fold.with(model));
    for (let part = await reader.read(); !part.done; part = await reader.read())
      if (part.value.type === 'tool-input-start') break;
    await new Promise(setImmediate);
    assert.equal(model.prompts.length, 1);
    await reader.cancel();
  });
});

for (const mode of MODES) {
  test(`promise 62: model calls at the same time do not mix: ${mode}`, async () => {
    const events: CallEvent[] = [];
    const options = { ...foldOptions([]), onCall: (event: CallEvent) => events.push(event) };
    const fold = createFold(options) as unknown as Fold<ToolSet>;
    const talks = Array.from({ length: 8 }, (_, n) =>
      partsModel([
        { content: [said(`see ${n}`), load(`a${n}`), load('same', 'mcp:linear')] },
        { content: [load(`b${n}`, 'mcp:none')] },
        { content: [call(`c${n}`)] },
        { content: [said(`done ${n}`)] },
      ]),
    );
    // One prompt for all: the messages do not tell the calls apart.
    const texts = talks.map(async (model) => {
      const given = { ...fold.with(model), prompt: 'Go.', stopWhen: isStepCount(9) };
      return mode === 'generate'
        ? (await generateText(given)).text
        : (await streamText(given).steps).at(-1)?.text;
    });
    assert.deepEqual(
      await Promise.all(texts),
      talks.map((_, n) => `done ${n}`),
    );
    talks.forEach(({ prompts }, n) => {
      const last = prompts.at(-1) ?? '';
      for (const id of [`a${n}`, `b${n}`, `c${n}`]) assert.ok(last.includes(`"${id}"`), id);
      assert.ok(!last.includes(`"a${(n + 1) % 8}"`));
    });
    assert.equal(events.length, 8 * 4);
  });
}
