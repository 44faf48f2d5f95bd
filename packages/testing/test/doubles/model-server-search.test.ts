import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createOpenAI, openai } from '@ai-sdk/openai';
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';
import { type Reply, startModelServer } from '../../src/doubles/model-server.ts';
import { recordsOf } from '../../src/wire/recorded-request.ts';

const schema = { type: 'object', properties: { title: { type: 'string' } } } as const;
const definition = { type: 'function', name: 'create_issue', parameters: schema };
const namespace = { type: 'namespace', name: 'github', description: 'Code.', tools: [definition] };

const SCRIPT: Reply[] = [
  { text: 'Looking.', calls: [{ name: 'tool_search', arguments: { query: 'issue' } }] },
  { calls: [{ name: 'create_issue', arguments: { title: 'é' } }], chunkSize: 3 },
  { text: 'Done.' },
];

async function run(script: readonly Reply[], mode: 'generate' | 'stream', store: boolean) {
  await using server = await startModelServer({ script });
  const asked: unknown[] = [];
  const titles: unknown[] = [];
  const settings = {
    model: createOpenAI({ baseURL: server.baseUrl('openai-responses'), apiKey: 'none' }).responses(
      'gpt-5.4',
    ),
    tools: {
      tool_search: openai.tools.toolSearch({
        execution: 'client',
        description: 'Finds tools.',
        parameters: { type: 'object', properties: { query: { type: 'string' } } },
        execute: ({ arguments: input }) => {
          asked.push(input);
          return { tools: [namespace] };
        },
      }),
      // This tool runs here, but the model knows it only through the search.
      create_issue: tool({
        inputSchema: jsonSchema<{ title: string }>(schema),
        providerOptions: { openai: { omitFromRequestTools: true } },
        execute: ({ title }) => {
          titles.push(title);
          return 'ok';
        },
      }),
    },
    prompt: 'File an issue.',
    providerOptions: { openai: { store } },
    maxRetries: 0,
    stopWhen: stepCountIs(5),
  };
  if (mode === 'generate') await generateText(settings);
  else {
    let failure: unknown;
    const onError = ({ error }: { error: unknown }) => {
      failure = error;
    };
    await streamText({ ...settings, onError }).consumeStream({ onError: () => {} });
    if (failure !== undefined) throw failure;
  }
  return { asked, titles, requests: server.requests };
}

for (const mode of ['generate', 'stream'] as const) {
  for (const store of [true, false]) {
    describe(`tool search by the client, ${mode}, ${store ? 'stored' : 'not stored'}`, () => {
      it('is asked, answered and leads to a call in a namespace', async () => {
        const { asked, titles, requests } = await run(SCRIPT, mode, store);
        assert.deepEqual(asked, [{ query: 'issue' }]);
        assert.deepEqual(titles, ['é']);
        assert.equal(requests.length, 3);
        const input = recordsOf(requests[2]?.body.input);
        assert.equal(
          input.filter(({ type, id }) => type === 'item_reference' && id === 'tsc_1').length,
          store ? 1 : 0,
        );
        assert.deepEqual(
          input
            .filter(({ type }) => type === 'tool_search_call')
            .map(({ id, call_id }) => [id, call_id]),
          store ? [] : [['tsc_1', 'call_1']],
        );
        const output = input.find(({ type }) => type === 'tool_search_output');
        assert.equal(output?.call_id, 'call_1');
        const call = input.find(({ type }) => type === 'function_call');
        assert.equal(call?.namespace, 'github');
        assert.equal(call?.call_id, 'call_2');
      });

      it('gets arguments that are not a JSON object as text', async () => {
        const calls = [{ name: 'tool_search', arguments: '{"query"' }];
        const { asked } = await run([{ calls }, { text: 'Sorry.' }], mode, store);
        assert.deepEqual(asked, ['{"query"']);
      });
    });
  }
}

describe('tool search on the Responses API', () => {
  const send = async (bodies: readonly Record<string, unknown>[]) => {
    await using server = await startModelServer({ script: () => SCRIPT[0] ?? {} });
    const responses = [];
    for (const body of bodies) {
      const response = await fetch(`${server.baseUrl('openai-responses')}/responses`, {
        method: 'POST',
        body: JSON.stringify({ model: 'm', ...body }),
      });
      responses.push(await response.json());
    }
    return responses;
  };
  const search = { type: 'tool_search', execution: 'client', parameters: schema };

  it('must be answered if the client refers to a call that the server has issued', async () => {
    const [first, second] = await send([
      { tools: [search], input: 'Go.' },
      { tools: [search], input: [{ type: 'item_reference', id: 'tsc_1' }] },
    ]);
    assert.deepEqual(
      recordsOf(first.output).map(({ type, id, call_id }) => [type, id, call_id]),
      [
        ['message', 'msg_1', undefined],
        ['tool_search_call', 'tsc_1', 'call_1'],
      ],
    );
    assert.match(second.error.message, /No tool search output found.*call_1/);
  });

  it('stays a function if a function has that name', async () => {
    const [answer] = await send([
      { tools: [{ type: 'function', name: 'tool_search', parameters: schema }], input: 'Go.' },
    ]);
    assert.equal(answer.output[1].type, 'function_call');
    assert.equal(typeof answer.output[1].arguments, 'string');
  });

  it('gives a call no namespace if its function is also declared outside a namespace', async () => {
    await using server = await startModelServer({ script: SCRIPT.slice(1) });
    const response = await fetch(`${server.baseUrl('openai-responses')}/responses`, {
      method: 'POST',
      body: JSON.stringify({
        model: 'm',
        tools: [definition],
        input: [{ type: 'additional_tools', role: 'developer', tools: [namespace] }],
      }),
    });
    const { output } = await response.json();
    assert.equal(output[0].name, 'create_issue');
    assert.equal(output[0].namespace, undefined);
  });
});
