import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import {
  type ClientOptions,
  HttpClient,
  type RawClient,
  StdioClient,
} from '../../packages/mcp/test/gateway/raw-client.test-support.ts';
import type { Json } from '../../packages/mcp/test/gateway/raw-server.test-support.ts';
import { configOf, environment, folder, RELAY, type Servers, TOOLFOLD } from './place.ts';

/** A gateway that runs, with one client. */
export interface Running {
  readonly client: RawClient;
  /** Megabytes that its process has in memory, on Linux. */
  megabytes(): number;
  close(): Promise<void>;
}

/** A gateway that can be measured. */
export interface Candidate {
  readonly name: string;
  /** Why it is not measured. */
  readonly skipped?: string;
  /** Whether it is for one server only. */
  readonly isOfOne?: boolean;
  /** Whether clients get the definitions of all tools. */
  readonly isEager?: boolean;
  start(servers: Servers, options?: ClientOptions): Promise<Running>;
  /** The parameters of a call of a server's tool. */
  call(server: string, tool: string, args: Json, others?: Json): Json;
  /** What a server's tool or prompt is called. */
  named(server: string, name: string): string;
}

const LEGACY: ClientOptions = { era: 'legacy' };

let places = 0;

/** A folder and an environment that no other process has. */
function freshPlace(): { readonly cwd: string; readonly env: NodeJS.ProcessEnv } {
  const name = `candidate-${++places}`;
  const cwd = join(folder, name);
  mkdirSync(cwd, { recursive: true });
  return { cwd, env: environment(name) };
}

function megabytesOf({ pid }: ChildProcess): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

function overStdio(
  command: readonly string[],
  options: ClientOptions,
  env: NodeJS.ProcessEnv,
  onEnd: () => void = () => {},
): Running {
  const client = new StdioClient(command, options, env);
  return {
    client,
    megabytes: () => megabytesOf(client.child),
    close: async () => {
      const timer = setTimeout(() => client.child.kill('SIGKILL'), 5000);
      await client.close();
      clearTimeout(timer);
      onEnd();
    },
  };
}

const bare = {
  isOfOne: true,
  isEager: true,
  call: (_: string, name: string, args: Json, others: Json = {}): Json => ({
    ...{ name, arguments: args },
    ...others,
  }),
  named: (_: string, name: string): string => name,
};
const prefixed = {
  isEager: true,
  call: (server: string, tool: string, args: Json, others: Json = {}): Json => ({
    ...{ name: `${server}__${tool}`, arguments: args },
    ...others,
  }),
  named: (server: string, name: string): string => `${server}__${name}`,
};

function toolfold(mode: string): Pick<Candidate, 'start'> {
  return {
    start: async (servers, options = LEGACY) => {
      const flags = ['--mode', mode, '--budget', 'none'];
      const command = [...TOOLFOLD, 'serve', '--config', configOf(servers), ...flags];
      return overStdio(command, options, freshPlace().env);
    },
  };
}

/** A gateway from npm. Without its folder it is skipped. */
function fromNpm(
  from: string | undefined,
  version: string,
  bin: string,
  others: Omit<Candidate, 'name' | 'skipped' | 'start'>,
  start: (command: readonly string[], servers: Servers, options: ClientOptions) => Promise<Running>,
): Candidate {
  const file = from === undefined ? undefined : join(from, 'node_modules', bin);
  const isThere = file !== undefined && existsSync(file);
  const how = `give --peers DIR, where \`npm install ${version}\` was run`;
  return {
    name: version,
    ...(!isThere && { skipped: how }),
    ...others,
    start: (servers, options = LEGACY) => start([process.execPath, file ?? ''], servers, options),
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** This gateway, and others as their documentation starts them. All stay on this machine. */
export function candidates(from: string | undefined): Candidate[] {
  return [
    {
      name: 'a bare Node relay',
      ...bare,
      start: async (servers, options = LEGACY) =>
        overStdio([...RELAY, ...(Object.values(servers)[0] ?? [])], options, process.env),
    },
    { name: 'toolfold, passthrough', ...bare, ...toolfold('passthrough') },
    { name: 'toolfold, eager', ...prefixed, ...toolfold('eager') },
    {
      name: 'toolfold, bridge',
      ...toolfold('bridge'),
      named: prefixed.named,
      call: (server, tool, args, others) => ({
        name: 'tool_call',
        arguments: prefixed.call(server, tool, args),
        ...others,
      }),
    },
    fromNpm(
      from,
      'mcporter@0.12.3',
      'mcporter/dist/cli.js',
      prefixed,
      async (command, servers, options) => {
        const { env } = freshPlace();
        const config = ['--config', configOf(servers, { lifecycle: 'keep-alive' })];
        return overStdio([...command, ...config, 'serve', '--stdio'], options, env, () => {
          const [program = '', ...args] = command;
          execFileSync(program, [...args, ...config, 'daemon', 'stop'], { env, stdio: 'ignore' });
        });
      },
    ),
    fromNpm(
      from,
      '@standardbeagle/slop-mcp@0.15.0',
      '@standardbeagle/slop-mcp/bin.js',
      {
        named: (_, name) => name,
        call: (server, tool, args, others) => ({
          name: 'execute_tool',
          arguments: { mcp_name: server, tool_name: tool, parameters: args },
          ...others,
        }),
      },
      async (command, servers, options) => {
        const { cwd, env } = freshPlace();
        const [program = '', ...args] = command;
        for (const [name, server] of Object.entries(servers))
          execFileSync(program, [...args, 'mcp', 'add', '--user', name, ...server], {
            cwd,
            env,
            stdio: 'ignore',
          });
        return overStdio([...command, 'serve'], options, env);
      },
    ),
    fromNpm(
      from,
      'mcp-proxy@6.7.19',
      'mcp-proxy/dist/bin/mcp-proxy.mjs',
      bare,
      async (command, servers, options) => {
        const port = await freePort();
        const flags = ['--host', '127.0.0.1', '--port', String(port), '--server', 'stream', '--'];
        const [program = '', ...args] = [
          ...command,
          ...flags,
          ...(Object.values(servers)[0] ?? []),
        ];
        const child = spawn(program, args, { stdio: 'ignore' });
        const url = `http://127.0.0.1:${port}/mcp`;
        while ((await fetch(url, { method: 'PUT' }).catch(() => undefined)) === undefined)
          await new Promise((resolve) => setTimeout(resolve, 50));
        const client = new HttpClient(url, options);
        return {
          client,
          megabytes: () => megabytesOf(child),
          close: async () => {
            await client.close();
            const exited = new Promise((resolve) => child.once('exit', resolve));
            child.kill('SIGKILL');
            await exited;
          },
        };
      },
    ),
  ];
}
