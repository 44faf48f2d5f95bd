import { type ChildProcess, spawn } from 'node:child_process';
import { type Era, type Json, onLines } from './raw-server.test-support.ts';

/** The answer to a request, with nothing read or changed. */
export interface Answer {
  readonly result?: Json;
  readonly error?: Json;
}

/** Answers a question of a server. */
export type AnswerQuestion = (method: string, params: Json | undefined) => Json;

/** What a client of a test announces. */
export interface ClientOptions {
  readonly era: Era;
  readonly capabilities?: Json;
  readonly answer?: AnswerQuestion;
}

/** Messages that a client got besides answers. */
export type Notice = { readonly method: string; readonly params?: Json };

/** A client of one revision that writes what a test says and keeps what it gets. */
export abstract class RawClient {
  readonly notices: Notice[] = [];
  readonly options: ClientOptions;
  readonly #waiting = new Map<unknown, PromiseWithResolvers<Answer>>();
  readonly #listeners = new Set<() => void>();
  #lastId = 0;

  constructor(options: ClientOptions) {
    this.options = options;
  }

  protected abstract send(message: Json): void;
  abstract close(): Promise<void>;

  /** Makes the handshake, or asks what the server is. */
  async begin(): Promise<Answer> {
    const { era, capabilities = {} } = this.options;
    if (era === 'modern') return this.request('server/discover', {});
    const clientInfo = { name: 'raw', version: '1' };
    const protocolVersion = '2025-11-25';
    const answer = await this.request('initialize', { protocolVersion, capabilities, clientInfo });
    this.notify('notifications/initialized');
    return answer;
  }

  request(method: string, params: Json = {}): Promise<Answer> {
    return this.start(method, params).answer;
  }

  /** A request that a test can cancel. */
  start(method: string, params: Json = {}): { id: number; answer: Promise<Answer> } {
    const id = ++this.#lastId;
    const waiting = Promise.withResolvers<Answer>();
    this.#waiting.set(id, waiting);
    this.send({ jsonrpc: '2.0', id, method, params: this.#enveloped(params) });
    return { id, answer: waiting.promise };
  }

  call(name: string, args: Json = {}, others: Json = {}): Promise<Answer> {
    return this.request('tools/call', { name, arguments: args, ...others });
  }

  /** Sends a request, and sends it again with answers while it is answered with questions. */
  async complete(method: string, params: Json): Promise<Answer> {
    let answer = await this.request(method, params);
    while (answer.result?.resultType === 'input_required') {
      const { inputRequests = {}, requestState } = answer.result;
      const inputResponses = Object.fromEntries(
        Object.entries(inputRequests as Record<string, Notice>).map(([key, asked]) => [
          key,
          this.options.answer?.(asked.method, asked.params),
        ]),
      );
      const state = requestState === undefined ? {} : { requestState };
      answer = await this.request(method, { ...params, inputResponses, ...state });
    }
    return answer;
  }

  notify(method: string, params?: Json): void {
    this.send({ jsonrpc: '2.0', method, ...(params && { params }) });
  }

  cancel(id: number, reason?: string): void {
    const given = { requestId: id, ...(reason !== undefined && { reason }) };
    this.notify('notifications/cancelled', given);
  }

  /** The first notice of a method, when it is there. `from`: where to begin. */
  async notice(method: string, from = 0): Promise<Notice> {
    for (;;) {
      const found = this.notices.slice(from).find((notice) => notice.method === method);
      if (found) return found;
      await new Promise<void>((resolve) => {
        const listener = (): void => {
          this.#listeners.delete(listener);
          resolve();
        };
        this.#listeners.add(listener);
      });
    }
  }

  protected receive(message: Json): void {
    const { id, method, params } = message as { id?: unknown; method?: string; params?: Json };
    if (method === undefined) {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      const { result, error } = message as Answer;
      waiting?.resolve({ ...(result && { result }), ...(error && { error }) });
    } else if (id === undefined) {
      this.notices.push({ method, ...(params && { params }) });
      for (const listener of [...this.#listeners]) listener();
    } else {
      const result = this.options.answer?.(method, params);
      const refused = { error: { code: -32601, message: 'Method not found' } };
      this.send({ jsonrpc: '2.0', id, ...(result ? { result } : refused) });
    }
  }

  #enveloped(params: Json): Json {
    const { era, capabilities = {} } = this.options;
    if (era === 'legacy') return params;
    const prefix = 'io.modelcontextprotocol';
    return {
      ...params,
      _meta: {
        ...((params._meta ?? {}) as Json),
        [`${prefix}/protocolVersion`]: '2026-07-28',
        [`${prefix}/clientInfo`]: { name: 'raw', version: '1' },
        [`${prefix}/clientCapabilities`]: capabilities,
      },
    };
  }
}

/** A client of a process. */
export class StdioClient extends RawClient {
  readonly child: ChildProcess;
  stderr = '';

  constructor(command: readonly string[], options: ClientOptions, env: NodeJS.ProcessEnv) {
    super(options);
    const [program = '', ...args] = command;
    this.child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], env });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.child.stdin?.on('error', () => {});
    if (this.child.stdout) onLines(this.child.stdout, (line) => this.receive(JSON.parse(line)));
  }

