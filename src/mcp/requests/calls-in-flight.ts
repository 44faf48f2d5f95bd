import type { CallHost, ToolCallOptions } from '../../tools/tool/index.ts';
import type { Texts } from './texts.ts';

/** A call that runs, as far as requests of its server are concerned. */
export interface CallInFlight {
  readonly host: CallHost | undefined;
  /** Fires when the call has ended, however it ended. */
  readonly ended: AbortSignal;
  /** What the server has used of the limits for one call. */
  readonly used: Used;
  /** There are calls of several users, and it may be any of them. The host is then unknown. */
  readonly isOfSeveral?: true;
}

/** What a request of a server needs besides its parameters. */
export interface RequestContext {
  readonly server: string;
  readonly texts: Texts;
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
export interface Used {
  requests: number;
  samplings: number;
  samplingTokens: number;
  warnings: number;
  logs: number;
}

/** The calls that run on one connection. They say whom a request of the server is for. */
export class CallsInFlight {
  readonly #calls = new Set<CallInFlight & { readonly end: () => void }>();
  readonly #ownHost: CallHost | undefined;
  #idle: CallInFlight;

  /** `ownHost`: for calls without a host and for requests while no call runs. */
  constructor(ownHost: CallHost | undefined) {
    this.#ownHost = ownHost;
    this.#idle = this.#startIdle();
  }

  /** Adds a call. Call `end` when it has ended. */
  begin({ host = this.#ownHost }: Pick<ToolCallOptions, 'host'>): CallInFlight & {
    readonly end: () => void;
  } {
    const end = new LateSignal();
    const call = {
      host,
      get ended() {
        return end.signal;
      },
      used: nothing(),
      end: () => {
        this.#calls.delete(call);
        end.fire();
      },
    };
    this.#calls.add(call);
    // The limits of requests without a call begin again.
    this.#idle = this.#startIdle();
    return call;
  }

  /** The call that a request is for which does not name one, or the pool's own host if none runs. */
  get addressee(): CallInFlight {
    const calls = [...this.#calls];
    const last = calls.at(-1);
    if (last === undefined) return this.#idle;
    if (calls.length === 1) return last;
    const owner = ownerOf(last);
    if (calls.some((call) => ownerOf(call) !== owner))
      return { ended: this.#idle.ended, used: this.#idle.used, host: undefined, isOfSeveral: true };
    return { host: last.host, used: last.used, ended: allOf(calls.map(({ ended }) => ended)) };
  }

  #startIdle(): CallInFlight {
    const never = new LateSignal();
    return {
      host: this.#ownHost,
      get ended() {
        return never.signal;
      },
      used: nothing(),
    };
  }
}

/** A signal that is made when somebody asks for it. Most calls are not asked anything. */
class LateSignal {
  #controller: AbortController | undefined;
  #hasFired = false;

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#hasFired) this.fire();
    return this.#controller.signal;
  }

  fire(): void {
    this.#hasFired = true;
    this.#controller?.abort(new DOMException('The call has ended.', 'AbortError'));
  }
}

function nothing(): Used {
  return { requests: 0, samplings: 0, samplingTokens: 0, warnings: 0, logs: 0 };
}

function ownerOf({ host }: CallInFlight): object | undefined {
  return host?.owner ?? host;
}

/** Fires when all of the signals have fired. */
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
