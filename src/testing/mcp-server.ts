import type { CallToolResult, ListToolsResult, Transport } from '@modelcontextprotocol/server';
import { invalidOption, ToolfoldError } from '../errors.ts';
import { isRecord } from '../tools/values/index.ts';

/** What the server in memory serves, and how. */
export interface McpServerOptions {
  /** Served as they are, unknown fields included; nothing checks them. */
  readonly tools: readonly object[];
  /** Left out: `fake`. */
  readonly name?: string;
  readonly instructions?: string;
  /** Tools to a page. Left out: all on one. */
  readonly pageSize?: number;
  /** Runs a call. Left out, the result is the arguments as JSON text. May throw. */
  readonly callTool?: (
    name: string,
    input: Record<string, unknown>,
    options: { readonly signal: AbortSignal },
  ) => CallToolResult | Promise<CallToolResult>;
  /** Every listing waits for this. */
  readonly gate?: Promise<unknown>;
}

/** The running server as a test sees it. */
export interface FakeMcpServer extends AsyncDisposable {
  /** The client's end; a client connects to it once. */
  readonly transport: Transport;
  /** How many pages were listed. */
  readonly listings: number;
  readonly calls: readonly { readonly name: string; readonly input: Record<string, unknown> }[];
  /** Serves other tools from now on and announces it with `notifications/tools/list_changed`. */
  readonly setTools: (tools: readonly object[]) => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * A real MCP server in this process, joined to its client in memory. Needs the package
 * `@modelcontextprotocol/server`; without it throws `missing-dependency`.
 */
export async function startMcpServer(options: McpServerOptions): Promise<FakeMcpServer> {
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
    return callTool(request.params.name, input, { signal: context.mcpReq.signal });
  });

  const [transport, serverSide] = InMemoryTransport.createLinkedPair();
  await server.connect(serverSide);
  const close = (): Promise<void> => server.close();
  return {
    transport,
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

// The cursor is the index of the page's first tool. The tools are passed on unchecked, as the
// wrong and the unknown are what clients are tested with.
function page(tools: readonly object[], size: number, cursor: string | undefined): ListToolsResult {
  const start = Number(cursor ?? 0);
  const end = start + size;
  return {
    tools: tools.slice(start, end) as ListToolsResult['tools'],
    ...(end < tools.length && { nextCursor: String(end) }),
  };
}

function echo(_name: string, input: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(input) }] };
}
