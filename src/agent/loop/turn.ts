import type { ToolSet } from 'ai';
import type { RequestEvent, SchemaSource } from '../../ai-sdk/index.ts';
import type { CallObserver } from '../../host/index.ts';
import type { OpenAnswer } from '../state/index.ts';

/** What a running turn knows beside the log. */
export class Turn {
  /** Tool rounds at the last request, set once they are used up. */
  rounds = 0;
  /** Tool rounds of this turn that a compaction has removed from the messages. */
  cutRounds = 0;
  /** Set where the generation stopped because its next request would not fit into the context window. */
  isFull = false;
  /** Tools of the current generation. */
  tools: ToolSet = {};
  /** The number of the last request; undefined if the request of this step was not sent, or has no number. */
  sent: number | undefined;
  /** Whether the request of this step was sent. */
  isSent = false;
  /** Whether the answer to the request is complete. */
  isAnswered = false;
  /** Whether a tool has run or may have run since the last request. */
  hasRun = false;
  /** An answer of an earlier process that was not read yet. */
  replay: OpenAnswer | undefined;
  /** Whether the SDK has read it, and its next request is not prepared yet. */
  isReplayed = false;
  /** Promises of running tools, with the tool's name. */
  readonly running: Map<Promise<void>, string> = new Map();
  /** Fires when the turn is cancelled. */
  readonly signal: AbortSignal;
  /** Set when the turn has ended. No tool starts any more. */
  isOver = false;
  #schemaOf: RequestEvent['schemaOf'] | undefined;
  /** Functions that end the run of a call, by call id. */
  readonly #ends = new Map<string, () => void>();

  /** `replay`: the answer of an earlier process, which stands in place of the first request. */
  constructor(signal: AbortSignal, replay?: OpenAnswer) {
    this.signal = signal;
    this.replay = replay;
  }

  /** The next request is prepared. */
  ask(): void {
    this.sent = undefined;
    this.isSent = false;
    this.isAnswered = false;
    this.hasRun = false;
    this.isReplayed = false;
  }

  /** Takes the answer of an earlier process, which the SDK reads now. */
  takeReplay(): OpenAnswer | undefined {
    const { replay } = this;
    this.replay = undefined;
    this.isReplayed = replay !== undefined;
    return replay;
  }

  /** A request is announced. `number`: of the request. */
  request({ schemaOf }: RequestEvent, number: number): void {
    this.#schemaOf = schemaOf;
    this.sent = number;
  }

  /** How the model got the schema of a tool, as of the last request. */
  schemaOf(name: string): SchemaSource | undefined {
    return this.#schemaOf?.(name);
  }

  /** The SDK is about to run a call. */
  enter({ toolCallId: id, toolName }: { toolCallId: string; toolName: string }): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ends.get(id)?.();
    this.running.set(promise, toolName);
    this.#ends.set(id, () => this.running.delete(promise) && resolve());
  }

  /** The call has a result or an error. */
  leave(id: string): void {
    this.hasRun = true;
    this.#ends.get(id)?.();
  }

  /** After the turn was interrupted, no run begins. */
  readonly observer: CallObserver = {
    started: () => {
      if (this.isOver || this.signal.aborted)
        throw new Error('The call was not run: the turn was cancelled first.');
      this.hasRun = true;
    },
  };
}
