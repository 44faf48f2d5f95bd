import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { generateText, isStepCount, streamText } from 'ai';
import fc from 'fast-check';
import { ENDPOINTS, type Endpoint, modelOn } from '../../test/endpoints.test-support.ts';
import { foldOptions } from '../../test/folds.test-support.ts';
import { BRIDGE, DISPATCH } from '../../test/scenarios.test-support.ts';
import { createFold } from '../index.ts';
import { EnvelopePeeler } from './stream.ts';

const NAME = 'github__create_issue';
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('"}', '\\"', '{"a":1}', '\u{1F600}', '\\u0041', '\ud83d'),
);
const space = fc.constantFrom('', ' ', '\n\t', '  ');

/** An envelope as a model may write it: any key order, whitespace, escapes for any character. */
const envelope = fc
  .record({
    title: text,
    labels: fc.array(text, { maxLength: 3 }),
    nameFirst: fc.boolean(),
    pretty: fc.boolean(),
    space,
    escaped: fc.boolean(),
  })
  .map(({ title, labels, nameFirst, pretty, space, escaped }) => {
    const input = { title, labels };
    const name = `"tool_name"${space}:${space}"${escaped ? NAME.replace('g', '\\u0067') : NAME}"`;
    const json = pretty ? JSON.stringify(input, null, 2) : JSON.stringify(input);
    const args = `"arguments"${space}:${space}${json}`;
    const pair = nameFirst ? `${name}${space},${space}${args}` : `${args}${space},${space}${name}`;
    return { raw: `${space}{${space}${pair}${space}}${space}`, input, nameFirst };
  });

describe('promise 10: reading an envelope', () => {
  test('promise 10: the name and arguments do not depend on the deltas', () => {
    fc.assert(
      fc.property(
        envelope,
        fc.infiniteStream(fc.integer({ min: 1, max: 7 })),
        ({ raw, input, nameFirst }, sizes) => {
          const peeler = new EnvelopePeeler('tool_name');
          const events = [];
          for (let rest = raw; rest !== ''; ) {
            const size = sizes.next().value ?? 1;
            events.push(...peeler.push(rest.slice(0, size)));
            rest = rest.slice(size);
          }
          const names = events.flatMap((event) => (event.type === 'name' ? [event.name] : []));
          const peeled = events
            .flatMap((event) => (event.type === 'arguments' ? [event.text] : []))
            .join('');
          if (!nameFirst) return assert.deepEqual(events, []);
          assert.deepEqual(names, [NAME]);
          assert.deepEqual(JSON.parse(peeled), input);
          assert.equal(events[0]?.type, 'name');
        },
      ),
    );
  });

  test('promise 10: text that is no envelope gives no arguments', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string(), fc.constant('{"tool_name": 5}')), (raw) => {
        const events = new EnvelopePeeler('no_such_key').push(raw);
        assert.deepEqual(events, []);
      }),
    );
  });
});

interface Streamed {
  readonly parts: readonly { type: string; id: string; name?: string; delta?: string }[];
  readonly calls: readonly {
    toolCallId: string;
    toolName: string;
    input: unknown;
    invalid?: boolean | undefined;
  }[];
}

async function streamed(
  endpoint: Endpoint,
  reply: Reply,
  strategy: 'dispatch' | 'bridge' = 'dispatch',
): Promise<Streamed> {
  await using server = await startModelServer({ script: [reply] });
  const fold = createFold({ ...foldOptions([]), strategy });
  const result = streamText({
    ...fold.with(modelOn(server, endpoint)),
    prompt: 'Go',
    stopWhen: isStepCount(1),
  });
  const parts: Streamed['parts'][number][] = [];
  for await (const part of result.stream) {
    if (part.type === 'tool-input-start')
      parts.push({ type: 'start', id: part.id, name: part.toolName });
    if (part.type === 'tool-input-delta')
      parts.push({ type: 'delta', id: part.id, delta: part.delta });
    if (part.type === 'tool-input-end') parts.push({ type: 'end', id: part.id });
    if (part.type === 'tool-call')
      parts.push({ type: 'call', id: part.toolCallId, name: part.toolName });
  }
  const calls = (await result.toolCalls).map(({ toolCallId, toolName, input, invalid }) => ({
    toolCallId,
    toolName,
    input,
    invalid,
  }));
  return { parts, calls };
}

