import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Tool } from '@toolfold/core/internal/tool/tool.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { generateText, isStepCount, jsonSchema, type ModelMessage, streamText, tool } from 'ai';
import { createFold, type ToolHooks } from '../../src/index.ts';
import { ENDPOINTS, modelOn } from '../endpoints.test-support.ts';
import { callsOn, resultsOn } from '../wire.test-support.ts';

const chat = ENDPOINTS[2] ?? assert.fail();
const BIG = 12345678901234567890n;
const written = `{"id":${BIG}}`;
type Call = NonNullable<Reply['calls']>[number];
type Approves = Parameters<ReturnType<typeof createFold>['with']>[1] & object;

interface Setting {
  readonly tool?: Partial<Tool>;
  readonly strategy?: 'dispatch' | 'eager';
  readonly hooks?: ToolHooks;
  readonly toolApproval?: Approves['toolApproval'];
  readonly isStreamed?: boolean;
}

/** A tool that takes bigints, and a conversation in which the model calls it. */
function settingOf({ tool: given = {}, strategy = 'dispatch', hooks, toolApproval }: Setting) {
  const ran: unknown[] = [];
  const execute = async (input: unknown) => {
    ran.push(input);
    return 'ran';
  };
  const inputSchema = { type: 'object', properties: { id: { type: 'integer' } } };
  const target: Tool = { name: 't', inputSchema, takesBigints: true, execute, ...given };
  const fold = () =>
    createFold({
      groups: [{ groupId: 's', toolNames: ['t'], loader: async () => [target] }],
      strategy,
      onWarning: false,
    });
  const fieldsOf = (model: Parameters<ReturnType<typeof createFold>['with']>[0]) =>
    fold().with(model, { ...(hooks && { hooks }), ...(toolApproval && { toolApproval }) });
  return { ran, fieldsOf };
}

async function talk(calls: readonly Call[], given: Setting = {}, endpoint = chat) {
  const { ran, fieldsOf } = settingOf(given);
  await using server = await startModelServer({
    script: [...calls.map((call) => ({ calls: [call] })), { text: 'done' }],
  });
  const fields = fieldsOf(modelOn(server, endpoint));
  const options = { ...fields, prompt: 'x', stopWhen: isStepCount(calls.length + 1) };
  if (given.isStreamed) await streamText(options).consumeStream();
  else await generateText(options);
  const last = server.requests.at(-1) ?? assert.fail();
  return { ran, results: resultsOn(last).map(({ text }) => text), calls: callsOn(last) };
}

const direct = { name: 's__t', arguments: written };
const dispatched = {
  name: 'deferred_tool_call',
  arguments: `{"tool_name":"s__t","arguments":${written}}`,
};
const asText = {
  name: 'deferred_tool_call',
  arguments: JSON.stringify({ tool_name: 's__t', arguments: written }),
};

suite('an integer that no number holds reaches a tool that takes bigints', () => {
  for (const strategy of ['dispatch', 'eager'] as const)
    for (const isStreamed of [false, true])
      for (const call of strategy === 'eager' ? [direct] : [direct, dispatched, asText])
        test(`${strategy}, ${isStreamed ? 'streamed' : 'whole'}, ${call.arguments.slice(0, 60)}`, async () => {
          const hooked: unknown[] = [];
          const { ran } = await talk([call], {
            strategy,
            isStreamed,
            hooks: { beforeToolCall: ({ arguments: given }) => void hooked.push(given) },
          });
          assert.deepEqual(ran, [{ id: BIG }]);
          assert.deepEqual(hooked, [{ id: BIG }]);
        });

  test('as a text of digits too, where the schema takes only a number', async () => {
    const { ran } = await talk([{ name: 's__t', arguments: { id: `${BIG}` } }]);
    assert.deepEqual(ran, [{ id: BIG }]);
  });

  test('and a hook that compares it denies it', async () => {
    const beforeToolCall: ToolHooks['beforeToolCall'] = ({ arguments: { id } }) =>
      Number(id) > 1000 ? { deny: 'Too much.' } : undefined;
    const { ran, results } = await talk([direct, dispatched], { hooks: { beforeToolCall } });
    assert.deepEqual(ran, []);
    for (const text of results) assert.match(text, /Too much/);
  });

  test('also where a hook returns it, or changes another argument', async () => {
    const { ran } = await talk([direct], {
      hooks: { beforeToolCall: ({ arguments: given }) => ({ arguments: { ...given, more: 'x' } }) },
    });
    assert.deepEqual(ran, [{ id: BIG, more: 'x' }]);
  });

  for (const [limits, isValid] of [
    [{ minimum: 0 }, true],
    [{ maximum: 1000 }, false],
    [{ exclusiveMinimum: 1e30 }, false],
    [{ multipleOf: 10 }, true],
    [{ multipleOf: 7 }, false],
    [{ enum: [1, 2] }, false],
    [{ type: 'string' }, false],
    [{ type: ['null', 'number'] }, true],
    [{}, true],
  ] as const)
    test(`and the schema ${JSON.stringify(limits)} ${isValid ? 'accepts' : 'refuses'} it`, async () => {
      const inputSchema = {
        type: 'object',
        properties: { id: { ...('type' in limits ? {} : { type: 'integer' }), ...limits } },
      };
      const { ran } = await talk([direct], { tool: { inputSchema } });
      assert.deepEqual(ran, isValid ? [{ id: BIG }] : []);
    });
});

