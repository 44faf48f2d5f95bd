import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { errorMessage, invalidOption, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { estimateTokens, type TokenCounter } from '@toolfold/core/internal/tool';
import {
  checkKnown,
  checkValues,
  isRecord,
  type KnownOptions,
  type OptionCheck,
} from '@toolfold/core/internal/values';
import { createPromptCache, type InputTokens, type PromptCacheOptions } from '../audit/index.ts';
import {
  type FinishReason,
  type ModelAnswer,
  type RecordedRequest,
  recordRequest,
  toJsonl,
  type WireFormat,
  type WireProvider,
  wireFormats,
} from '../wire/index.ts';

/** Options of the scripted model server. */
export interface ModelServerOptions {
  /** One reply per request in order of arrival, or a function that returns the reply to each request. */
  readonly script: readonly Reply[] | ((request: RecordedRequest) => Reply | Promise<Reply>);
  /** Whether requests that the real APIs refuse are answered with 400. Default: true. */
  readonly strict?: boolean;
  /** Counts the tokens of the reported usage. Default: the core's estimate of o200k tokens. */
  readonly countTokens?: TokenCounter;
  /** Of the simulated prompt cache. Default: the model's minimum in the table of prices, and `Date.now`. */
  readonly cache?: Pick<PromptCacheOptions, 'minimum' | 'now'>;
}

/** A running scripted model server. */
export interface ModelServer extends AsyncDisposable {
  /** All requests so far in order of arrival, refused ones included. */
  readonly requests: readonly RecordedRequest[];
  /** The `baseURL` for `createAnthropic`, `createOpenAI` or `createOpenAICompatible`. */
  readonly baseUrl: (provider: WireProvider) => string;
  /** The requests as lines of `{ provider, url, body }`. */
  readonly toJsonl: () => string;
  /** Closes open connections and stops listening. Can be called twice. */
  readonly close: () => Promise<void>;
}

const START_MODEL_SERVER_OPTIONS: KnownOptions<ModelServerOptions> = {
  script: true,
  strict: true,
  countTokens: true,
  cache: true,
};

/**
 * Starts a scripted model on 127.0.0.1. It speaks Anthropic Messages, OpenAI Responses and OpenAI Chat
 * Completions, plain and streamed, and records each request. If the script has no more replies or
 * throws, it answers 500 with the reason.
 */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  checkKnown('startModelServer()', options, START_MODEL_SERVER_OPTIONS);
  if (!Array.isArray(options.script) && typeof options.script !== 'function')
    throw invalidOption('script', SCRIPT);
  if (typeof options.script !== 'function') options.script.forEach(checkReply);
  const requests: RecordedRequest[] = [];
  const respond = scriptedAnswers(options);
  const server = createServer((incoming, response) => {
    serve(incoming, response, requests, respond).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : new Error(errorMessage(error)));
    });
  });
  // Without this, an idle connection could be closed while the next request arrives, which would be an unscripted error.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const origin = `http://127.0.0.1:${portOf(server)}`;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    requests,
    baseUrl: (provider) => `${origin}${baseOf(provider)}`,
    toJsonl: () => toJsonl(requests),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The path of a protocol. Throws `invalid-option` for one that the server does not speak. */
function baseOf(provider: WireProvider): string {
  const format = wireFormats.find((one) => one.provider === provider);
  if (format) return format.base;
  throw new ToolfoldError(
    'invalid-option',
    `baseUrl() knows no protocol "${String(provider)}".`,
    `Use one of ${wireFormats.map((one) => `"${one.provider}"`).join(', ')}.`,
  );
}

interface ErrorReply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

type Responder = (
  format: WireFormat,
  request: RecordedRequest,
) => Promise<{ reply: Reply; answer: ModelAnswer } | ErrorReply>;

