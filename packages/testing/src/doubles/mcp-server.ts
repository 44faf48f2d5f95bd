import type { CallToolResult, ListToolsResult } from '@modelcontextprotocol/server';
import { invalidOption, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { checkKnown, isRecord, type KnownOptions } from '@toolfold/core/internal/values';

/** The result of a call. Sent unchecked, unknown fields included. */
export interface FakeCallResult {
  readonly content: readonly object[];
  readonly isError?: boolean | undefined;
  readonly structuredContent?: object | undefined;
  readonly [field: string]: unknown;
}

/**
 * A transport of the MCP SDK. The declarations of this subpath do not import the SDK's own type, because
 * most users of the subpath have not installed that package.
 */
export interface FakeTransport {
  start(): Promise<void>;
  send(message: object, options?: object): Promise<void>;
  close(): Promise<void>;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: object, extra?: object) => void) | undefined;
}

/** Options of the in-memory MCP server. */
export interface McpServerOptions {
  /** The listed tools. Sent unchanged and unchecked, unknown fields included. */
  readonly tools: readonly object[];
  /** Default: `fake`. */
  readonly name?: string;
  readonly instructions?: string;
  /** Tools per page. Default: all on one page. */
  readonly pageSize?: number;
  /** Runs a call. May throw. Default: returns the arguments as JSON text. */
  readonly callTool?: (
    name: string,
    input: Record<string, unknown>,
    options: { readonly signal: AbortSignal },
  ) => FakeCallResult | Promise<FakeCallResult>;
  /** Every listing waits for this promise. */
  readonly gate?: Promise<unknown>;
}

/** A running in-memory MCP server. */
export interface FakeMcpServer extends AsyncDisposable {
  /** The transport for the client. A client connects to it once. */
  readonly transport: FakeTransport;
  /** Number of listed pages. */
  readonly listings: number;
  readonly calls: readonly { readonly name: string; readonly input: Record<string, unknown> }[];
  /** Replaces the tools and sends `notifications/tools/list_changed`. */
  readonly setTools: (tools: readonly object[]) => Promise<void>;
  readonly close: () => Promise<void>;
}

const START_MCP_SERVER_OPTIONS: KnownOptions<McpServerOptions> = {
  tools: true,
  name: true,
  instructions: true,
  pageSize: true,
  callTool: true,
  gate: true,
};

/**
 * Starts a real MCP server in this process, connected to its client in memory. Throws
 * `missing-dependency` without the package `@modelcontextprotocol/server`.
 */
export async function startMcpServer(options: McpServerOptions): Promise<FakeMcpServer> {
  checkKnown('startMcpServer()', options, START_MCP_SERVER_OPTIONS);
  const { pageSize = 1 } = options;
  if (!Number.isSafeInteger(pageSize) || pageSize < 1) {
    throw invalidOption('pageSize', 'a whole number of at least 1');
  }
  const { InMemoryTransport, Server } = await importServer();
  const { name = 'fake', instructions, callTool = echo, gate } = options;
  const server = new Server(
    { name, version: '1.0.0' },
    {
      capabilities: { tools: { listChanged: true } },
      ...(instructions !== undefined && { instructions }),
    },
  );
  const calls: { name: string; input: Record<string, unknown> }[] = [];
  let tools = options.tools;
  let listings = 0;

  server.setRequestHandler('tools/list', async (request) => {
    listings++;
    await gate;
    return page(tools, options.pageSize ?? tools.length, request.params?.cursor);
  });
  server.setRequestHandler('tools/call', (request, context) => {
    const input = isRecord(request.params.arguments) ? request.params.arguments : {};
    calls.push({ name: request.params.name, input });
    const result = callTool(request.params.name, input, { signal: context.mcpReq.signal });
    return result as CallToolResult | Promise<CallToolResult>;
  });

  const [transport, serverSide] = InMemoryTransport.createLinkedPair();
  await server.connect(serverSide);
  const close = (): Promise<void> => server.close();
  return {
    transport: transport as FakeTransport,
    get listings() {
      return listings;
    },
    calls,
    setTools: async (next) => {
      tools = next;
      await server.sendToolListChanged();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function importServer(): Promise<typeof import('@modelcontextprotocol/server')> {
  try {
    return await import('@modelcontextprotocol/server');
  } catch (cause) {
    throw new ToolfoldError(
      'missing-dependency',
      'startMcpServer needs the package @modelcontextprotocol/server.',
      'Install it: npm install --save-dev @modelcontextprotocol/server.',
      cause,
    );
  }
}

// The cursor is the index of the page's first tool. The tools are not checked, because clients are
// tested with malformed and unknown fields.
function page(tools: readonly object[], size: number, cursor: string | undefined): ListToolsResult {
  const start = Number(cursor ?? 0);
  const end = start + size;
  return {
    tools: tools.slice(start, end) as ListToolsResult['tools'],
    ...(end < tools.length && { nextCursor: String(end) }),
  };
}

function echo(_name: string, input: Record<string, unknown>): FakeCallResult {
  return { content: [{ type: 'text', text: JSON.stringify(input) }] };
}