  protected send(message: Json): void {
    this.child.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      if (this.child.exitCode !== null || this.child.signalCode !== null) return resolve();
      this.child.once('exit', () => resolve());
      this.child.stdin?.end();
    });
  }
}

/** A client over HTTP. */
export class HttpClient extends RawClient {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #stop = new AbortController();
  readonly #requests = new Map<unknown, AbortController>();
  session: string | undefined;

  constructor(url: string, options: ClientOptions, headers: Record<string, string> = {}) {
    super(options);
    this.#url = url;
    this.#headers = headers;
  }

  override async begin(): Promise<Answer> {
    const answer = await super.begin();
    if (this.session) void this.#listen();
    return answer;
  }

  override cancel(id: number, reason?: string): void {
    if (this.options.era === 'legacy') super.cancel(id, reason);
    else this.#requests.get(id)?.abort();
  }

  protected send(message: Json): void {
    void this.#post(message).catch((error: unknown) => {
      if (message.id !== undefined && !this.#stop.signal.aborted)
        this.receive({ id: message.id, error: { message: String(error) } });
    });
  }

  async close(): Promise<void> {
    if (this.session)
      await fetch(this.#url, { method: 'DELETE', headers: this.#common() }).catch(() => {});
    this.#stop.abort();
  }

  #common(): Record<string, string> {
    return { ...this.#headers, ...(this.session && { 'mcp-session-id': this.session }) };
  }

  async #post(message: Json): Promise<void> {
    const params = (message.params ?? {}) as Json;
    const name = params.name ?? params.uri;
    const named = ['tools/call', 'prompts/get', 'resources/read'].includes(String(message.method));
    const stop = new AbortController();
    this.#requests.set(message.id, stop);
    const response = await fetch(this.#url, {
      method: 'POST',
      signal: AbortSignal.any([stop.signal, this.#stop.signal]),
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...this.#common(),
        ...(this.options.era === 'modern' && {
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': String(message.method),
          ...(named && { 'mcp-name': String(name) }),
        }),
      },
      body: JSON.stringify(message),
    });
    this.session ??= response.headers.get('mcp-session-id') ?? undefined;
    const type = response.headers.get('content-type') ?? '';
    if (type.startsWith('application/json')) this.receive((await response.json()) as Json);
    else if (type.startsWith('text/event-stream')) await this.#events(response);
    else await response.body?.cancel();
  }

  async #listen(): Promise<void> {
    const headers = { ...this.#common(), accept: 'text/event-stream' };
    const { signal } = this.#stop;
    await fetch(this.#url, { headers, signal }).then(
      (response) => this.#events(response).catch(() => {}),
      () => {},
    );
  }

  async #events(response: Response): Promise<void> {
    let pending = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const events = (pending + chunk).split('\n\n');
      pending = events.pop() ?? '';
      for (const event of events) {
        const data = event
          .split('\n')
          .filter((line) => line.startsWith('data: '))
          .map((line) => line.slice(6))
          .join('\n');
        if (data !== '') this.receive(JSON.parse(data));
      }
    }
  }
}
