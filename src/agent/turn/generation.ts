import type { TextStreamPart, ToolSet } from 'ai';
import type { AgentEvent, PendingApproval } from '../events/index.ts';
import type { StreamEvents } from './stream-events.ts';
import type { Turn } from './turn.ts';

type Part = TextStreamPart<ToolSet>;

type Failure = Extract<AgentEvent, { type: 'failure' }>;

export interface GenerationOptions {
  readonly turn: Turn;
  readonly streamEvents: StreamEvents;
}

/** Reads one generation of the SDK part by part, and merges in the turn's own events. */
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

  /** Emits the turn's events without waiting for the next part, because a tool may run for long. */
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

  /** Reads the rest of an aborted stream and passes its events to `onEvent`. Never rejects. */
  async drain(onEvent: (event: AgentEvent) => void): Promise<void> {
    while (!this.#isOver) {
      // The turn has ended already, so this failure is not reported.
      await this.#pull().catch(() => {
        this.#isOver = true;
      });
      if (!this.#settled || this.#isOver) continue;
      for (const event of this.#due()) onEvent(event);
      for (const event of this.#settle(this.#settled)) onEvent(event);
    }
  }

  /** For an interrupted turn: emits what is kept but was not emitted, then withdraws what is not kept. */
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

  /** Emits the failure of a call of the last step that can no longer run. */
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
    const { turn, streamEvents } = this.#options;
    const withdrawn = turn.read(part);
    if (part.type === 'error') this.failure = { error: part.error };
    if (part.type === 'abort') this.isAborted = true;
    return this.#emitted([...streamEvents.of(part), ...withdrawn]);
  }

  #emitted(events: readonly AgentEvent[]): AgentEvent[] {
    for (const event of events) {
      this.#options.turn.record(event);
      if (event.type === 'approval') this.asked.push(event);
    }
    return [...events];
  }
}
