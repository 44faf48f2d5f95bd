import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import {
  type ModelServer,
  type Reply,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import type { RecordedRequest } from '@toolfold/testing/internal/wire/recorded-request.ts';
import type { WireCommand, WireReply, WireState } from '../../src/web-wire/index.ts';
import { patched } from '../../src/web-wire/patch.ts';
import { environment, home, root, trustFolder } from '../cli/process.test-support.ts';
import { configOf, Journal, type ScriptedTool } from '../servers/scripted-server.test-support.ts';

export const limited: { readonly timeout: number } = { timeout: 90_000 };
export const MODEL = 'anthropic/claude-opus-5-5';
/** The key of the scripted model's provider. */
export const KEY = 'sk-never-to-be-shown-0123456789';

/** A folder with one scripted server `files`, and a scripted model. */
export interface WebScene {
  readonly folder: string;
  readonly journal: Journal;
  readonly model: ModelServer;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The flags that name the scripted model. */
  readonly flags: readonly string[];
  /** Starts `toolfold web` in a process of its own. Resolves when it has printed its address. */
  readonly serve: (...more: readonly string[]) => Promise<WebServer>;
  /** Starts a command. */
  readonly spawn: (...args: readonly string[]) => ChildProcess;
}

interface SceneOptions {
  readonly tools?: readonly ScriptedTool[];
  readonly toolfold?: object;
  readonly variables?: Readonly<Record<string, string>>;
  readonly servers?: (journal: Journal) => Readonly<Record<string, object>>;
}

const TOOLS: readonly ScriptedTool[] = [
  { name: 'read_note', answer: { content: [{ type: 'text', text: 'The answer is 42.' }] } },
  { name: 'write_note' },
  { name: 'hang', answer: 'never' },
];

export async function webScene(
  context: TestContext,
  script: readonly Reply[] | ((request: RecordedRequest) => Reply | Promise<Reply>),
  { tools = TOOLS, toolfold = {}, servers = () => ({}), variables = {} }: SceneOptions = {},
): Promise<WebScene> {
  const folder = await home(context);
  const journal = await Journal.open(context);
  const config = configOf({ files: journal.entry('files', tools), ...servers(journal) }, toolfold);
  await writeFile(join(folder, 'toolfold.json'), config);
  const model = await startModelServer({ script });
  context.after(() => model.close());
  const env = environment(folder, {
    ANTHROPIC_API_KEY: KEY,
    TOOLFOLD_SESSIONS: join(folder, 'sessions'),
    XDG_CACHE_HOME: join(folder, 'cache'),
    XDG_DATA_HOME: join(folder, 'data'),
    ...variables,
  });
  trustFolder(folder, env);
  const flags = ['--model', MODEL, '--base-url', model.baseUrl('anthropic')];
  const begin = (...args: readonly string[]): ChildProcess => {
    const bin = join(root, 'packages/toolfold/bin/toolfold.js');
    const child = spawn(process.execPath, [bin, ...args], {
      ...{ cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'] },
    });
    context.after(() => child.kill('SIGKILL'));
    return child;
  };
  return {
    ...{ folder, journal, model, env, flags, spawn: begin },
    serve: (...more) =>
      WebServer.of(
        begin(
          'web',
          '--no-open',
          ...flags,
          ...(more.includes('--port') ? [] : ['--port', '0']),
          ...more,
        ),
      ),
  };
}

/** An answer over HTTP. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** A process of `toolfold web`, and what its address says. */
export class WebServer {
  readonly child: ChildProcess;
  readonly port: number;
  readonly token: string;
  readonly session: string;
  readonly url: string;
  readonly #output: { text: string };

  private constructor(child: ChildProcess, url: string, output: { text: string }) {
    const { port, hash } = new URL(url);
    const given = new URLSearchParams(hash.slice(1));
    this.child = child;
    this.url = url;
    this.port = Number(port);
    this.token = given.get('token') ?? '';
    this.session = given.get('session') ?? '';
    this.#output = output;
  }

  static async of(child: ChildProcess): Promise<WebServer> {
    const output = { text: '' };
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (piece: string) => {
        output.text += piece;
      });
    const over = once(child, 'exit').then(() => {
      throw new Error(`toolfold web has ended: ${output.text}`);
    });
    over.catch(() => {});
    for (;;) {
      const [url] = /http:\/\/\S+#\S+(?=\n)/.exec(output.text) ?? [];
      if (url !== undefined) return new WebServer(child, url, output);
      assert.ok(child.stdout);
      await Promise.race([once(child.stdout, 'data'), over]);
    }
  }

  /** All that it has written to its terminal. */
  get output(): string {
    return this.#output.text;
  }

  /** One request with the token and the headers of the page; an `undefined` header is left out. */
  async ask(
    path: string,
    {
      method = 'GET',
      body,
      headers = {},
    }: {
      readonly method?: string;
      readonly body?: string;
      readonly headers?: Readonly<Record<string, string | undefined>>;
    } = {},
  ): Promise<Answer> {
    const all = { authorization: `Bearer ${this.token}`, ...headers };
    const sent = Object.entries(all).filter(([, value]) => value !== undefined);
    const asked = request({
      ...{ host: '127.0.0.1', port: this.port, path, method, agent: false },
      headers: Object.fromEntries(sent) as Record<string, string>,
    });
    asked.end(body);
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    const { statusCode: status = 0, headers: got } = answer;
    return { status, headers: got, text: await text(answer) };
  }

  async json<T>(path: string): Promise<T> {
    return JSON.parse((await this.ask(path)).text) as T;
  }

  /** Sends a command of a session. */
  async send(command: WireCommand, session: string = this.session): Promise<WireReply> {
    const path = `/api/command?session=${encodeURIComponent(session)}`;
    const { text: body } = await this.ask(path, { method: 'POST', body: JSON.stringify(command) });
    return JSON.parse(body) as WireReply;
  }

  /** Opens the stream of a session. */
  async page(session: string = this.session): Promise<Page> {
    return Page.open(this, session);
  }

  /** Ends it as with `kill -9`. */
  async kill(): Promise<void> {
    const over = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await over;
  }

  /** Sends a signal, and resolves with the exit code. */
  async stop(signal: NodeJS.Signals): Promise<number | null> {
    const over = once(this.child, 'exit');
    this.child.kill(signal);
    const [code] = await over;
    return code as number | null;
  }
}

/** What a page knows of a session: the state with all patches so far, and each byte that came. */
export class Page {
  readonly session: string;
  readonly server: WebServer;
  readonly #events = new EventEmitter();
  readonly #answer: IncomingMessage;
  /** All that came over the wire. */
  wire = '';
  /** The length of each patch. */
  readonly patches: number[] = [];
  state: WireState | undefined;
  isEnded = false;
  #rest = '';

  private constructor(server: WebServer, session: string, answer: IncomingMessage) {
    this.server = server;
    this.session = session;
    this.#answer = answer;
    this.#events.setMaxListeners(0);
    answer.setEncoding('utf8').on('data', (piece: string) => this.#take(piece));
    const end = () => {
      this.isEnded = true;
      this.#events.emit('change');
    };
    answer.on('close', end).on('error', end);
  }

  static async open(server: WebServer, session: string): Promise<Page> {
    const asked = request({
      ...{ host: '127.0.0.1', port: server.port, agent: false },
      path: `/api/stream?session=${encodeURIComponent(session)}`,
      headers: { authorization: `Bearer ${server.token}` },
    });
    asked.end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    assert.equal(answer.statusCode, 200);
    assert.match(answer.headers['content-type'] ?? '', /^text\/event-stream/);
    const page = new Page(server, session, answer);
    await page.until(() => page.state !== undefined);
    return page;
  }

  #take(piece: string): void {
    this.wire += piece;
    const parts = (this.#rest + piece).split('\n\n');
    this.#rest = parts.pop() ?? '';
    for (const part of parts) {
      const [, kind, data = ''] = /^event: (\w+)\ndata: (.*)$/s.exec(part) ?? [];
      if (kind === 'state') this.state = JSON.parse(data) as WireState;
      if (kind !== 'patch' || !this.state) continue;
      this.patches.push(data.length);
      this.state = patched(this.state, JSON.parse(data));
    }
    this.#events.emit('change');
  }

  /** The state now. */
  get now(): WireState {
    assert.ok(this.state);
    return this.state;
  }

  /** Waits until this holds after a change, or the stream ends. */
  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      if (this.isEnded) throw new Error('The stream has ended.');
      await once(this.#events, 'change');
    }
  }

  /** Waits until this holds of the state. */
  async shows(isSo: (state: WireState) => unknown): Promise<WireState> {
    await this.until(() => Boolean(isSo(this.now)));
    return this.now;
  }

  /** Says something, and waits for the end of its turn. */
  async say(text: string, id: string = text): Promise<WireState> {
    const before = this.now.turns.length + this.now.earlier;
    assert.deepEqual(await this.server.send({ type: 'say', id, text }, this.session), { ok: true });
    return this.shows(
      ({ session, turns, earlier }) =>
        session.state === 'idle' && turns.length + earlier > before && turns.at(-1)?.end,
    );
  }

  /** Waits for a question, and answers it. */
  async answer(choice: string, more: object = {}): Promise<WireReply> {
    const { questions } = await this.shows((state) => state.questions.length > 0);
    const [question] = questions;
    assert.ok(question);
    const { id } = question;
    const reply = await this.server.send(
      { type: 'answer', question: id, answer: { choice, ...more } },
      this.session,
    );
    if (reply.ok) await this.shows((state) => state.questions.every((one) => one.id !== id));
    return reply;
  }

  close(): void {
    this.#answer.destroy();
  }

  /** Stops to read. */
  pause(): void {
    this.#answer.pause();
  }
}

/** The texts of the model in the turns, and the states of calls. */
export function said({ turns }: Pick<WireState, 'turns'>): readonly (string | undefined)[][] {
  return turns.map(({ user, blocks }) => [
    user,
    ...blocks.map((block) =>
      block.kind === 'call' ? `${block.name} ${block.status}` : block.text,
    ),
  ]);
}
