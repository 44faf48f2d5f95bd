import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** A server in front of the gateway that calls tools through a bridge, and changes nothing else. */
export interface Shim {
  readonly url: string;
  close(): void;
}

/** The name that the gateway has for the fixture's server. */
export const SERVER = 'fixture';

/** Clients of the suite call tools, and get prompts, by their bare names. */
export async function openShim(target: string): Promise<Shim> {
  const server = createServer(async (request, response) => {
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers))
      if (
        typeof value === 'string' &&
        !/^(connection|content-length|transfer-encoding)$/.test(name)
      )
        headers.set(name, value);
    const left = new AbortController();
    response.on('close', () => left.abort());
    const given = await text(request);
    const body = request.method === 'POST' ? rewritten(given, headers) : undefined;
    try {
      const answer = await fetch(target, {
        method: request.method ?? 'GET',
        headers,
        signal: left.signal,
        ...(body !== undefined && { body }),
      });
      const { 'content-length': _, ...kept } = Object.fromEntries(answer.headers);
      response.writeHead(answer.status, kept).flushHeaders();
      if (answer.body)
        Readable.fromWeb(answer.body as never)
          .on('error', () => {})
          .pipe(response);
      else response.end();
    } catch {
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/mcp`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function rewritten(given: string, headers: Headers): string {
  let message: { method?: string; params?: { name?: string; arguments?: unknown; ref?: unknown } };
  try {
    message = JSON.parse(given);
  } catch {
    return given;
  }
  const { params } = message;
  const own = (name: unknown): string => `${SERVER}__${name}`;
  if (message.method === 'tools/call' && typeof params?.name === 'string') {
    const { name, arguments: input = {}, ...others } = params;
    const called = { name: 'tool_call', arguments: { name: own(name), arguments: input } };
    if (headers.get('mcp-name') === name) headers.set('mcp-name', 'tool_call');
    return JSON.stringify({ ...message, params: { ...called, ...others } });
  }
  if (message.method === 'prompts/get' && typeof params?.name === 'string') {
    if (headers.get('mcp-name') === params.name) headers.set('mcp-name', own(params.name));
    return JSON.stringify({ ...message, params: { ...params, name: own(params.name) } });
  }
  const ref = params?.ref as { type?: string; name?: string } | undefined;
  if (ref?.type !== 'ref/prompt') return given;
  return JSON.stringify({
    ...message,
    params: { ...params, ref: { ...ref, name: own(ref.name) } },
  });
}
