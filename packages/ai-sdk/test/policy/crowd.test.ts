// test: slow
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, test } from 'node:test';
import {
  type Reply,
  type ReplyCall,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import { type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { type CallVerdict, createFold, type HookedCall } from '../../src/index.ts';
import { ENDPOINTS, type Endpoint, modelOn } from '../endpoints.test-support.ts';
import { resultsOn } from '../wire.test-support.ts';
import { REASON } from './rules.test-support.ts';
import { Talk } from './talk.test-support.ts';
import { type Fields, MODES } from './trial.test-support.ts';

const [endpoint] = ENDPOINTS as readonly [Endpoint];
const who = new AsyncLocalStorage<string>();

interface Run {
  readonly who: string | undefined;
  readonly text: string;
}

/** Every tool logs its caller and its input. */
function foldOf(runs: Run[], hook: (call: HookedCall) => CallVerdict | undefined) {
  const logging = tool({
    description: 'Send a text.',
    inputSchema: z.object({ text: z.string() }),
    execute: ({ text }) => {
      runs.push({ who: who.getStore(), text });
      return 'ran';
    },
  });
  const fold = createFold({
    tools: { post: logging } as ToolSet,
    groups: [{ groupId: 'mcp:mail', toolNames: ['send'], loader: async () => ({ send: logging }) }],
    strategy: 'dispatch',
  });
  return (model: ReturnType<typeof modelOn>) =>
    fold.with(model, { hooks: { beforeToolCall: hook } }) as Fields;
}

const dispatched = (text: string): ReplyCall => ({
  name: 'deferred_tool_call',
  arguments: { tool_name: 'mail__send', arguments: { text } },
});
const native = (text: string): ReplyCall => ({ name: 'mail__send', arguments: { text } });
const own = (text: string): ReplyCall => ({ name: 'post', arguments: { text } });

describe('policy, many calls at once', () => {
  const kinds = { own, 'dispatched, not loaded': dispatched };
  for (const [kind, call] of Object.entries(kinds)) {
    for (const policy of ['deny', 'ask'] as const) {
      test(`${policy} holds for 1,200 calls in one response, ${kind}`, async () => {
        const runs: Run[] = [];
        const verdict = policy === 'deny' ? { deny: REASON } : { ask: true };
        const open = foldOf(runs, ({ arguments: { text } }) =>
          text === 'n' ? undefined : verdict,
        );
        const calls = Array.from({ length: 1_200 }, (_, index) => call(String(index)));
        await using server = await startModelServer({
          script: [{ calls: [own('n'), ...calls] }, { text: 'Done.' }],
          countTokens: () => 1,
        });
        const talk = new Talk('generateText');
        await talk.run(open(modelOn(server, endpoint)), {});
        const texts = runs.map(({ text }) => text).filter((text) => text !== 'n');
        assert.equal(texts.length, 0, `${texts.length} ran, ${texts[0]} first`);
        assert.equal(runs.length, 1);
        if (policy === 'ask') return assert.equal(talk.questions.length, 1_200);
        const read = resultsOn(server.requests.at(-1) ?? assert.fail());
        assert.equal(read.filter(({ text }) => text.includes(REASON)).length, 1_200);
      });
    }
  }

  for (const mode of MODES) {
    for (const [kind, call] of Object.entries({ own, dispatched, native })) {
      for (const position of ['first', 'later'] as const) {
        test(`two conversations with the same ids and inputs, told apart by their context: ${mode}, ${kind}, ${position}`, async () => {
          const runs: Run[] = [];
          const open = foldOf(runs, () => (who.getStore() === 'b' ? { deny: REASON } : undefined));
          const { promise: both, resolve } = Promise.withResolvers<void>();
          let waiting = 0;
          const first = position === 'first' ? [] : [{ ...own('n'), id: 'toolu_same_1' }];
          const script = (request: Parameters<typeof resultsOn>[0]): Reply => {
            if (resultsOn(request).length > 0) return { text: 'Done.' };
            if (++waiting === 2) resolve();
            return { calls: [...first, { ...call('a'), id: 'toolu_same_2' }], hold: both };
          };
          await using server = await startModelServer({ script });
          const fields = open(modelOn(server, endpoint));
          await Promise.all(
            ['a', 'b'].map((name) => who.run(name, () => new Talk(mode).run(fields, {}))),
          );
          assert.deepEqual([...new Set(runs.map((run) => run.who))], ['a']);
          assert.equal(runs.filter(({ text }) => text === 'a').length, 1);
        });
      }
    }
  }
});