async function serve(
  incoming: IncomingMessage,
  response: ServerResponse,
  requests: RecordedRequest[],
  respond: Responder,
): Promise<void> {
  const path = new URL(incoming.url ?? '/', 'http://127.0.0.1').pathname;
  const format = wireFormats.find((candidate) => path.endsWith(candidate.path));
  if (incoming.method !== 'POST' || format === undefined) {
    sendJson(response, 404, { error: { message: `No model answers ${incoming.method} ${path}.` } });
    return;
  }
  const raw = await readText(incoming);
  const request = recordRequest(format.provider, path, raw, incoming.headers);
  if (request === undefined) {
    sendJson(response, 400, format.error(400, 'The body is not a JSON object.'));
    return;
  }
  requests.push(request);
  const result = await respond(format, request);
  if ('status' in result) sendJson(response, result.status, result.body, result.headers);
  else if (request.stream) await sendEvents(response, format, result.reply, result.answer);
  else sendPlain(response, format, result.reply, result.answer);
}

function scriptedAnswers({
  script,
  strict = true,
  countTokens: count = estimateTokens,
  cache: cacheOptions = {},
}: ModelServerOptions): Responder {
  const cache = createPromptCache({ ...cacheOptions, countTokens: count });
  const ids = idSource();
  const issued = new Map<string, string>();
  let replies = 0;
  const nextReply = (request: RecordedRequest): Reply | undefined | Promise<Reply> =>
    typeof script === 'function' ? script(request) : script[replies++];

  return async (format, request) => {
    const failure = (status: number, message: string, code?: string): ErrorReply => ({
      status,
      body: format.error(status, message, code),
    });
    const refusal = strict ? format.refusal(request, issued) : undefined;
    if (typeof refusal === 'string') return failure(400, refusal);
    if (refusal !== undefined) return failure(400, refusal.message, refusal.code);
    // Others can read what a request saves once its answer begins.
    const { tokens, answered } = cache.begin(request);
    let reply: Reply | undefined;
    try {
      reply = await nextReply(request);
      if (reply !== undefined) checkReply(reply);
      await reply?.hold;
    } catch (error) {
      return failure(500, `The script threw: ${errorMessage(error)}`);
    }
    if (reply === undefined) {
      return failure(500, `The script ran out of replies: this was call ${replies} of the model.`);
    }
    if (reply.error !== undefined) {
      const { status, body, headers = {} } = reply.error;
      return { ...(typeof body === 'string' ? failure(status, body) : { status, body }), headers };
    }
    const newId = ids(request.raw);
    const issue = (itemId: string, callId: string) => issued.set(itemId, callId);
    answered();
    return { reply, answer: answerOf(reply, request, { newId, issue }, tokens, count) };
  };
}

function answerOf(
  reply: Reply,
  { body }: RecordedRequest,
  notes: Pick<ModelAnswer, 'newId' | 'issue'>,
  input: InputTokens,
  count: TokenCounter,
): ModelAnswer {
  const calls = (reply.calls ?? []).map((call) => ({
    name: call.name,
    id: call.id,
    text: argumentsText(call),
  }));
  const reasoning = reply.reasoning === undefined ? 0 : count(reply.reasoning);
  const written = [reply.text ?? '', ...calls.flatMap(({ name, text }) => [name, text])];
  return {
    model: String(body.model),
    ...notes,
    reasoning: reply.reasoning,
    text: reply.text,
    calls,
    finish: reply.finishReason ?? (calls.length > 0 ? 'tool-calls' : 'stop'),
    cut: (text) => cut(text, reply),
    usage: {
      ...input,
      reasoning,
      output: written.reduce((sum, text) => sum + (text === '' ? 0 : count(text)), reasoning),
    },
    body,
  };
}

// Continues from the highest number in the request, so that a conversation that is resumed on another
// server never gets an id twice.
function idSource(): (raw: string) => ModelAnswer['newId'] {
  const last = new Map<string, number>();
  return (raw) => (prefix) => {
    const mentioned = [...raw.matchAll(new RegExp(`"${prefix}_(\\d{1,9})"`, 'g'))];
    const highest = Math.max(last.get(prefix) ?? 0, ...mentioned.map((match) => Number(match[1])));
    last.set(prefix, highest + 1);
    return `${prefix}_${highest + 1}`;
  };
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: ErrorReply['headers'] = {},
): void {
  response
    .writeHead(status, { ...headers, 'content-type': 'application/json' })
    .end(JSON.stringify(body));
}

function sendPlain(
  response: ServerResponse,
  format: WireFormat,
  reply: Reply,
  answer: ModelAnswer,
): void {
  const body = JSON.stringify(format.plain(answer));
  if (reply.abortAfter === undefined) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    return;
  }
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  response.write(body.slice(0, body.length / 2), () => response.destroy());
}

