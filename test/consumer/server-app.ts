/**
 * An app with MCP servers and a provider as somebody writes it. `test/packing.test.ts` compiles it with
 * strict options. It is never run.
 */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createAgent } from '@toolfold/agent';
import { createFold } from '@toolfold/ai-sdk';
import {
  authProviderFor,
  connectServers,
  createServerPool,
  findConfigs,
  followConfig,
  loadFoundConfigs,
  type PoolEvent,
  parseConfig,
  readConfig,
  type ServerPool,
  toGroup,
} from '@toolfold/mcp';
import { startMcpServer } from '@toolfold/testing';
import { isStepCount, streamText } from 'ai';

const anthropic = createAnthropic({ apiKey: process.env.ANTHROPIC_API_KEY ?? 'none' });
const openai = createOpenAI({ apiKey: process.env.OPENAI_API_KEY ?? 'none' });

/** A pool of the servers of a configuration, and its tools in the SDK. */
export async function answer(prompt: string): Promise<string> {
  const config = await readConfig('mcp.json', { env: process.env });
  await using pool = await createServerPool(config, {
    onEvent: log,
    requests: { elicitation: 'form', roots: [process.cwd()] },
  });
  const missing = await pool.ready({ within: 2_000 });
  if (missing.length > 0) console.log(missing.join(', '));
  const fold = createFold({ ...config.settings, groups: pool, frameResults: true });
  const result = streamText({
    ...fold.with(anthropic('claude-opus-5-5'), { strategy: 'native', contextWindow: 200_000 }),
    prompt,
    stopWhen: isStepCount(20),
  });
  for await (const part of result.fullStream)
    if (part.type === 'tool-call') console.log(part.toolName, part.input);
  const agent = createAgent({
    ...config.settings,
    model: openai('gpt-5.4'),
    groups: pool,
    approvals: { ask: async () => ({ approved: true }) },
    elicitation: { ask: async () => ({ action: 'decline' }) },
  });
  for await (const event of agent.send(prompt)) if (event.type === 'text') console.log(event.text);
  return result.text;
}

function log(event: PoolEvent): void {
  if (event.kind === 'state') console.log(event.server, event.from.kind, '->', event.to.kind);
}

/** Configurations from several places, followed while they change. */
export async function follow(pool: ServerPool): Promise<void> {
  const { env, platform } = process;
  const places = { cwd: process.cwd(), home: '/home/ada', platform, env };
  const found = await findConfigs(places);
  const { config } = await loadFoundConfigs(places);
  const parsed = parseConfig('mcp.json', '{"mcpServers":{}}', { env });
  console.log([...(config?.servers.keys() ?? []), ...parsed.servers.keys()]);
  const end = followConfig(pool, {
    files: found.map(({ file }) => file),
    load: () => readConfig('mcp.json', { env }),
    onProblem: console.error,
  });
  end();
}

/** A server in memory, a client of the app's own, and a transport of the SDK. */
export async function own(url: URL): Promise<void> {
  await using server = await startMcpServer({
    tools: [{ name: 'echo', inputSchema: { type: 'object' } }],
    callTool: (name) => ({ content: [{ type: 'text', text: name }], structuredContent: { name } }),
  });
  const client = new Client({ name: 'app', version: '1.0.0' });
  await client.connect(server.transport);
  const secrets: string[] = [];
  const entries = new Map([
    ['memory', { kind: 'transport', transport: server.transport, secrets } as const],
    [
      'remote',
      { kind: 'transport', transport: new StreamableHTTPClientTransport(url), secrets } as const,
    ],
  ]);
  await using connected = await connectServers({ servers: entries, settings: undefined });
  console.log(connected.groups[0]?.toolNames, toGroup, authProviderFor);
}
