import { PassThrough } from 'node:stream';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Gateway, type GatewayOptions } from '../../src/gateway/gateway.ts';
import { serveHttp } from '../../src/gateway-clients/http-server.ts';
import { serveStreams } from '../../src/gateway-clients/stdio.ts';
import type { Mode } from '../../src/gateway-lists/view.ts';
import type { ServerEntry, ToolfoldConfig } from '../../src/index.ts';
import { faithfulParts } from './faithful-server.test-support.ts';
import {
  type Answer,
  type ClientOptions,
  HttpClient,
  RawClient,
  StdioClient,
} from './raw-client.test-support.ts';
import {
  type Era,
  type Json,
  onLines,
  serveHttp as serveFixture,
} from './raw-server.test-support.ts';

export type Way = 'stdio' | 'http';

const FIXTURE = fileURLToPath(new URL('./faithful-server.test-support.ts', import.meta.url));

/** The command of the fixture. */
export function fixtureCommand(era: Era): string[] {
  return [process.execPath, FIXTURE, era, 'stdio'];
}

/** An entry of the fixture. */
export async function fixtureEntry(
  context: TestContext,
  era: Era,
  way: Way = 'stdio',
): Promise<ServerEntry> {
  const [command = '', ...args] = fixtureCommand(era);
  if (way === 'stdio') return { kind: 'stdio', command, args, env: new Map(), secrets: [] };
  const { url, close } = await serveFixture(era, faithfulParts);
  context.after(close);
  return { kind: 'http', url, headers: new Map(), secrets: [] };
}

/** A gateway in this process. */
export function openGateway(
  context: TestContext,
  servers: Readonly<Record<string, ServerEntry>>,
  options: Partial<GatewayOptions> & { readonly settings?: ToolfoldConfig['settings'] } = {},
): Gateway {
  const { settings, ...others } = options;
  const gateway = new Gateway(
    { servers: new Map(Object.entries(servers)), settings },
    { mode: 'bridge', check: true, manifests: false, logins: false, log: () => {}, ...others },
  );
  context.after(() => gateway.close());
  return gateway;
}

/** A client at the other end of two streams. */
export class StreamClient extends RawClient {
  readonly input: PassThrough = new PassThrough();
  readonly #served: Promise<void>;

  constructor(gateway: Gateway, options: ClientOptions) {
    super(options);
    const output = new PassThrough();
    this.#served = serveStreams(gateway, this.input, output, new AbortController().signal);
    onLines(output, (line) => this.receive(JSON.parse(line)));
  }

  protected send(message: Json): void {
    this.input.write(`${JSON.stringify(message)}\n`);
  }

  close(): Promise<void> {
    this.input.end();
    return this.#served;
  }
}

/** A client of a gateway, in the way that is given. It has made its handshake. */
export async function openClient(
  context: TestContext,
  gateway: Gateway,
  way: Way,
  options: ClientOptions,
): Promise<RawClient> {
  const client = way === 'stdio' ? new StreamClient(gateway, options) : await overHttp();
  async function overHttp(): Promise<RawClient> {
    const { schemaOf } = gateway;
    const access = { host: '127.0.0.1', port: 0, token: undefined };
    const health = (): Json => gateway.health();
    const server = await serveHttp(gateway, { ...access, schemaOf, health: health as never });
    context.after(() => server.close());
    return new HttpClient(server.url, options);
  }
  context.after(() => client.close());
  await client.begin();
  return client;
}

/** A client that is connected to the fixture itself. */
export async function openDirect(context: TestContext, options: ClientOptions): Promise<RawClient> {
  const client = new StdioClient(fixtureCommand(options.era), options, process.env);
  context.after(() => client.close());
  await client.begin();
  return client;
}

/** The parameters of a call of a tool of the server `fixture`, in the way of a mode. */
export function callIn(mode: Mode, name: string, args: Json, others: Json = {}): Json {
  switch (mode) {
    case 'passthrough':
      return { name, arguments: args, ...others };
    case 'eager':
      return { name: `fixture__${name}`, arguments: args, ...others };
    case 'bridge':
      return {
        name: 'tool_call',
        arguments: { name: `fixture__${name}`, arguments: args },
        ...others,
      };
    default:
      return {
        name: 'deferred_tool_call',
        arguments: { tool_name: `fixture__${name}`, arguments: args },
        ...others,
      };
  }
}

const PREFIX = 'io.modelcontextprotocol/';

/** An answer without what the revision of the client demands, to compare it with one of another revision. */
export function neutral({ result, error }: Answer): Json {
  if (error) return { error: { ...error, ...(error.code === -32002 && { code: -32602 }) } };
  const { resultType: _, ttlMs: __, cacheScope: ___, ...others } = result ?? {};
  return others;
}

export function withoutEnvelope(meta: Json): Json {
  return Object.fromEntries(Object.entries(meta).filter(([key]) => !key.startsWith(PREFIX)));
}
