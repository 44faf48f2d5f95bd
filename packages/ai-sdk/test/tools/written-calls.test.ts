import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { generateText, isStepCount, jsonSchema, streamText, tool } from 'ai';
import { createFold } from '../../src/index.ts';
import { ENDPOINTS, modelOn } from '../endpoints.test-support.ts';
import { callsOn, resultsOn } from '../wire.test-support.ts';

const endpoint = ENDPOINTS[2] ?? assert.fail();
const inputSchema = { type: 'object' as const, properties: { id: { type: 'integer' as const } } };
type Call = NonNullable<Reply['calls']>[number];

/** What ran, and the last request, of a talk with these calls. */
async function talk(calls: readonly Call[], strategy: 'dispatch' | 'eager', isStreamed = false) {
  const ran: unknown[] = [];
  const hooked: string[] = [];
  const execute = async (input: unknown) => {
    ran.push(input);
    return 'ran';
  };
  await using server = await startModelServer({
    script: [...calls.map((call) => ({ calls: [call] })), { text: 'done' }],
  });
  const named = (name: string) => ({ name, inputSchema, execute });
  const fold = createFold({
    tools: { own: tool({ inputSchema: jsonSchema(inputSchema), execute }) },
    groups: [
      { groupId: 's', toolNames: ['t', 'secret'], loader: async () => ['t', 'secret'].map(named) },
    ],
    roles: { user: { tools: ['s__t', 'own'] } },
    exposure: { own: 'inline' },
    strategy,
    onWarning: false,
  });
  const fields = fold.with(modelOn(server, endpoint), {
    role: 'user',
    hooks: { beforeToolCall: ({ name }) => void hooked.push(name) },
  });
  const options = { ...fields, prompt: 'x', stopWhen: isStepCount(calls.length + 1) };
  if (isStreamed) await streamText(options).consumeStream();
  else await generateText(options);
  const last = server.requests.at(-1) ?? assert.fail();
  return { ran, hooked, calls: callsOn(last), results: resultsOn(last).map(({ text }) => text) };
}

const LOAD = { group_id: 's', tool_names: ['functions.t'] };

suite('names as models of the Harmony format write them', () => {
  for (const write of [
    (name: string) => `functions.${name}`,
    (name: string) => `${name}<|channel|>commentary`,
    (name: string) => `functions.${name}<|channel|>analysis<|message|>`,
  ])
    for (const isStreamed of [false, true])
      test(`${write('t')} is found, ${isStreamed ? 'streamed' : 'whole'}`, async () => {
        const direct = { name: write('s__t'), arguments: { id: 1 } };
        const inside = { tool_name: write('s__t'), arguments: { id: 2 } };
        const found = await talk(
          [
            { name: write('load_tools'), arguments: LOAD },
            direct,
            { name: write('deferred_tool_call'), arguments: inside },
            { name: write('own'), arguments: { id: 3 } },
          ],
          'dispatch',
          isStreamed,
        );
        assert.deepEqual(found.ran, [{ id: 1 }, { id: 2 }, { id: 3 }]);
        assert.deepEqual(found.hooked, ['s__t', 's__t', 'own']);
        assert.match(found.results[0] ?? '', /"expanded":true/);
        const names = found.calls.map(({ name }) => name);
        assert.deepEqual(names, ['load_tools', 's__t', 'deferred_tool_call', 'own']);
      });

  test('a tool outside the role stays unknown', async () => {
    for (const name of ['functions.s__secret', 'functions.secret', 'secret<|channel|>commentary']) {
      const through = { tool_name: name, arguments: {} };
      const { ran, results } = await talk(
        [
          { name, arguments: {} },
          { name: 'deferred_tool_call', arguments: through },
        ],
        'dispatch',
      );
      assert.deepEqual(ran, []);
      for (const text of results) assert.match(text, /unknown_tool|no tool of this name/i);
    }
  });
});

suite('a number that a double cannot hold', () => {
  const written = '{"id":12345678901234567890}';
  for (const strategy of ['dispatch', 'eager'] as const)
    for (const isStreamed of [false, true])
      for (const name of ['s__t', 'own'])
        test(`is no other number for ${name}, ${strategy}, ${isStreamed ? 'streamed' : 'whole'}`, async () => {
          const exact = { name, arguments: '{"id":1}' };
          const { ran, hooked, results } = await talk(
            [{ name, arguments: written }, exact],
            strategy,
            isStreamed,
          );
          assert.deepEqual(ran, [{ id: 1 }]);
          assert.deepEqual(hooked, [name]);
          assert.match(results[0] ?? '', /12345678901234567890 has more digits.*as a string/s);
        });

  test('is refused inside a dispatcher and inside JSON text too', async () => {
    for (const inner of [written, `"${written.replaceAll('"', '\\"')}"`]) {
      const call = {
        name: 'deferred_tool_call',
        arguments: `{"tool_name":"s__t","arguments":${inner}}`,
      };
      const { ran, results } = await talk([call], 'dispatch');
      assert.deepEqual(ran, []);
      assert.match(results[0] ?? '', /has more digits/);
    }
  });
});