async function sendEvents(
  response: ServerResponse,
  format: WireFormat,
  reply: Reply,
  answer: ModelAnswer,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  let sent = 0;
  for (const { name, data } of format.events(answer)) {
    await reply.pace?.(sent);
    if (sent++ === reply.abortAfter) {
      response.write(':\n\n', () => response.destroy());
      return;
    }
    response.write(
      `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`,
    );
  }
  response.end(format.terminator);
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** One tool call of a scripted reply. */
export interface ReplyCall {
  readonly name: string;
  /**
   * The arguments. A string is sent unchanged, so it may be malformed JSON. Anthropic's plain form and
   * the Responses API's tool searches cannot carry raw text, so there malformed text is sent as a JSON
   * string.
   */
  readonly arguments: object | string;
  /** Default: a number, `toolu_1` on Anthropic, `call_1` on OpenAI. */
  readonly id?: string;
}

/** Why a scripted reply ends, independent of the provider. */
export type ReplyFinish = FinishReason;

/** One answer of the scripted model for every wire format: reasoning, then text, then calls. */
export interface Reply {
  readonly reasoning?: string;
  readonly text?: string;
  readonly calls?: readonly ReplyCall[];
  /** Default: `tool-calls` if there are calls, otherwise `stop`. */
  readonly finishReason?: ReplyFinish;
  /** Length of streamed pieces in UTF-16 units. Cuts also inside escapes and surrogate pairs. */
  readonly chunkSize?: number;
  /** Lengths of the first pieces of each streamed text in UTF-16 units. The rest follows in one piece. */
  readonly chunks?: readonly number[];
  /** Sent instead of content. A string body becomes the message in the provider's own error form. */
  readonly error?: {
    readonly status: number;
    readonly body: unknown;
    /** Such as `retry-after`. */
    readonly headers?: Readonly<Record<string, string>>;
  };
  /** Closes the connection after this many stream events. A plain answer is cut in the middle. */
  readonly abortAfter?: number;
  /** Awaited before anything is sent. */
  readonly hold?: Promise<unknown>;
  /** Awaited before each event of a streamed reply, with the number of events before it. */
  readonly pace?: (sent: number) => Promise<unknown> | undefined;
}

const SCRIPT = 'a list of replies, such as [{ text: "Hello." }], or a function that returns one';

const REPLY: KnownOptions<Reply> = {
  reasoning: true,
  text: true,
  calls: true,
  finishReason: true,
  chunkSize: true,
  chunks: true,
  error: true,
  abortAfter: true,
  hold: true,
  pace: true,
};
const CALL: KnownOptions<ReplyCall> = { name: true, arguments: true, id: true };
const ERROR: KnownOptions<NonNullable<Reply['error']>> = {
  status: true,
  body: true,
  headers: true,
};
const ERRORS: Readonly<Record<string, OptionCheck>> = {
  error: [isRecord, 'an object with `status` and `body`'],
  calls: [
    (value) => Array.isArray(value) && value.every((call) => typeof call?.name === 'string'),
    'a list of `{ name, arguments }`',
  ],
};

/** Throws `invalid-option` for a reply with a field that replies do not have. */
function checkReply(reply: Reply): void {
  checkKnown('A reply of the script', reply, REPLY);
  checkValues('script.', reply, ERRORS);
  for (const call of reply.calls ?? []) checkKnown('A call of the script', call, CALL);
  if (reply.error) checkKnown('An error of the script', reply.error, ERROR);
}

/** Cuts a text into the pieces that the reply asks for. Empty text has no pieces. */
function cut(text: string, reply: Pick<Reply, 'chunks' | 'chunkSize'>): string[] {
  const pieces: string[] = [];
  let rest = text;
  for (const length of reply.chunks ?? []) {
    pieces.push(rest.slice(0, length));
    rest = rest.slice(length);
  }
  const size = Math.max(1, reply.chunkSize ?? rest.length);
  for (let start = 0; start < rest.length; start += size) {
    pieces.push(rest.slice(start, start + size));
  }
  return pieces.filter((piece) => piece !== '');
}

/** The arguments of a call as the model wrote them. */
function argumentsText(call: ReplyCall): string {
  return typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
}
