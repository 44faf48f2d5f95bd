import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import type { TestContext } from 'node:test';
import {
  type ClientCapabilities,
  type ClientContext,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  client,
  type InitializeResponse,
  type LoadSessionResponse,
  methods,
  type NewSessionRequest,
  ndJsonStream,
  type PromptRequest,
  RequestError,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import {
  type ModelServer,
  type Reply,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import type { RecordedRequest } from '@toolfold/testing/internal/wire/recorded-request.ts';
import { environment, home, root, trustFolder } from '../cli/process.test-support.ts';
import { configOf, Journal, type ScriptedTool } from '../servers/scripted-server.test-support.ts';

export const limited: { readonly timeout: number } = { timeout: 120_000 };
/** The API key of the scripted model's provider. */
export const KEY = 'sk-never-to-be-shown-0123456789';
export const MODEL = 'anthropic/claude-opus-5-5';
const WINDOW = 200_000;

/** What an editor answers to a question: the id of an option, or `undefined` to say that the turn is cancelled. */
export type Answer = (asked: RequestPermissionRequest) => Promise<string | undefined>;

export interface EditorOptions {
  readonly capabilities?: ClientCapabilities;
  readonly answer?: Answer;
  /** What it answers to a question of a server. Left out, it cancels. */
  readonly elicit?: (asked: CreateElicitationRequest) => Promise<CreateElicitationResponse>;
  /** More flags of the command. */
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Whether the files of the folder are trusted. Default: true. */
  readonly isTrusted?: boolean;
  /** Left out, the scripted model is used. */
  readonly hasModel?: boolean;
}

export interface Scene {
  readonly folder: string;
  readonly journal: Journal;
  readonly model: ModelServer;
  /** Starts `toolfold acp` in a process of its own, and initializes it as an editor. */
  readonly connect: (options?: EditorOptions) => Promise<Editor>;
  /** Initializes a process that was started by `spawn`. */
  readonly adopt: (child: ChildProcess, options?: EditorOptions) => Promise<Editor>;
  /** Starts the process alone. */
  readonly spawn: (options?: EditorOptions) => ChildProcess;
}

interface SceneOptions {
  readonly tools?: readonly ScriptedTool[];
  /** More servers of the configuration. */
  readonly servers?: Readonly<Record<string, object>>;
  readonly toolfold?: object;
}

/** A folder with one scripted server `files`, and a scripted model. */
export async function editorScene(
  context: TestContext,
  script: readonly Reply[] | ((request: RecordedRequest) => Reply | Promise<Reply>),
  { tools = TOOLS, servers = {}, toolfold = {} }: SceneOptions = {},
): Promise<Scene> {
  const folder = await home(context);
  const journal = await Journal.open(context);
  const settings = { models: { [MODEL]: { contextWindow: WINDOW } }, ...toolfold };
  const config = configOf({ files: journal.entry('files', tools), ...servers }, settings);
  await writeFile(join(folder, 'toolfold.json'), config);
  const model = await startModelServer({ script });
  context.after(() => model.close());
  const begin = ({
    flags = [],
    env = {},
    hasModel = true,
    isTrusted = true,
  }: EditorOptions = {}): ChildProcess => {
    const given = hasModel ? ['--model', MODEL, '--base-url', model.baseUrl('anthropic')] : [];
    if (isTrusted) trustFolder(folder, environment(folder, env));
    const child = spawn(
      process.execPath,
      [join(root, 'packages/toolfold/bin/toolfold.js'), 'acp', ...given, ...flags],
      {
        cwd: folder,
        env: environment(folder, {
          ANTHROPIC_API_KEY: KEY,
          TOOLFOLD_SESSIONS: join(folder, 'sessions'),
          XDG_CACHE_HOME: join(folder, 'cache'),
          ...env,
        }),
        stdio: ['pipe', 'pipe', 'pipe'],
      },
    );
    context.after(() => child.kill('SIGKILL'));
    return child;
  };
  return {
    ...{ folder, journal, model, spawn: begin },
    adopt: (child, options = {}) => Editor.connect(child, folder, options),
    connect: (options = {}) => Editor.connect(begin(options), folder, options),
  };
}

/** A tool that only says so, one that changes something, and one that does not answer. */
const TOOLS: readonly ScriptedTool[] = [
  { name: 'read_note', answer: { content: [{ type: 'text', text: 'The answer is 42.' }] } },
  { name: 'write_note' },
  { name: 'hang', answer: 'never' },
];

/** A check of a refusal with the code of an error of Toolfold. Its message stands in the data too. */
export function refusal(
  code: number,
  known: string,
  message: RegExp = /./,
): (error: unknown) => true {
  return (error) => {
    assert.ok(error instanceof RequestError);
    assert.equal(error.code, code);
    assert.match(error.message, message);
    assert.deepEqual(error.data, { code: known, details: error.message });
    return true;
  };
}

/** An editor with one connection. Records all that it gets. */
export class Editor {
  readonly agent: ClientContext;
  readonly child: ChildProcess;
  readonly folder: string;
  readonly stdout: string[] = [];
  readonly asked: RequestPermissionRequest[] = [];
  readonly elicitations: CreateElicitationRequest[] = [];
  readonly #updates: { readonly sessionId: string; readonly update: SessionUpdate }[] = [];
  readonly #events = new EventEmitter();
  readonly exited: Promise<unknown>;
  stderr = '';
  initialized: InitializeResponse | undefined;

  private constructor(
    child: ChildProcess,
    folder: string,
    { answer = reject, elicit }: EditorOptions,
  ) {
    this.child = child;
    this.folder = folder;
    this.exited = once(child, 'exit');
    const { stdin, stdout, stderr } = child;
    assert.ok(stdin && stdout && stderr);
    stdin.on('error', () => {});
    stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    const copy = new PassThrough();
    stdout.on('data', (chunk: Buffer) => this.stdout.push(chunk.toString()));
    stdout.pipe(copy);
    const app = client({ name: 'test' })
      .onNotification(methods.client.session.update, ({ params }) => {
        this.#updates.push(params);
        this.#events.emit('change');
      })
      .onRequest(methods.client.elicitation.create, async ({ params }) => {
        this.elicitations.push(params);
        return (await elicit?.(params)) ?? { action: 'cancel' };
      })
      .onRequest(methods.client.session.requestPermission, async ({ params }) => {
        this.asked.push(params);
        this.#events.emit('change');
        const optionId = await answer(params);
        return optionId === undefined
          ? { outcome: { outcome: 'cancelled' } }
          : { outcome: { outcome: 'selected', optionId } };
      });
    const input = Readable.toWeb(copy) as ReadableStream<Uint8Array>;
    this.agent = app.connect(ndJsonStream(Writable.toWeb(stdin), input)).agent;
  }

  static async connect(
    child: ChildProcess,
    folder: string,
    options: EditorOptions,
  ): Promise<Editor> {
    const editor = new Editor(child, folder, options);
    editor.initialized = await editor.agent.request(methods.agent.initialize, {
      protocolVersion: 1,
      clientCapabilities: options.capabilities ?? {},
    });
    return editor;
  }

  /** The lines that the process has written to stdout. */
  get lines(): readonly string[] {
    return this.stdout.join('').split('\n').slice(0, -1);
  }

  /** Opens a new session in the folder. */
  async begin(): Promise<string> {
    const { sessionId } = await this.agent.request(methods.agent.session.new, {
      cwd: this.folder,
      mcpServers: [],
    });
    return sessionId;
  }

  /** Sends a prompt of one text, and returns why the turn stopped. */
  async say(sessionId: string, text: string): Promise<string> {
    const request: PromptRequest = { sessionId, prompt: [{ type: 'text', text }] };
    const answer = await this.agent.request(methods.agent.session.prompt, request);
    return answer.stopReason;
  }

  /** The folder as the place of a session, without servers of the editor. */
  get place(): NewSessionRequest {
    return { cwd: this.folder, mcpServers: [] };
  }

  load(sessionId: string): Promise<LoadSessionResponse> {
    return this.agent.request(methods.agent.session.load, { sessionId, ...this.place });
  }

  /** The updates of a session so far, in order. */
  updates(sessionId: string): readonly SessionUpdate[] {
    return this.#updates.flatMap((one) => (one.sessionId === sessionId ? [one.update] : []));
  }

  /** The titles of the notices of a session. */
  notices(sessionId: string): readonly string[] {
    return this.updates(sessionId).flatMap((update) =>
      update.sessionUpdate === 'notice' ? [update.title] : [],
    );
  }

  /** Waits for more output of the process. */
  async output(): Promise<void> {
    assert.ok(this.child.stdout);
    await once(this.child.stdout, 'data');
  }

  /** Waits until this holds. Looks again after each message. */
  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await once(this.#events, 'change');
  }

  /** Ends the process as with `kill -9`. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    if (this.child.exitCode === null && this.child.signalCode === null)
      await once(this.child, 'exit');
  }

  /** Closes stdin, and waits for the end of the process. Returns its exit code. */
  async end(): Promise<number | null> {
    const over = once(this.child, 'exit');
    this.child.stdin?.end();
    const [code] = await over;
    return code as number | null;
  }
}

async function reject(): Promise<string> {
  return 'reject';
}

/** What a user sees of a session: whole texts, and each call with its last state. */
export function shown(updates: readonly SessionUpdate[]): readonly unknown[] {
  const seen: Record<string, unknown>[] = [];
  const calls = new Map<string, Record<string, unknown>>();
  for (const update of updates) {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
      case 'agent_thought_chunk': {
        const { sessionUpdate: kind, messageId, content } = update;
        const text = content.type === 'text' ? content.text : '';
        const last = seen.at(-1);
        if (last?.kind === kind && last.messageId === messageId) last.text += text;
        // A blank line in front of a message is not seen.
        else seen.push({ kind, messageId, text: text.replace(/^\n+/, '') });
        break;
      }
      case 'tool_call':
      case 'tool_call_update': {
        const { sessionUpdate: _, ...changes } = update;
        const known = calls.get(update.toolCallId);
        if (known) Object.assign(known, changes);
        else {
          const call = { kind: 'call', ...changes };
          calls.set(update.toolCallId, call);
          seen.push(call);
        }
        break;
      }
      default:
    }
  }
  return seen;
}
