import type { TextStreamPart, ToolSet } from 'ai';
import type { AgentEvent, PendingApproval } from '../events/index.ts';
import type { StreamEvents } from './stream-events.ts';
import type { Turn } from './turn.ts';

type Part = TextStreamPart<ToolSet>;

type Failure = Extract<AgentEvent, { type: 'failure' }>;

export interface GenerationOptions {
  readonly turn: Turn;
  readonly told: StreamEvents;
}

/** One generation of the SDK's, read part by part beside what the turn is told from elsewhere. */
export class Generation {
  readonly asked: PendingApproval[] = [];
  failure: { readonly error: unknown } | undefined;
  isAborted = false;
  readonly #options: GenerationOptions;
  readonly #parts: AsyncIterator<Part>;
  #pending: Promise<IteratorResult<Part>> | undefined;
  #settled: (() => IteratorResult<Part>) | undefined;
  #isOver = false;

  constructor(stream: AsyncIterable<Part>, options: GenerationOptions) {
    this.#parts = stream[Symbol.asyncIterator]();
    this.#options = options;
  }

  /** Events do not wait for the next part: a tool may run for long, and tell what it does. */
  async *read(): AsyncGenerator<AgentEvent> {
    const { events } = this.#options.turn;
    while (!this.#isOver) {
      this.#pull();
      yield* this.#due();
      const settled = this.#settled;
      if (!settled) {
        await events.change();
        continue;
      }
      yield* this.#settle(settled);
    }
    yield* events.rest();
  }

  /** Of a stream that was aborted: takes in what nobody has read; `tell` is told of it. */
  async drain(tell: (event: AgentEvent) => void): Promise<void> {
    while (!this.#isOver) {
      // How it failed no longer matters.
      await this.#pull().catch(() => {
        this.#isOver = true;
      });
      if (!this.#settled || this.#isOver) continue;
      for (const event of this.#due()) tell(event);
      for (const event of this.#settle(this.#settled)) tell(event);
    }
  }

  /** Of a turn that broke off: what was not told of what is kept, then what was told of what is not. */
  *rest(): Iterable<AgentEvent> {
    const { turn } = this.#options;
    for (const step of turn.unreadSteps()) {
      yield* this.#due();
      for (const one of step.unread()) {
        if (one.type === 'discarded') yield* this.#emitted([one]);
        else {
          yield* this.#read(one as Part);
          yield* this.#due();
        }
      }
    }
    yield* turn.events.rest();
    const discarded = turn.discarded();
    if (discarded) yield* this.#emitted([discarded]);
  }

  /** A call of the last step that cannot run any more. */
  fail({ id: toolCallId, name: toolName, error }: Failure): readonly AgentEvent[] {
    return this.#read({ type: 'tool-error', toolCallId, toolName, input: {}, error });
  }

  *#due(): Iterable<AgentEvent> {
    const { events } = this.#options.turn;
    for (let event = events.shift(); event; event = events.shift()) yield event;
  }

  #pull(): Promise<IteratorResult<Part>> {
    if (this.#pending) return this.#pending;
    const { events } = this.#options.turn;
    const settle = (settled: () => IteratorResult<Part>) => {
      this.#settled = settled;
      events.wake();
    };
    this.#pending = this.#parts.next();
    this.#pending.then(
      (result) => settle(() => result),
      (error) =>
        settle(() => {
          throw error;
        }),
    );
    return this.#pending;
  }

  #settle(settled: () => IteratorResult<Part>): AgentEvent[] {
    this.#pending = undefined;
    this.#settled = undefined;
    const result = settled();
    this.#isOver = result.done === true;
    return result.done ? [] : this.#read(result.value);
  }

  #read(part: Part): AgentEvent[] {
    const { turn, told } = this.#options;
    const withdrawn = turn.read(part);
    if (part.type === 'error') this.failure = { error: part.error };
    if (part.type === 'abort') this.isAborted = true;
    return this.#emitted([...told.of(part), ...withdrawn]);
  }

  #emitted(events: readonly AgentEvent[]): AgentEvent[] {
    for (const event of events) {
      this.#options.turn.tell(event);
      if (event.type === 'approval') this.asked.push(event);
    }
    return [...events];
  }
}
