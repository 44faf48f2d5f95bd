import { Agent, request } from 'node:http';

/** A client of 2026-07-28 over HTTP that costs as little as possible: connections stay open. */
export class PlainHttpClient {
  readonly #url: URL;
  readonly #agent = new Agent({ keepAlive: true });
  #lastId = 0;

  constructor(url: string) {
    this.#url = new URL(url);
  }

  request(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    const prefix = 'io.modelcontextprotocol';
    const _meta = {
      [`${prefix}/protocolVersion`]: '2026-07-28',
      [`${prefix}/clientInfo`]: { name: 'bench', version: '1' },
      [`${prefix}/clientCapabilities`]: {},
    };
    const id = ++this.#lastId;
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta } });
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof params.name === 'string' && { 'mcp-name': params.name }),
    };
    return new Promise((resolve, reject) => {
      const sent = request(this.#url, { method: 'POST', agent: this.#agent, headers }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        answer.on('end', () => {
          const json = /^\s*\{/.test(text) ? text : text.slice(text.indexOf('data: ') + 6);
          const { result, error } = JSON.parse(json);
          if (error || result === undefined) reject(new Error(json.slice(0, 300)));
          else resolve(result);
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
