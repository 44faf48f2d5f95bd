import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** What the fake server has: the shapes are those of docs/api.md of ollama/ollama, read on 2026-11-28. */
export interface FakeOllama {
  /** `num_ctx` of the Modelfile. */
  readonly numCtx?: number;
  /** The window with which the model is loaded by its first request. */
  readonly loads: number;
  /** The window for which the model was made. */
  readonly most?: number;
  readonly isLoaded?: boolean;
  /** Answers in place of the server's own, by path. */
  readonly instead?: Readonly<Record<string, (response: ServerResponse) => void>>;
}

export interface RunningOllama {
  readonly address: string;
  /** Method, path and body of each request. */
  readonly requests: {
    readonly line: string;
    readonly body: string;
    readonly key: string | undefined;
  }[];
}

/** An Ollama server on loopback with the model `qwen3:8b`, which answers each chat with a text. */
export async function fakeOllama(context: TestContext, fake: FakeOllama): Promise<RunningOllama> {
  const requests: RunningOllama['requests'] = [];
  let { isLoaded = false } = fake;
  const { numCtx, loads, most = 40_960, instead = {} } = fake;
  const answers: Record<string, () => unknown> = {
    'POST /api/show': () => ({
      modelfile: 'FROM qwen3',
      parameters: `${numCtx === undefined ? '' : `num_ctx                        ${numCtx}\n`}stop                           "<|im_end|>"`,
      details: { family: 'qwen3' },
      model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': most },
      capabilities: ['completion', 'tools'],
    }),
    'GET /api/ps': () => ({
      models: isLoaded
        ? [{ name: 'qwen3:8b', model: 'qwen3:8b', size: 1, context_length: numCtx ?? loads }]
        : [],
    }),
    'GET /v1/models': () => ({ object: 'list', data: [{ id: 'qwen3:8b', object: 'model' }] }),
  };
  const server = createServer(async (request, response) => {
    const line = `${request.method} ${request.url}`;
    const body = await bodyOf(request);
    requests.push({ line, body, key: request.headers.authorization });
    const other = instead[request.url ?? ''];
    if (other) return other(response);
    if (line === 'POST /v1/chat/completions') {
      isLoaded = true;
      return chat(response);
    }
    const answer = answers[line];
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
    response.end(answer ? JSON.stringify(answer()) : '404 page not found');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}

function chat(response: ServerResponse): void {
  const chunk = (delta: object, finish: string | null, more: object = {}) =>
    `data: ${JSON.stringify({ id: '1', object: 'chat.completion.chunk', created: 1, model: 'qwen3:8b', choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\n\n`;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const usage = { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 };
  response.end(
    `${chunk({ role: 'assistant', content: 'Hello.' }, null)}${chunk({}, 'stop', { usage })}data: [DONE]\n\n`,
  );
}
