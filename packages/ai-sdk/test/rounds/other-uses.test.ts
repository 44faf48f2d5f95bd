// test: slow
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { generateText, type ModelMessage, type ToolSet } from 'ai';
import { createFold, type Fold } from '../../src/index.ts';
import { modelOn } from '../endpoints.test-support.ts';
import { foldOptions } from '../folds.test-support.ts';
import { callsOn, resultsOn } from '../wire.test-support.ts';
import { CLIENTS } from './clients.test-support.ts';
import { BUG, CREATE, GITHUB, type Played, play, WAYS, wayOf } from './rounds.test-support.ts';

// The providers warn about reasoning without a signature.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

const DROPPING = CLIENTS.filter(({ name }) => name === 'drops custom parts');

for (const way of WAYS.filter(({ strategy }) => strategy === 'dispatch' || strategy === 'native')) {
  describe(`other uses of messages with loads inside model calls, ${way.name}`, () => {
    const replies = [
      { text: 'See.', calls: [way.load(GITHUB), way.load('mcp:nowhere', 'none')] },
      { calls: [way.call(CREATE, BUG)] },
      { text: 'Done.' },
    ];
    const options = {
      ...foldOptions([]),
      strategy: way.strategy,
      ...(way.endpoint.capabilities ? { capabilities: way.endpoint.capabilities } : {}),
    };
    const fold = () => createFold(options) as unknown as Fold<ToolSet>;

    test('promise 62: a request without tools is accepted, also without the notes', async () => {
      for (const client of [undefined, ...DROPPING]) {
        const { conversation } = await play({
          ...{ way, mode: 'generate', route: 'json', replies, turns: ['Go.'] },
        });
        client?.change(conversation);
        await using server = await startModelServer({ script: [{ text: 'A title' }] });
        const { model } = fold().with(modelOn(server, way.endpoint));
        const messages: ModelMessage[] = [
          ...conversation.messages,
          { role: 'user', content: 'A title, please.' },
        ];
        const { text } = await generateText({
          ...{ model, messages, maxRetries: 0 },
          ...(way.endpoint.settings as object),
        });
        assert.equal(text, 'A title');
        const [request] = server.requests;
        assert.ok(request);
        const ids = callsOn(request).map(({ id }) => id);
        assert.equal(ids.length, 3);
        assert.deepEqual(
          resultsOn(request).map(({ id }) => id),
          ids,
        );
      }
    });

    test('promise 62: the state of the fold is the same as after steps', async () => {
      for (const route of ['live', 'ui'] as const) {
        const given = { way, mode: 'stream', route, replies, turns: ['Go.'] } as const;
        const inside = await play(given);
        const steps = await play({ ...given, loads: 'steps' });
        const model = way.endpoint.model('http://127.0.0.1:1/');
        const state = ({ conversation }: Played) => fold().state(model, conversation.messages);
        assert.deepEqual(await state(inside), await state(steps), route);
      }
    });
  });
}

test('promise 62: a model of another endpoint goes on, in the same bytes as after steps', async () => {
  const names = ['dispatch, anthropic', 'dispatch, openai responses', 'dispatch, openai chat'];
  for (const from of names) {
    for (const to of names.filter((name) => name !== from)) {
      const way = wayOf(from);
      const replies = [
        { text: 'See.', calls: [way.load(GITHUB), way.load('mcp:nowhere', 'none')] },
        { text: 'So.', calls: [way.call(CREATE, BUG)] },
        { text: 'Done.' },
      ];
      const sent = async (loads: 'model-call' | 'steps') => {
        const given = { way, mode: 'stream', route: 'json', replies, turns: ['Go.'] } as const;
        const { conversation } = await play({ ...given, loads });
        await using server = await startModelServer({ script: [{ text: 'I go on.' }] });
        const { model, tools } = createFold(foldOptions([])).with(
          modelOn(server, wayOf(to).endpoint),
        );
        const more: ModelMessage = { role: 'user', content: 'Go on.' };
        const messages = [...conversation.messages, more];
        await generateText({ model, tools, messages, maxRetries: 0 });
        return server.requests[0]?.raw;
      };
      assert.equal(await sent('model-call'), await sent('steps'), `${from} to ${to}`);
    }
  }
});