suite('a call with such an integer is refused', () => {
  test('where the tool does not take bigints', async () => {
    const { ran, results } = await talk([direct, dispatched, asText], {
      tool: { takesBigints: false },
    });
    assert.deepEqual(ran, []);
    for (const text of results) assert.match(text, /12345678901234567890 has more digits/);
  });

  for (const number of ['1e400', '12345678901234567890.5', '1e-400'])
    test(`where the number is ${number}`, async () => {
      const { ran, results } = await talk([{ name: 's__t', arguments: `{"id":${number}}` }], {
        tool: { inputSchema: { type: 'object' } },
      });
      assert.deepEqual(ran, []);
      assert.match(results[0] ?? '', /more digits/);
    });
});

suite('the question about such an integer', () => {
  for (const call of [direct, dispatched])
    test(`says what runs, and the answer of another process runs it, ${call.name}`, async () => {
      const asked: unknown[] = [];
      const toolApproval = ({ toolCall }: { toolCall: { input: unknown } }) => {
        asked.push(toolCall.input);
        return 'user-approval' as const;
      };
      const first = settingOf({ toolApproval: toolApproval as never });
      await using server = await startModelServer({
        script: [{ calls: [call] }, { text: 'done' }],
      });
      const model = modelOn(server, chat);
      const messages: ModelMessage[] = [{ role: 'user', content: 'x' }];
      const said = await generateText({ ...first.fieldsOf(model), messages });
      const request = said.content.find((part) => part.type === 'tool-approval-request');
      assert.ok(request);
      assert.deepEqual(asked, [{ id: BIG }]);
      assert.match(JSON.stringify(said.content), /12345678901234567890/);
      assert.doesNotMatch(JSON.stringify(said.content), /12345678901234567000/);
      const kept = JSON.parse(JSON.stringify([...messages, ...said.response.messages]));
      kept.push({
        role: 'tool',
        content: [
          { type: 'tool-approval-response', approvalId: request.approvalId, approved: true },
        ],
      });
      const second = settingOf({ toolApproval: toolApproval as never });
      await generateText({ ...second.fieldsOf(model), messages: kept });
      assert.deepEqual(second.ran, [{ id: BIG }]);
    });
});

suite('an integer beyond 2^53 whose digits the provider does not show', () => {
  // JSON.parse of 12345678901234567890, written again.
  const rounded = '{"id":12345678901234567000}';
  const anthropic = ENDPOINTS[0] ?? assert.fail();
  const compatible = ENDPOINTS[3] ?? assert.fail();

  test('is refused where the provider has parsed the arguments, and a string of digits runs', async () => {
    const { ran, results } = await talk(
      [
        { name: 's__t', arguments: written },
        { ...dispatched },
        { name: 's__t', arguments: { id: `${BIG}` } },
      ],
      {},
      anthropic,
    );
    assert.deepEqual(ran, [{ id: BIG }]);
    for (const text of results.slice(0, 2))
      assert.match(text, /may be another one than you wrote.*string of digits/s);
  });

  test('is exact in a stream, which has the text', async () => {
    const { ran } = await talk(
      [{ name: 's__t', arguments: written }],
      { isStreamed: true },
      anthropic,
    );
    assert.deepEqual(ran, [{ id: BIG }]);
  });

  test('is exact where the provider passes on the text', async () => {
    for (const endpoint of [chat, compatible, ENDPOINTS[1] ?? assert.fail()]) {
      const { ran } = await talk([{ name: 's__t', arguments: rounded }], {}, endpoint);
      assert.deepEqual(ran, [{ id: 12345678901234567000 }]);
    }
  });

  for (const [number, runs] of [
    ['9007199254740991', true],
    ['-9007199254740992', false],
    ['1700000000000000000', false],
    ['1e21', true],
    ['6.02214076e23', true],
    ['0.1', true],
    ['1.2345678901234568e29', false],
    ['"12345678901234567000"', true],
  ] as const)
    test(`${number} ${runs ? 'runs' : 'is refused'}`, async () => {
      const inputSchema = { type: 'object', properties: { id: { type: ['number', 'string'] } } };
      const call = { name: 's__t', arguments: `{"id":${number}}` };
      const { ran } = await talk([call], { tool: { inputSchema, takesBigints: false } }, anthropic);
      assert.deepEqual(ran, runs ? [{ id: JSON.parse(number) }] : []);
    });

  for (const mode of ['whole', 'streamed'])
    test(`is judged for tools that the app added, and own tools, ${mode}`, async () => {
      const ran: unknown[] = [];
      const own = tool({
        inputSchema: jsonSchema({ type: 'object', properties: {} }),
        execute: async (input) => {
          ran.push(input);
          return 'ran';
        },
      });
      for (const strategy of ['auto', 'dispatch'] as const)
        for (const name of ['own', 'beside']) {
          await using server = await startModelServer({
            script: [{ calls: [{ name, arguments: written }] }, { text: 'done' }],
          });
          const fold = createFold({
            tools: { own },
            strategy,
            exposure: { own: 'inline' },
            onWarning: false,
          });
          const fields = fold.with(modelOn(server, mode === 'whole' ? anthropic : chat));
          const options = {
            ...fields,
            tools: { ...fields.tools, beside: own },
            prompt: 'x',
            stopWhen: isStepCount(2),
          };
          if (mode === 'whole') await generateText(options);
          else await streamText(options).consumeStream();
          assert.deepEqual(ran, [], `${strategy} ${name}`);
          const last = server.requests.at(-1) ?? assert.fail();
          assert.match(JSON.stringify(resultsOn(last)), /may be another one|has more digits/);
        }
    });
});
