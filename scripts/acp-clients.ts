/**
 * Runs `toolfold acp` under clients of the Agent Client Protocol that others have written, and prints what came of it.
 * They are installed into a temporary folder: with what they need they are 43 packages and 46 MB.
 * Run it with: npm run acp-clients
 */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { type ModelServer, startModelServer } from '../packages/testing/src/index.ts';

const CLIENTS = ['acp-factory@0.1.14', 'acpx@0.19.1'];
const bin = fileURLToPath(new URL('../packages/toolfold/bin/toolfold.js', import.meta.url));
const run = promisify(execFile);

/** A server with one tool: it appends a line to a file, and with `hangs` does not answer. */
const SERVER = `
const { appendFileSync } = require('node:fs');
const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') say({ id, result: {
    protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'bank', version: '1' } } });
  if (method === 'tools/list') say({ id, result: { tools: [{ name: 'pay', inputSchema: { type: 'object' } }] } });
  if (method !== 'tools/call') return;
  appendFileSync(process.argv[1], 'paid\\n');
  if (!params.arguments.hangs) say({ id, result: { content: [{ type: 'text', text: 'Paid.' }] } });
});`;

/** A folder with a configuration, a scripted model, and a command that starts the agent and says its process id. */
interface Scene {
  readonly folder: string;
  readonly command: string;
  readonly model: ModelServer;
  /** Ends the agent as with `kill -9` as soon as there is a payment. */
  readonly killWhenPaid: () => Promise<void>;
  readonly payments: () => Promise<number>;
  readonly env: Readonly<Record<string, string>>;
}

async function sceneIn(parent: string, name: string): Promise<Scene> {
  const folder = await mkdtemp(join(parent, `${name}-`));
  const [paid, pid] = [join(folder, 'paid'), join(folder, 'pid')];
  const bank = { command: process.execPath, args: ['-e', SERVER, paid] };
  // `--config` is the yes to it: these clients allow what they are asked, and do not wait for servers.
  const config = join(folder, 'toolfold.json');
  await writeFile(config, JSON.stringify({ mcpServers: { bank } }));
  await writeFile(paid, '');
  const model = await startModelServer({
    script: ({ raw }) => {
      const isAnswered = /"tool_result"/.test(raw.slice(raw.lastIndexOf('Please pay')));
      const hangs = /Please pay and hang/.test(raw);
      if (isAnswered) return { text: 'It is done.' };
      return { calls: [{ name: 'bank__pay', arguments: { hangs } }] };
    },
  });
  const address = model.baseUrl('anthropic');
  const command = join(folder, 'agent.sh');
  await writeFile(
    command,
    `#!/bin/sh\necho $$ > '${pid}'\nexec '${process.execPath}' '${bin}' acp --model anthropic/claude-opus-5-5 --base-url '${address}' --config '${config}' "$@"\n`,
  );
  await chmod(command, 0o700);
  const payments = async () => (await readFile(paid, 'utf8')).split('\n').length - 1;
  return {
    ...{ folder, command, model, payments },
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      ANTHROPIC_API_KEY: 'none',
      TOOLFOLD_LOCAL_PORTS: '',
    },
    killWhenPaid: async () => {
      while ((await payments()) === 0) await new Promise((resolve) => setTimeout(resolve, 50));
      process.kill(Number(await readFile(pid, 'utf8')), 'SIGKILL');
    },
  };
}

/** What a client does: it sends prompts to one session, and allows each call by itself. */
interface Client {
  prompt(text: string): Promise<string>;
  /** Begins again with the same session after its agent was killed. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

async function acpFactory(modules: string, { command, env, folder }: Scene): Promise<Client> {
  const entry = createRequire(join(modules, 'x.js')).resolve('acp-factory');
  const { AgentFactory } = await import(pathToFileURL(entry).href);
  AgentFactory.register('toolfold', { command, args: [], env });
  const begin = () => AgentFactory.spawn('toolfold', { permissionMode: 'auto-approve' });
  let agent = await begin();
  let session = await agent.createSession(folder);
  return {
    async prompt(text) {
      let said = '';
      for await (const update of session.prompt(text))
        if (update.sessionUpdate === 'agent_message_chunk') said += update.content.text ?? '';
      return said;
    },
    async restart() {
      await agent.close().catch(() => {});
      agent = await begin();
      session = await agent.loadSession(session.id, folder);
    },
    close: () => agent.close(),
  };
}

async function acpx(modules: string, { command, env, folder }: Scene): Promise<Client> {
  const program = join(modules, 'node_modules/.bin/acpx');
  const flags = ['--agent', command, '--cwd', folder, '--approve-all'];
  const options = { cwd: folder, env, timeout: 60_000 };
  const call = (...args: string[]) => run(program, [...flags, ...args], options);
  await call('sessions', 'new');
  return {
    prompt: async (text) => (await call('prompt', text)).stdout,
    restart: async () => {},
    close: async () => void (await call('sessions', 'close').catch(() => {})),
  };
}

async function judge(name: string, make: typeof acpFactory, parent: string): Promise<void> {
  const plain = await sceneIn(parent, name);
  const client = await make(parent, plain);
  const said = await client.prompt('Please pay');
  await client.close();
  const isPlain = said.includes('It is done.') && (await plain.payments()) === 1;
  console.log(`${name}: a call that it allows by itself: ${isPlain ? 'one payment' : 'FAILED'}`);

  const broken = await sceneIn(parent, name);
  const other = await make(parent, broken);
  const first = other.prompt('Please pay and hang').catch(() => '');
  await broken.killWhenPaid();
  await Promise.race([first, new Promise((resolve) => setTimeout(resolve, 5_000))]);
  await other.restart();
  const again = await other.prompt('What happened?');
  await other.close();
  const isTold = broken.model.requests.some(({ raw }) => raw.includes('outcome is unknown'));
  const payments = await broken.payments();
  const isSafe = payments === 1 && isTold && again.includes('It is done.');
  console.log(
    `${name}: killed in a call, then another prompt: ${payments} payment${payments === 1 ? '' : 's'}, the model ${isTold ? 'reads' : 'does not read'} that nobody knows${isSafe ? '' : ': FAILED'}`,
  );
  await Promise.all([plain.model.close(), broken.model.close()]);
  if (!isPlain || !isSafe) process.exitCode = 1;
}

const folder = await mkdtemp(join(tmpdir(), 'toolfold-clients-'));
try {
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
  const flags = ['install', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', [...flags, ...CLIENTS], { cwd: folder });
  await judge('acp-factory', acpFactory, folder);
  await judge('acpx', acpx, folder);
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
process.exit();
