// test: slow
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createMCPClient, ElicitationRequestSchema, type MCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport as StdioTransport } from '@ai-sdk/mcp/mcp-stdio';
import { generateText, stepCountIs } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { environment, home, root, start } from '../cli/process.test-support.ts';

const everything = {
  command: process.execPath,
  args: [join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js')],
};
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

type Answer = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>;
type Part = Answer['content'][number];
type Transport = Parameters<typeof createMCPClient>[0]['transport'];

/** How the client reaches the gateway. */
const TRANSPORTS: Readonly<
  Record<string, (folder: string, context: TestContext) => Promise<Transport>>
> = {
  stdio: async (folder) =>
    new StdioTransport({
      command: process.execPath,
      args: [
        join(root, 'packages/toolfold/bin/toolfold.js'),
        'serve',
        '--config',
        join(folder, 'mcp.json'),
      ],
      env: environment(folder, {}) as Record<string, string>,
      stderr: 'ignore',
    }),
  http: async (folder, context) => {
    const gateway = start(folder, ['serve', '--config', 'mcp.json', '--http', '0']);
    context.after(async () => {
      gateway.kill('SIGTERM');
      if (gateway.exitCode === null) await once(gateway, 'exit');
    });
    let lines = '';
    while (!/Listening on (\S+)\n/.test(lines))
      lines += String((await once(gateway.stderr ?? assert.fail(), 'data'))[0]);
    return { type: 'http', url: /Listening on (\S+)/.exec(lines)?.[1] ?? '' };
  },
};

/** A model that makes these calls, one in each step, and then ends. */
function scripted(calls: readonly (readonly [tool: string, input: object])[]): MockLanguageModelV4 {
  const answer = (part: Part, unified: 'tool-calls' | 'stop'): Answer => ({
    content: [part],
    finishReason: { unified, raw: undefined },
    ...{ usage, warnings: [] },
  });
  const steps = calls.map(([toolName, input], n) =>
    answer(
      { type: 'tool-call', toolCallId: `call_${n}`, toolName, input: JSON.stringify(input) },
      'tool-calls',
    ),
  );
  return new MockLanguageModelV4({
    doGenerate: [...steps, answer({ type: 'text', text: 'Done.' }, 'stop')],
  });
}

for (const [name, open] of Object.entries(TRANSPORTS))
  test(`an AI SDK agent finds and calls tools with @ai-sdk/mcp, over ${name}`, {
    timeout: 60_000,
  }, async (context) => {
    const config = { mcpServers: { everything } };
    const folder = await home(context, { 'mcp.json': JSON.stringify(config) });
    const client: MCPClient = await createMCPClient({
      transport: await open(folder, context),
      capabilities: { elicitation: {} },
    });
    context.after(() => client.close());
    const asked: string[] = [];
    client.onElicitationRequest(ElicitationRequestSchema, ({ params }) => {
      asked.push(params.message);
      return { action: 'decline' };
    });
    let tools = await client.tools();
    // On a busy machine the first list does not wait long enough for the server.
    while (!String(tools.tool_search?.description).includes('get-sum'))
      tools = await client.tools();
    assert.deepEqual(Object.keys(tools), ['tool_search', 'tool_describe', 'tool_call']);
    const { toolResults, text } = await generateText({
      model: scripted([
        ['tool_search', { query: 'add two numbers' }],
        ['tool_call', { name: 'everything__get-sum', arguments: { a: 2, b: 40 } }],
        ['tool_call', { name: 'everything__get-sum', arguments: { a: 'two' } }],
        ['tool_call', { name: 'everything__trigger-elicitation-request', arguments: {} }],
      ]),
      ...{ tools, prompt: 'Add 2 and 40.', stopWhen: stepCountIs(9) },
    });
    assert.equal(text, 'Done.');
    const results = toolResults.map(({ output }) => JSON.stringify(output));
    assert.equal(results.length, 4);
    assert.match(results[0] ?? '', /matches.*everything__get-sum/);
    assert.match(results[1] ?? '', /The sum of 2 and 40 is 42\./);
    assert.match(results[2] ?? '', /invalid_arguments/);
    assert.match(results[3] ?? '', /declined/);
    assert.equal(asked.length, 1, 'the question of the server reached this client');
  });
