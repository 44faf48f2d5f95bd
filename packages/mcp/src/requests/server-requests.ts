import { pathToFileURL } from 'node:url';
import type { SamplingSettings } from '@toolfold/config/internal/settings';
import {
  type CallHost,
  LOG_LEVELS,
  type ToolCallOptions,
  type ToolProgress,
} from '@toolfold/core/internal/tool';
import { ownProperties } from '@toolfold/core/internal/values';
import type { ClientHandlers, LiveCallOptions } from '../connection/index.ts';
import type { Client } from '../sdk.ts';
import type { ServerMessage, ServerQuestion } from '../transport/index.ts';
import {
  type CallInFlight,
  CallsInFlight,
  type RequestOptions,
  type SafeTexts,
  textsOf,
} from './calls-in-flight.ts';
import { elicit } from './elicitation.ts';
import { sample } from './sampling.ts';

/** What a call is sent with, for its answers, its progress and its log messages. */
type ServerCallOptions = Pick<
  LiveCallOptions,
  'addressee' | 'onInputRequest' | 'onProgress' | 'meta'
>;

/** What the requests of one server need to know. */
interface ServerRequestsOptions {
  readonly server: string;
  readonly secrets: readonly string[];
  readonly host: RequestOptions;
  /** Whether the server may use the host's model, at this moment. */
  readonly sampling: () => SamplingSettings | boolean;
  readonly onWarning: (text: string) => void;
}

/** The field of a request's `_meta` with the id of the call, which is the same when the call is run again. */
const CALL_ID = 'toolfold/callId';

/** The field of a request's `_meta` that asks for log messages, since 2026-07-28. */
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';

/** Milliseconds for a server to take the level of its log messages. */
const LEVEL_TIME = 10_000;

/** Milliseconds for an answer. */
const ANSWER_TIME = 300_000;

/** Maximum requests of a server during one call. */
const MAX_REQUESTS = 10;
const MAX_WARNINGS = 3;

const METHOD_NOT_FOUND = -32_601;

/**
 * Answers what one server asks of its host, and tells the host of a call about its progress and its log
 * messages. Each request goes to the user of its own call or to nobody.
 */
export class ServerRequests implements ClientHandlers {
  readonly #options: ServerRequestsOptions;
  readonly #texts: SafeTexts;
  readonly #calls: CallsInFlight;

  constructor(options: ServerRequestsOptions) {
    this.#options = options;
    this.#texts = textsOf(options.secrets);
    this.#calls = new CallsInFlight(options.host.host);
  }

