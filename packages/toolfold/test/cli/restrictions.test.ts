import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { suite, type TestContext, test } from 'node:test';
import { readConfig } from '@toolfold/mcp/internal/config/read-config.ts';
import { connectServers } from '@toolfold/mcp/internal/pool/connect-servers.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { combinations, selection } from '@toolfold/testing/test/combinations.test-support.ts';
import { stringify } from 'yaml';
import { Journal } from '../servers/scripted-server.test-support.ts';
import { command } from './in-process.test-support.ts';
import { home, start } from './process.test-support.ts';

type Entry = Readonly<Record<string, unknown>>;

/** A restriction in the files of a client, and what becomes of the server `s`. */
interface Row {
  readonly file: string;
  readonly content: (entry: Entry) => unknown;
  /** Other files of the folder, which is the home folder too. */
  readonly others?: Readonly<Record<string, unknown>>;
  /** `hidden`: it starts without the tool `delete_all`. `off`: it is disabled. `refused`: it does not start, and a sentence says why. */
  readonly becomes: 'hidden' | 'off' | 'refused';
}

const inServers = (more: object) => (entry: Entry) => ({
  mcpServers: { s: { ...entry, ...more } },
});
const beside = (more: object) => (entry: Entry) => ({ ...more, mcpServers: { s: entry } });
const row = (
  file: string,
  content: Row['content'],
  becomes: Row['becomes'],
  others?: Row['others'],
): Row => ({ file, content, becomes, ...(others && { others }) });
const gemini = '.gemini/settings.json';
const rejecting = (name: string, content: unknown) =>
  row('.mcp.json', inServers({}), 'off', { [name]: content });

const rows: Readonly<Record<string, Row>> = {
  'Gemini: excludeTools': row(gemini, inServers({ excludeTools: ['delete_all'] }), 'hidden'),
  'Gemini: includeTools': row(gemini, inServers({ includeTools: ['read_note'] }), 'hidden'),
  'Gemini: mcp.allowed': row(gemini, beside({ mcp: { allowed: ['other'] } }), 'off'),
  'Gemini: mcp.excluded': row(gemini, beside({ mcp: { excluded: ['S'] } }), 'off'),
  'Gemini: tools.exclude': row(gemini, beside({ tools: { exclude: ['s__delete_all'] } }), 'hidden'),
  'Gemini: a wrong list': row(gemini, beside({ mcp: { excluded: 's' } }), 'refused'),
  'Gemini: mcp disable': row(gemini, inServers({}), 'off', {
    '.gemini/mcp-server-enablement.json': { s: { enabled: false } },
  }),
  'Claude Code: rejected in the project': rejecting('.claude/settings.json', {
    disabledMcpjsonServers: ['s'],
  }),
  'Claude Code: rejected by the user': rejecting('.claude/settings.local.json', {
    disabledMcpjsonServers: ['s'],
  }),
  'Claude Code: denied': rejecting('.claude/settings.json', {
    deniedMcpServers: [{ serverName: 's' }],
  }),
  'Claude Code: not allowed': rejecting('.claude/settings.json', { allowedMcpServers: [] }),
  'Claude Code: permissions.deny': row('.mcp.json', inServers({}), 'hidden', {
    '.claude/settings.json': { permissions: { deny: ['mcp__s__delete_all'] } },
  }),
  'Claude Code: settings with a mistake': row('.mcp.json', inServers({}), 'refused', {
    '.claude/settings.json': '{ "disabledMcpjsonServers": [',
  }),
  'Claude Code: headersHelper': row(
    '.mcp.json',
    inServers({ headersHelper: './key.sh' }),
    'refused',
  ),
  'VS Code: sandboxEnabled': row(
    '.vscode/mcp.json',
    (entry) => ({ servers: { s: { ...entry, sandboxEnabled: true } } }),
    'refused',
  ),
  'VS Code: sandbox': row(
    '.vscode/mcp.json',
    (entry) => ({ servers: { s: entry }, sandbox: { network: { allowedDomains: [] } } }),
    'refused',
  ),
  'VS Code: envFile that is not there': row(
    '.vscode/mcp.json',
    (entry) => ({ servers: { s: { ...entry, envFile: `\${workspaceFolder}/.none` } } }),
    'refused',
  ),
  'Windsurf: disabledTools': row(
    'mcp_config.json',
    inServers({ disabledTools: ['delete_all'] }),
    'hidden',
  ),
  'Cline: disabled': row('cline_mcp_settings.json', inServers({ disabled: true }), 'off'),
  'Cursor: enabled: false': row('.cursor/mcp.json', inServers({ enabled: false }), 'off'),
  'Claude Desktop: enabled: "no"': row(
    'claude_desktop_config.json',
    inServers({ enabled: 'no' }),
    'refused',
  ),
  'Zed: enabled: false': row(
    '.zed/settings.json',
    (entry) => ({ context_servers: { s: { ...entry, enabled: false } } }),
    'off',
  ),
  'Codex: disabled_tools': row(
    '.codex/config.toml',
    codex('disabled_tools = ["delete_all"]'),
    'hidden',
  ),
  'Codex: enabled_tools, and none': row(
    '.codex/config.toml',
    codex('enabled_tools = []'),
    'hidden',
  ),
  'Codex: enabled = false': row('.codex/config.toml', codex('enabled = false'), 'off'),
  'opencode: tools': row(
    'opencode.json',
    ({ command, args }) => ({
      mcp: { s: { type: 'local', command: [command, ...(args as string[])] } },
      tools: { 's_delete*': false },
    }),
    'hidden',
  ),
  'Goose: available_tools': row(
    'goose/config.yaml',
    ({ command, args }) =>
      stringify({
        extensions: { s: { type: 'stdio', cmd: command, args, available_tools: ['read_note'] } },
      }),
    'hidden',
  ),
  'Goose: enabled: false': row(
    'goose/config.yaml',
    ({ command, args }) => stringify({ extensions: { s: { cmd: command, args, enabled: false } } }),
    'off',
  ),
  'Continue: disabledTools': row(
    'config.yaml',
    ({ command, args }) =>
      stringify({ mcpServers: [{ name: 's', command, args, disabledTools: ['delete_all'] }] }),
    'hidden',
  ),
  'an unknown key that may restrict': row('mcp.json', inServers({ allowWrites: false }), 'refused'),
  'a list of tools that is none': row(
    'mcp.json',
    inServers({ excludeTools: 'delete_all' }),
    'refused',
  ),
  'disabled: "yes"': row('mcp.json', inServers({ disabled: 'yes' }), 'refused'),
};

