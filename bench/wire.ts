/**
 * Compares what `toolfold list --schema` shows of published servers with what they send: each server of a
 * configuration file is also asked by a client of a few lines, which passes on every byte. Run by `npm run
 * bench:wire -- FILE`. The file has the servers under `mcpServers`; they must be installed. Prints a row for
 * each server, and exits with 1 if one differs.
 */
import { execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { isDeepStrictEqual, promisify } from 'node:util';
import { createServerPool, readConfig, type ServerEntry } from '@toolfold/mcp';

type Fields = Readonly<Record<string, unknown>>;
/** Sends a request, or a notification, and resolves with its result. */
type Ask = (method: string, params?: object) => Promise<Fields>;

/** What a server sends for `initialize` and all pages of `tools/list`. */
interface Sent {
  readonly revision: unknown;
  readonly tools: readonly Fields[];
}

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('Give a configuration file.');
const run = promisify(execFile);
const program = new URL('../packages/toolfold/bin/toolfold.js', import.meta.url).pathname;
const { servers } = await readConfig(file, { env: process.env });
const pool = await createServerPool({ servers, settings: undefined }, { manifests: false });
await pool.ready();
const revisions = new Map(
  pool.connections.map(({ name, listing }) => [name, listing?.protocolVersion]),
);
await pool.close();
console.log('| server | revision | spoken by Toolfold | tools | listing |\n|---|---|---|--:|---|');
for (const [name, entry] of servers) {
  const { revision, tools } = await sentBy(entry);
  const differing = differences(tools, await listed(name));
  if (differing.length > 0) process.exitCode = 1;
  const result = differing.length === 0 ? 'equal' : `differs: ${differing.join(', ')}`;
  console.log(`| ${name} | ${revision} | ${revisions.get(name)} | ${tools.length} | ${result} |`);
}

async function listed(name: string): Promise<readonly Fields[]> {
  const flags = ['--config', file ?? '', '--json', '--schema', '--all', '--refresh'];
  const args = [program, 'list', name, ...flags];
  const { stdout } = await run(process.execPath, args, { maxBuffer: 2 ** 30 });
  return JSON.parse(stdout).tools;
}

/** The names of the tools, and of those beside them, that are not the same on both sides. */
function differences(sent: readonly Fields[], shown: readonly Fields[]): readonly unknown[] {
  const row = ({ description = '', inputSchema, outputSchema }: Fields): unknown[] => [
    ...[description, inputSchema, outputSchema],
  ];
  const names = new Set([...sent.map(({ name }) => name), ...shown.map(({ tool }) => tool)]);
  return [...names].filter((name) => {
    const [one, other] = [
      sent.find((tool) => tool.name === name),
      shown.find((tool) => tool.tool === name),
    ];
    return !one || !other || !isDeepStrictEqual(row(one), row(other));
  });
}

async function sentBy(entry: ServerEntry): Promise<Sent> {
  if (entry.kind === 'stdio') return overStdio(entry);
  if (entry.kind === 'http') return listingOf(overHttp(entry.url));
  throw new Error(`A server of the kind ${entry.kind} cannot be asked here.`);
}

async function listingOf(ask: Ask): Promise<Sent> {
  const clientInfo = { name: 'wire', version: '1' };
  const started = await ask('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo,
  });
  await ask('notifications/initialized');
  const tools: Fields[] = [];
  let cursor: unknown;
  do {
    const page = await ask('tools/list', cursor === undefined ? {} : { cursor });
    tools.push(...(page.tools as Fields[]));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return { revision: started.protocolVersion, tools };
}

async function overStdio({
  command,
  args,
  env,
}: Extract<ServerEntry, { kind: 'stdio' }>): Promise<Sent> {
  const child = spawn(command, [...args], {
    env: { ...process.env, ...Object.fromEntries(env) },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const waiting = new Map<unknown, (message: Fields) => void>();
  const send = (message: object): void =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  createInterface({ input: child.stdout }).on('line', (line) => {
    // Some servers greet on stdout.
    if (!line.startsWith('{')) return;
    const { id, method, ...message } = JSON.parse(line);
    if (method === undefined) waiting.get(id)?.(message);
    else if (id !== undefined) send({ id, error: { code: -32601, message: 'Method not found' } });
  });
  try {
    return await listingOf(async (method, params) => {
      if (method.startsWith('notifications/')) {
        send({ method });
        return {};
      }
      const { promise, resolve, reject } = Promise.withResolvers<Fields>();
      child.once('exit', () => reject(new Error(`${command} has ended.`)));
      waiting.set(waiting.size, resolve);
      send({ id: waiting.size - 1, method, params });
      return resultOf(await promise);
    });
  } finally {
    child.kill();
  }
}

function overHttp(url: string): Ask {
  let session: Record<string, string> = {};
  return async (method, params) => {
    const id = method.startsWith('notifications/') ? {} : { id: 1 };
    const accept = 'application/json, text/event-stream';
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept, ...session },
      body: JSON.stringify({ jsonrpc: '2.0', ...id, method, params }),
    });
    const given = response.headers.get('mcp-session-id');
    if (given !== null) session = { 'mcp-session-id': given };
    const text = await response.text();
    if (text === '') return {};
    const data = /^data: ?(\{.*"id":1\b.*)$/m.exec(text)?.[1] ?? text;
    return resultOf(JSON.parse(data));
  };
}

function resultOf({ result, error }: Fields): Fields {
  if (error !== undefined) throw new Error(JSON.stringify(error));
  return result as Fields;
}