  get capabilities(): object {
    const { elicitation, roots, relay } = this.#options.host;
    if (relay) return relay.capabilities;
    return {
      ...(elicitation && { elicitation: { form: {}, ...(elicitation === 'url' && { url: {} }) } }),
      ...(this.#samplingLimits !== false && { sampling: {} }),
      ...(roots && { roots: {} }),
    };
  }

  get followsOthers(): boolean {
    return this.#options.host.relay !== undefined;
  }

  /** Answers a request that is a message of its own, as before 2026-07-28. */
  ask(question: ServerQuestion): Promise<object> {
    const { server, host } = this.#options;
    if (host.relay) return host.relay.ask(server, question);
    const { method, params, signal } = question;
    return this.#answer(method, params, this.#calls.for(question), signal);
  }

  tell(message: ServerMessage): void {
    const { server, host } = this.#options;
    if (host.relay) host.relay.tell(server, message);
    else if (message.method === 'notifications/message')
      tellLog(this.#calls.for(message), server, message.params, this.#texts);
  }

  /** Asks a server of 2025-11-25 for log messages, if somebody wants them and it has the capability. */
  readonly connected = (client: Client): void => {
    const { logLevel } = this.#options.host;
    if (logLevel === undefined || client.getProtocolEra() === 'modern') return;
    if (client.getServerCapabilities()?.logging === undefined) return;
    // Without an answer the server sends what it likes.
    client.setLoggingLevel(logLevel, { timeout: LEVEL_TIME }).catch(() => {});
  };

  /** Runs a call. Requests of the server meanwhile go to its host, and end with it. */
  async during<T>(
    options: Pick<ToolCallOptions, 'host' | 'toolCallId'>,
    run: (extras: ServerCallOptions) => Promise<T>,
  ): Promise<T> {
    const call = this.#calls.begin(options);
    const { host } = call;
    const { logLevel } = this.#options.host;
    const callId = options.host?.callId ?? options.toolCallId;
    try {
      return await run({
        addressee: call,
        meta: {
          ...(callId !== undefined && { [CALL_ID]: callId }),
          ...(host?.onLog && logLevel !== undefined && { [LOG_LEVEL]: logLevel }),
        },
        onInputRequest: (method, params, signal) => this.#answer(method, params, call, signal),
        ...(host?.onProgress && { onProgress: (sent) => tellProgress(host, sent, this.#texts) }),
      });
    } finally {
      call.end();
    }
  }

  async #answer(
    method: string,
    params: unknown,
    call: CallInFlight,
    signal: AbortSignal,
  ): Promise<Record<string, unknown>> {
    const { server, host } = this.#options;
    const { answerTime = ANSWER_TIME, roots = [], elicitation } = host;
    const warn = (text: string): void => this.#warn(text, call);
    call.used.requests += 1;
    const refusal =
      call.used.requests > MAX_REQUESTS
        ? `a call has ${MAX_REQUESTS} requests at most`
        : call.isOfSeveral && 'calls of several users run, and it does not say whose this is';
    const context = { server, texts: this.#texts, answerTime, call, refusal, signal, warn };
    switch (method) {
      case 'elicitation/create':
        return { ...(await elicit(params, { ...context, mode: elicitation })) };
      case 'sampling/createMessage':
        return { ...(await sample(params, { ...context, limits: this.#samplingLimits })) };
      case 'roots/list':
        return { roots: roots.map((folder) => ({ uri: pathToFileURL(folder).href })) };
      default:
        throw Object.assign(new Error('Method not found'), { code: METHOD_NOT_FOUND });
    }
  }

  /** The limits of sampling; `false` if it is not possible or not allowed. */
  get #samplingLimits(): SamplingSettings | false {
    const setting = this.#options.host.sampling === true && this.#options.sampling();
    return setting === true ? {} : setting;
  }

  #warn(text: string, { used }: Pick<CallInFlight, 'used'>): void {
    used.warnings += 1;
    if (used.warnings <= MAX_WARNINGS) this.#options.onWarning(this.#texts.line(text, 500));
  }
}

const MAX_PROGRESS = 300;
const MAX_LOG = 2000;

/** Tells the host of a call about its progress. What the server sent is untrusted. */
export function tellProgress(host: CallHost | undefined, sent: unknown, texts: SafeTexts): void {
  const { progress, total, message } = ownProperties(sent);
  if (typeof progress !== 'number' || !Number.isFinite(progress)) return;
  const toolProgress: ToolProgress = {
    progress,
    ...(typeof total === 'number' && Number.isFinite(total) ? { total } : {}),
    ...(typeof message === 'string' ? { message: texts.line(message, MAX_PROGRESS) } : {}),
  };
  host?.onProgress?.(toolProgress);
}

const MAX_LOGS = 1000;

/** Tells the host of a call about a log message. What the server sent is untrusted. */
export function tellLog(
  { host, used }: Pick<CallInFlight, 'host' | 'used'>,
  server: string,
  sent: unknown,
  texts: SafeTexts,
): void {
  const { level: given, data } = ownProperties(sent);
  const level = LOG_LEVELS.find((one) => one === given);
  if (host?.onLog === undefined || level === undefined) return;
  used.logs += 1;
  if (used.logs > MAX_LOGS) return;
  if (used.logs === MAX_LOGS) {
    host.onLog({ server, level: 'warning', text: 'Further log messages are left out.' });
    return;
  }
  const text = typeof data === 'string' ? data : (JSON.stringify(data) ?? '');
  host.onLog({ server, level, text: texts.lines(text, MAX_LOG) });
}