function codex(line: string): Row['content'] {
  return ({ command, args }) =>
    `[mcp_servers.s]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n${line}\n`;
}

/** Where a way in is tried. `text`: all that it said of the tools. */
interface Tried {
  readonly folder: string;
  readonly file: string;
  readonly context: TestContext;
}

const env = { XDG_CACHE_HOME: '', ANTHROPIC_API_KEY: 'none' };

async function said(folder: string, args: readonly string[], input = ''): Promise<string> {
  const { stdout, stderr } = await command(folder, args, { env, input });
  return stdout + stderr;
}

/** Runs a command with a model, and returns what the model has read. */
async function withModel({ folder, file, context }: Tried, args: readonly string[], input = '') {
  const server = await startModelServer({ script: () => ({ text: 'Yes.' }) });
  context.after(() => server.close());
  const flags = ['--model', 'anthropic/claude-opus-5-5', '--base-url', server.baseUrl('anthropic')];
  await said(folder, [...args, ...flags, '--config', file, '--strategy', 'eager'], input);
  return JSON.stringify(server.requests.map(({ body }) => body));
}

const ways: Readonly<Record<string, (tried: Tried) => Promise<string>>> = {
  readConfig: async ({ file, folder }) => {
    const config = await readConfig(file, { env: {}, home: folder, root: folder });
    await using pool = await connectServers(config);
    const call = pool.connection('s')?.callTool('delete_all', {});
    await assert.rejects(async () => (await call) ?? assert.fail('there is no server'));
    return JSON.stringify(pool.connections.map(({ listing }) => listing?.tools));
  },
  list: ({ folder, file }) => said(folder, ['list', '--all', '--json', '--config', file]),
  call: async ({ folder, file }) => {
    await said(folder, ['call', 's.delete_all', '--force', '--config', file]);
    return said(folder, ['call', 's.read_note', '--config', file]);
  },
  search: ({ folder, file }) => said(folder, ['search', 'note', '--json', '--config', file]),
  inspect: async ({ folder, file }) => {
    const saved = join(folder, 'saved');
    await said(folder, ['inspect', '--config', file, '--save', saved, '--timeout', '20']);
    return said(folder, ['search', 'note', '--json', '--catalogs', saved]);
  },
  run: (tried) => withModel(tried, ['run', 'Hello']),
  chat: (tried) => withModel(tried, ['chat'], 'Hello\n'),
  serve: ({ folder, file }) =>
    asClient(
      folder,
      ['serve', '--mode', 'eager', '--config', file],
      [
        {
          method: 'initialize',
          params: {
            protocolVersion: '2025-06-18',
            capabilities: {},
            clientInfo: { name: 'c', version: '1' },
          },
        },
        { method: 'tools/list', params: {} },
        { method: 'tools/call', params: { name: 's__delete_all', arguments: {} } },
      ],
    ),
  acp: ({ folder, file }) =>
    asClient(
      folder,
      ['acp', '--config', file],
      [
        { method: 'initialize', params: { protocolVersion: 1, clientCapabilities: {} } },
        { method: 'session/new', params: { cwd: folder, mcpServers: [] } },
      ],
    ),
  init: async ({ folder }) => {
    await said(folder, ['init', '--write']);
    return said(folder, ['list', '--json', '--config', join(folder, 'toolfold.json')]);
  },
};

