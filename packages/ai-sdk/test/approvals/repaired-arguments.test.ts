import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { CallEvent } from '@toolfold/core/internal/transcript/transcript.ts';
import type { JsonSchema } from '@toolfold/core/internal/values/json.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { generateText, isStepCount, streamText } from 'ai';
import { createFold } from '../../src/index.ts';
import { ENDPOINTS, modelOn } from '../endpoints.test-support.ts';
import { callsOn } from '../wire.test-support.ts';

const endpoint = ENDPOINTS[2] ?? assert.fail();

const inputSchema: JsonSchema = {
  type: 'object',
  required: ['q'],
  properties: {
    q: { type: 'string' },
    n: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' } },
    path: { type: 'string', minLength: 1 },
  },
};

/** A damage, what it means, and whether something is left out. */
const DAMAGES = {
  'null left out': [{ n: null }, {}, true],
  'an empty text left out': [{ path: '' }, {}, true],
  'a list as text': [{ tags: '["a"]' }, { tags: ['a'] }, false],
  'digits for a number': [{ n: '3' }, { n: 3 }, false],
  'nothing to repair': [{ n: 3 }, { n: 3 }, false],
} as const;
const SOURCES = {
  'trusted and read-only': [true, true],
  'trusted and writing': [true, false],
  'read-only by its own word': [false, true],
} as const;
const STRATEGIES = ['eager', 'dispatch', 'bridge', 'inject'] as const;

/** What runs, what hooks and events see, and what the next request says of the call. */
async function talk(
  [given]: (typeof DAMAGES)[keyof typeof DAMAGES],
  [trusted, readOnlyHint]: (typeof SOURCES)[keyof typeof SOURCES],
  strategy: (typeof STRATEGIES)[number],
  isStreamed: boolean,
) {
  const args = { q: 'x', ...given };
  const ran: unknown[] = [];
  const hooked: unknown[] = [];
  const events: CallEvent[] = [];
  const call =
    strategy === 'dispatch'
      ? { name: 'deferred_tool_call', arguments: { tool_name: 's__t', arguments: args } }
      : strategy === 'bridge'
        ? { name: 'tool_call', arguments: { name: 's__t', arguments: args } }
        : { name: 's__t', arguments: args };
  await using server = await startModelServer({
    script: [{ calls: [call] }, { text: 'done' }],
  });
  const execute = async (input: unknown) => {
    ran.push(input);
    return 'ran';
  };
  const tool = { name: 't', inputSchema, annotations: { readOnlyHint }, execute };
  const fold = createFold({
    groups: [{ groupId: 's', toolNames: ['t'], trusted, loader: async () => [tool] }],
    strategy,
    onWarning: false,
    onCall: (event) => events.push(event),
  });
  const fields = fold.with(modelOn(server, endpoint), {
    hooks: { beforeToolCall: ({ arguments: seen }) => void hooked.push(seen) },
  });
  const options = { ...fields, prompt: 'x', stopWhen: isStepCount(2) };
  if (isStreamed) await streamText(options).consumeStream();
  else await generateText(options);
  const [sent] = callsOn(server.requests.at(-1) ?? assert.fail());
  return {
    ...{ ran, hooked },
    sent: sent?.input,
    written: call.arguments,
    event: events.findLast(({ name }) => name === 's__t'),
  };
}

suite('repaired arguments in a talk', () => {
  for (const damage of Object.keys(DAMAGES) as (keyof typeof DAMAGES)[])
    for (const source of Object.keys(SOURCES) as (keyof typeof SOURCES)[])
      test(`${damage}, ${source}`, async () => {
        const [given, meant, isLoss] = DAMAGES[damage];
        const mayRun = !isLoss || source === 'trusted and read-only';
        const isRepaired = JSON.stringify(given) !== JSON.stringify(meant);
        for (const [at, strategy] of STRATEGIES.entries())
          for (const isStreamed of strategy === 'dispatch' ? [false, true] : [at % 2 === 0]) {
            const { ran, hooked, sent, written, event } = await talk(
              DAMAGES[damage],
              SOURCES[source],
              strategy,
              isStreamed,
            );
            const want = mayRun ? [{ q: 'x', ...meant }] : [];
            assert.deepEqual(ran, want, strategy);
            assert.deepEqual(hooked, want);
            assert.deepEqual(sent, written, 'the wire keeps what the model wrote');
            assert.equal(event?.outcome, mayRun ? 'run' : 'refused');
            assert.equal(event?.repairs !== undefined, mayRun && isRepaired);
          }
      });
});
