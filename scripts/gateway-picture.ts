/**
 * Draws docs/gateway.svg: what an MCP client lists with the demo's six servers and with the gateway in front of
 * them, and calls that it makes through the gateway. Client, gateway and servers run here. Tokens are those of
 * the listed tools, counted with o200k_base. Run: `npm run picture:gateway`.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { listServers } from '../bench/demo-servers.ts';
import { createWorkplace } from '../packages/toolfold/src/demo/demo.ts';
import { escaped, rect, shortened, text } from './svg.ts';

const [WIDTH, HEIGHT, TOP] = [980, 420, 104];
const BAR = { left: 40, after: 250, width: 180 };
const PANEL = { left: 470, width: 470 };
const COMMAND = fileURLToPath(new URL('../packages/toolfold/bin/toolfold.js', import.meta.url));

/** A list of tools: how many, and their tokens. */
interface Listed {
  readonly tools: number;
  readonly tokens: number;
}

/** A call through the gateway, and what came back. */
interface Exchange {
  readonly call: string;
  readonly answer: readonly string[];
}

async function listed(): Promise<Listed> {
  const listings = await listServers(AbortSignal.timeout(60_000));
  return sizeOf([...listings.values()].flatMap(({ tools }) => [...tools]));
}

function sizeOf(tools: readonly { name: string; description?: string; inputSchema?: unknown }[]) {
  const shown = tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema,
  }));
  return { tools: tools.length, tokens: countTokens(JSON.stringify(shown)) };
}

/** What a client lists of the gateway, and its calls. */
async function throughGateway(): Promise<{ list: Listed; calls: readonly Exchange[] }> {
  await using workplace = await createWorkplace();
  const changed = Promise.withResolvers<void>();
  const client = new Client({ name: 'picture', version: '1.0.0' });
  client.setNotificationHandler('notifications/tools/list_changed', () => changed.resolve());
  const args = [COMMAND, 'serve', '--config', workplace.config];
  const env = { PATH: process.env.PATH ?? '', HOME: workplace.folder };
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
  try {
    const call = async (name: string, given: Record<string, unknown>) => {
      const { content } = await client.callTool({ name, arguments: given });
      const [part] = content;
      return part?.type === 'text' ? part.text : '';
    };
    // The first call of a server waits until it has started.
    const repository = { path: workplace.repository };
    await call('tool_call', { name: 'git__git_init', arguments: repository });
    const { tools } = await client.listTools();
    const found = JSON.parse(await call('tool_search', { query: 'state of the working tree' }));
    const matches = found.matches as readonly { name: string }[];
    const status = await call('tool_call', { name: 'git__git_status', arguments: repository });
    const calls = [
      {
        call: 'tool_search { query: "state of the working tree" }',
        answer: matches.slice(0, 3).map(({ name }) => name),
      },
      {
        call: 'tool_call { name: "git__git_status", arguments: … }',
        answer: [JSON.stringify(JSON.parse(status)).replaceAll('":', '": ')],
      },
    ];
    return { list: sizeOf(tools), calls };
  } finally {
    await client.close();
  }
}

function draw(before: Listed, after: Listed, calls: readonly Exchange[]): string {
  const scale = (HEIGHT - TOP - 60) / before.tokens;
  const label = `A client lists ${before.tools} tools with ${figure(before.tokens)} tokens, or ${after.tools} tools of the gateway with ${figure(after.tokens)}.`;
  const lines = calls.flatMap(({ call, answer }) => [
    { words: `→ ${call}`, name: 'code call' },
    ...answer.map((words) => ({ words: `  ${words}`, name: 'code' })),
    { words: '', name: 'code' },
  ]);
  const panel = 34 + 22 * lines.length;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(label)}">
<style>
  text { font: 13px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1f2328; }
  .title { font-size: 17px; font-weight: 600; }
  .small { fill: #59636e; }
  .code { font: 12px ui-monospace, "DejaVu Sans Mono", monospace; white-space: pre; }
  .call { fill: #1a7f5a; font-weight: 600; }
  .page { fill: #ffffff; }
  .panel { fill: #f6f8fa; stroke: #d1d9e0; }
  .before { fill: #b3434b; }
  .after { fill: #1a7f5a; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .small { fill: #9198a1; }
    .call { fill: #2ea077; }
    .page { fill: #0d1117; }
    .panel { fill: #161b22; stroke: #3d444d; }
    .after { fill: #2ea077; }
  }
</style>
${rect(0, 0, WIDTH, HEIGHT, 'page')}
${text(BAR.left, 42, 'Six servers', 'title')}
${text(BAR.left, 65, `${before.tools} tools in the client`)}
${text(BAR.left, 86, `${figure(before.tokens)} tokens`)}
${rect(BAR.left, TOP, BAR.width, before.tokens * scale, 'before')}
${text(BAR.after, 42, 'toolfold serve', 'title')}
${text(BAR.after, 65, `${after.tools} tools in the client`)}
${text(BAR.after, 86, `${figure(after.tokens)} tokens (${((100 * after.tokens) / before.tokens).toFixed(0)} %)`)}
${rect(BAR.after, TOP, BAR.width, after.tokens * scale, 'after')}
${text(PANEL.left, 42, 'What the client calls', 'title')}
${text(PANEL.left, 65, 'The servers are the same: the gateway starts them, and')}
${text(PANEL.left, 86, 'passes calls and results on.')}
${rect(PANEL.left, TOP, PANEL.width, panel, 'panel')}
${lines.map(({ words, name }, at) => text(PANEL.left + 14, TOP + 30 + 22 * at, shortened(words, 60), name)).join('\n')}
${text(BAR.left, HEIGHT - 20, 'Tokens of the listed tools, counted with o200k_base (npm run picture:gateway).', 'small')}
</svg>
`;
}

function figure(value: number): string {
  return value.toLocaleString('en-US');
}

const before = await listed();
const { list, calls } = await throughGateway();
writeFileSync(new URL('../docs/gateway.svg', import.meta.url), draw(before, list, calls));
console.log('docs/gateway.svg is written.');
