import type { CallHost, LogLevel, ToolCallOptions } from '@toolfold/core/internal/tool';
import { plainLine, raceAbort, visibleText } from '@toolfold/core/internal/values';
import { redact } from '../redact.ts';
import type { Addressee, ServerMessage, ServerQuestion } from '../transport/index.ts';

/** Takes what servers ask and tell, unread, for a host that passes it on. */
export interface Relay {
  /** What servers are told that the host can do. */
  readonly capabilities: object;
  /** Answers a request. A rejection is sent as an error. */
  ask(server: string, question: ServerQuestion): Promise<object>;
  tell(server: string, message: ServerMessage): void;
}

/**
 * What a host can do for servers. A server is told exactly this. What is left out is declined, also for
 * servers that ask without being told.
 */
export interface RequestOptions {
  /**
   * Whether users can be asked. `form`: they fill in fields. `url`: they also open pages. The question
   * goes to the host of the call (`CallHost.elicit`).
   */
  readonly elicitation?: 'form' | 'url' | undefined;
  /**
   * Whether the hosts of calls have a model (`CallHost.sample`). Only servers whose settings allow
   * `sampling` may use it.
   */
  readonly sampling?: boolean | undefined;
  /** The folders in which the host works, as absolute paths. */
  readonly roots?: readonly string[] | undefined;
  /**
   * The lowest level of log messages that servers are asked to send. Left out, no server is asked for
   * any; what it sends by itself still reaches `CallHost.onLog`.
   */
  readonly logLevel?: LogLevel | undefined;
  /** Milliseconds for an answer of a user or a model. Default: five minutes. */
  readonly answerTime?: number | undefined;
  /** Takes requests and notifications in place of everything above. */
  readonly relay?: Relay | undefined;
  /** Answers for calls without a host, and requests while no call runs. */
  readonly host?: CallHost | undefined;
}

/** Makes texts of one server safe to show: without secrets of its entry, cut, nothing invisible. */
export interface SafeTexts {
  readonly line: (text: string, limit: number) => string;
  readonly lines: (text: string, limit: number) => string;
}

/** Maximum characters of a text that is searched for secrets. */
const MAX_SEARCHED = 400_000;

export function textsOf(secrets: readonly string[]): SafeTexts {
  // Secrets are removed before the cut, which could leave a part of one.
  const hide = (text: string): string => redact(text.slice(0, MAX_SEARCHED), secrets);
  return {
    line: (text, limit) => plainLine(hide(text), limit),
    lines: (text, limit) => visibleText(hide(text), limit),
  };
}

/** A call that runs, as far as requests of its server are concerned. */
export interface CallInFlight {
  readonly host: CallHost | undefined;
  /** Fires when the call has ended, however it ended. */
  readonly ended: AbortSignal;
  readonly used: Used;
  /** There are calls of several users, and it may be any of them. The host is then unknown. */
  readonly isOfSeveral?: true;
}

/** What a request of a server needs besides its parameters. */
export interface ServerRequestContext {
  readonly server: string;
  readonly texts: SafeTexts;
  readonly answerTime: number;
  readonly call: CallInFlight;
  /** Why it is declined, if the reason is not the host. */
  readonly refusal: string | undefined | false;
  /** Fires when the server does not want the answer any more. */
  readonly signal: AbortSignal;
  /** Reports why the request was declined. */
  readonly warn: (text: string) => void;
}

/** What requests have used of the limits. */
interface Used {
  requests: number;
  samplings: number;
  samplingTokens: number;
  warnings: number;
  logs: number;
}

/** The calls that run on one connection. They say whom a request of the server is for. */
export class CallsInFlight {
  readonly #calls = new Set<InFlightCall>();
  readonly #ownHost: CallHost | undefined;
  #idle: CallInFlight;

  /** `ownHost`: for calls without a host and for requests while no call runs. */
  constructor(ownHost: CallHost | undefined) {
    this.#ownHost = ownHost;
    this.#idle = new InFlightCall(ownHost);
  }

  /** Adds a call. Call `end` when it has ended. */
  begin({ host = this.#ownHost }: Pick<ToolCallOptions, 'host'>): InFlightCall {
    const call = new InFlightCall(host, () => this.#calls.delete(call));
    this.#calls.add(call);
    // The limits of requests without a call begin again.
    this.#idle = new InFlightCall(this.#ownHost);
    return call;
  }

  /**
   * The call that a message of the server is for, or the pool's own host if none runs. Over HTTP the stream
   * of the message says whose it is; elsewhere it may be of any call that runs.
   */
  for({ addressee }: Pick<ServerMessage, 'addressee'>): CallInFlight {
    const named = addressee instanceof InFlightCall ? addressee : undefined;
    // What comes for a call that has ended is for nobody else.
    if (named && !this.#calls.has(named)) return named;
    const owner = named?.owner;
    const calls = [...this.#calls].filter((call) => owner === undefined || call.owner === owner);
    const last = calls.at(-1);
    if (last === undefined) return this.#idle;
    if (calls.length === 1) return last;
    if (calls.some((call) => call.owner !== last.owner))
      return { ended: this.#idle.ended, used: this.#idle.used, host: undefined, isOfSeveral: true };
    return { host: last.host, used: last.used, ended: allOf(calls.map(({ ended }) => ended)) };
  }
}

const NOBODY: object = {};

/** Its signal is made when somebody asks for it. Most calls are not asked anything. */
class InFlightCall implements CallInFlight, Addressee {
  readonly host: CallHost | undefined;
  /** The user behind the call. All calls without a host have the same. */
  readonly owner: object;
  readonly used: Used = { requests: 0, samplings: 0, samplingTokens: 0, warnings: 0, logs: 0 };
  readonly #onEnd: () => void;
  #controller: AbortController | undefined;
  #hasEnded = false;

  constructor(host: CallHost | undefined, onEnd: () => void = () => {}) {
    this.host = host;
    this.owner = host?.owner ?? host ?? NOBODY;
    this.#onEnd = onEnd;
  }

  get ended(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#hasEnded) this.end();
    return this.#controller.signal;
  }

  end(): void {
    this.#hasEnded = true;
    this.#onEnd();
    this.#controller?.abort(new DOMException('The call has ended.', 'AbortError'));
  }
}

function allOf(signals: readonly AbortSignal[]): AbortSignal {
  const all = new AbortController();
  let open = signals.length;
  for (const signal of signals) {
    const fired = (): void => {
      open -= 1;
      if (open === 0) all.abort(signal.reason);
    };
    if (signal.aborted) fired();
    else signal.addEventListener('abort', fired, { once: true });
  }
  return all.signal;
}

/**
 * Runs `ask` with a signal that fires when the server does not want the answer any more, the call has ended,
 * or the time is over. Rejects then at once, also if `ask` goes on.
 */
export async function answerInTime<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  {
    signal: unwanted,
    call,
    answerTime,
  }: Pick<ServerRequestContext, 'signal' | 'call' | 'answerTime'>,
): Promise<T> {
  const over = new AbortController();
  const reason = new DOMException('There was no answer in time.', 'TimeoutError');
  const timer = setTimeout(() => over.abort(reason), answerTime);
  const signal = AbortSignal.any([unwanted, call.ended, over.signal]);
  try {
    signal.throwIfAborted();
    return await raceAbort(ask(signal), signal);
  } finally {
    clearTimeout(timer);
    // Whoever still waits for the user must not: the answer would be ignored.
    over.abort(reason);
  }
}