/** Sends these requests one after the other, and returns the answers. */
async function asClient(folder: string, args: readonly string[], requests: readonly object[]) {
  const child = start(folder, args, { env });
  const { stdin, stdout } = child;
  assert.ok(stdin && stdout);
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  const answers: string[] = [];
  for (const [id, request] of requests.entries()) {
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...request })}\n`);
    for (;;) {
      const next = await lines.next();
      if (next.done) return assert.fail(`no answer to ${JSON.stringify(request)}`);
      const { value } = next;
      const message = JSON.parse(value);
      if (message.id !== id || message.method !== undefined) continue;
      // What a refusal says names the tool.
      if (message.error === undefined) answers.push(value);
      break;
    }
  }
  stdin.end();
  await once(child, 'exit');
  return answers.join('\n').replaceAll(/There is no tool[^\n]*/g, '');
}

suite(`what a client's file restricts stays restricted, whoever reads it: ${selection}`, () => {
  const all = combinations({ title: Object.keys(rows), way: Object.keys(ways) });
  for (const { title, way } of all) {
    test(`promise 76: ${title}, ${way}`, { timeout: 90_000 }, async (context) => {
      const { file, content, others = {}, becomes } = rows[title] ?? assert.fail();
      // The files of Goose and Continue are only those of the user.
      const isElsewhere = way === 'init' && /yaml|mcp_config|cline|desktop/.test(file);
      if (isElsewhere) return;
      const folder = await home(context);
      const journal = await Journal.open(context);
      const tools = ['read_note', 'delete_all'].map((name) => ({ name, description: 'A note.' }));
      const files = { ...others, [file]: content(journal.entry('s', tools) as Entry) };
      for (const [name, value] of Object.entries(files)) {
        await mkdir(dirname(join(folder, name)), { recursive: true });
        const text = typeof value === 'string' ? value : JSON.stringify(value);
        await writeFile(join(folder, name), text);
      }
      const tried = { folder, file: join(folder, file), context };
      const text = await (ways[way] ?? assert.fail())(tried);
      const isStarted = journal.lines.includes('start s');
      assert.equal(isStarted, becomes === 'hidden', text);
      assert.ok(!text.includes('delete_all'), text);
      const calls = journal.lines.filter((line) => line === 'call s').length;
      // The tool that is offered can be called, where the list has one.
      assert.equal(
        calls,
        way === 'call' && becomes === 'hidden' && !title.includes('none') ? 1 : 0,
      );
    });
  }
});