async function generated(endpoint: Endpoint, reply: Reply): Promise<Streamed['calls']> {
  await using server = await startModelServer({ script: [reply] });
  const fold = createFold(foldOptions([]));
  const { toolCalls } = await generateText({
    ...fold.with(modelOn(server, endpoint)),
    prompt: 'Go',
    stopWhen: isStepCount(1),
  });
  return toolCalls.map(({ toolCallId, toolName, input, invalid }) => ({
    toolCallId,
    toolName,
    input,
    invalid,
  }));
}

function checkParts({ parts, calls }: Streamed): void {
  for (const { toolCallId: id, toolName, input, invalid } of calls) {
    const mine = parts.filter((part) => part.id === id);
    assert.deepEqual(
      mine
        .map(({ type }) => type)
        .filter((type, index, all) => type !== 'delta' || all[index - 1] !== 'delta'),
      mine.some(({ type }) => type === 'delta')
        ? ['start', 'delta', 'end', 'call']
        : ['start', 'end', 'call'],
    );
    assert.equal(mine[0]?.name, toolName);
    if (invalid && typeof input !== 'object') continue;
    const written = mine.map(({ delta = '' }) => delta).join('');
    assert.deepEqual(JSON.parse(written === '' ? '{}' : written), input);
  }
}

for (const endpoint of ENDPOINTS) {
  describe(`promise 10: streams, ${endpoint.name}`, () => {
    test('promise 10: start, deltas and end are the real call, for any deltas; equal to generate', async () => {
      await fc.assert(
        fc.asyncProperty(
          envelope,
          fc.integer({ min: 1, max: 40 }),
          fc.boolean(),
          async ({ raw, input }, chunkSize, two) => {
            const calls = [
              { name: 'deferred_tool_call', arguments: raw },
              ...(two
                ? [
                    { name: 'ask', arguments: { question: 'why' } },
                    DISPATCH.call('linear__create_issue', input),
                  ]
                : []),
            ];
            const reply: Reply = { text: 'Hm.', calls, chunkSize };
            const result = await streamed(endpoint, reply);
            checkParts(result);
            assert.deepEqual(result.calls[0]?.input, input);
            assert.deepEqual(result.calls, await generated(endpoint, reply));
          },
        ),
        { numRuns: 25 },
      );
    });

    test('promise 10: arguments stream as they arrive if the name comes first, else at the end', async () => {
      const deltas = async (args: string) => {
        const { parts } = await streamed(endpoint, {
          calls: [{ name: 'deferred_tool_call', arguments: args }],
          chunkSize: 5,
        });
        return parts.filter(({ type }) => type === 'delta').length;
      };
      const long = `"arguments":{"title":"${'x'.repeat(100)}"}`;
      assert.ok((await deltas(`{"tool_name":"${NAME}",${long}}`)) > 10);
      assert.equal(await deltas(`{${long},"tool_name":"${NAME}"}`), 1);
    });

    test('promise 10: odd calls keep one start and one end', async () => {
      const odd: Reply = {
        chunkSize: 3,
        calls: [
          { name: 'deferred_tool_call', arguments: '' },
          { name: 'deferred_tool_call', arguments: '{"tool_name": "github__list_issues"}' },
          {
            name: 'deferred_tool_call',
            arguments: '{"tool_name": "github__list_issues", "arguments": "{}"}',
          },
          {
            name: 'deferred_tool_call',
            arguments: `{"tool_name": "${NAME}", "arguments": {}, "tool_name": "ask"}`,
          },
          {
            name: 'deferred_tool_call',
            arguments: `{"tool_name": "${NAME}", "arguments": {"arguments": {"title": "a"}}}`,
          },
          { name: 'nobody', arguments: { a: 1 } },
          { name: NAME, arguments: { title: 'native' } },
          { name: 'ask', arguments: '' },
        ],
      };
      const { parts, calls } = await streamed(endpoint, odd);
      for (const { toolCallId } of calls) {
        const types = parts.filter(({ id }) => id === toolCallId).map(({ type }) => type);
        assert.equal(types[0], 'start');
        assert.equal(types.at(-1), 'call');
        assert.deepEqual(
          [types.filter((t) => t === 'start').length, types.filter((t) => t === 'end').length],
          [1, 1],
          String(types),
        );
      }
      const started = parts.filter(({ type }) => type === 'start').map(({ name }) => name);
      // The app sees the name that the model used.
      assert.equal(started.filter((name) => name === 'nobody').length, 1);
    });

    test('promise 10: the bridge strategy streams the real call as well', async () => {
      const result = await streamed(
        endpoint,
        { calls: [BRIDGE.call(NAME, { title: 'é' })], chunkSize: 2 },
        'bridge',
      );
      checkParts(result);
      assert.equal(result.calls[0]?.toolName, NAME);
    });
  });
}
