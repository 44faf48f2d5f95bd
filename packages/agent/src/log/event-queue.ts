import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { type AgentEvent, endCodeOf } from '../events/index.ts';
import type { StampedEvent } from '../options/index.ts';
import type { Log } from './log.ts';

/** Captured, so that mocked timers do not stop a turn. */
const soon: (run: () => void) => unknown = globalThis.setImmediate ?? globalThis.setTimeout;

/** A turn that has not begun. */
interface UnreadTurn {
  readonly log: Log;
  /** Resolves when nothing of the turn runs any more. */
  readonly run: () => Promise<void>;
  /** Cancels the turn. */
  readonly stop: () => void;
}

/**
 * The events of a turn, in the order in which things happened. The turn starts when they are first read, and is run
 * to its end whatever the speed of its reader. Events that nobody has read are kept; pieces of one text are joined.
 * A second reading throws `invalid-option`, because it would start another turn. `stop` cancels the turn when the
 * reader leaves early; it then waits for the end.
 */
export function eventsOfTurn(turn: UnreadTurn): AsyncIterable<StampedEvent> {
  let isRead = false;
  return {
    [Symbol.asyncIterator]() {
      if (isRead) {
        throw new ToolfoldError(
          'invalid-option',
          'The events of this turn have already been read.',
          'Store the events that you need, or start another turn.',
        );
      }
      isRead = true;
      return iterate(turn);
    },
  };
}

function iterate({ log, run, stop }: UnreadTurn): AsyncIterator<StampedEvent> {
  const unread = new UnreadEvents<StampedEvent>();
  let failure: { readonly error: unknown } | undefined;
  let isOver = false;
  let isLeft = false;
  let woken = Promise.withResolvers<void>();
  let asked = Promise.withResolvers<void>();
  let running: Promise<void> | undefined;
  const push = async (event: StampedEvent): Promise<void> => {
    if (isLeft) return;
    unread.push(event);
    woken.resolve();
    // A reader that keeps up can act on an event before the turn goes on.
    await Promise.race([asked.promise, new Promise<void>((resolve) => soon(resolve))]);
  };
  const start = async (): Promise<void> => {
    let last: StampedEvent | undefined;
    const unsubscribe = log.subscribe(async (event) => {
      if (event.type === 'end') last = event;
      else await push(event);
    });
    try {
      await run();
      if (last && !isLeft) unread.push(withFailure(last, log));
    } catch (error) {
      failure = { error };
    }
    unsubscribe();
    isOver = true;
    woken.resolve();
  };
  return {
    async next() {
      asked.resolve();
      asked = Promise.withResolvers();
      running ??= start();
      while (unread.isEmpty && !isOver) {
        woken = Promise.withResolvers();
        await woken.promise;
      }
      const event = unread.shift();
      if (event) return { done: false, value: event };
      if (failure && !isLeft) {
        const { error } = failure;
        failure = undefined;
        throw error;
      }
      return { done: true, value: undefined };
    },
    async return() {
      isLeft = true;
      unread.clear();
      if (running) {
        stop();
        asked.resolve();
        await running;
      }
      return { done: true, value: undefined };
    },
  };
}

/** A turn whose entries could not be written ends with the reason. */
function withFailure(end: StampedEvent, { failure }: Log): StampedEvent {
  if (!failure || end.type !== 'end') return end;
  const { error } = failure;
  return { ...end, reason: 'error', error: error as Error, code: endCodeOf(error) };
}

/** Events that nobody has read. Pieces of one text are joined, also those of subagents that work side by side. */
export class UnreadEvents<EVENT extends AgentEvent> {
  #events: EVENT[] = [];
  /** Where the latest unread event of each child stands, counted from the first event ever. */
  readonly #latest = new Map<string, number>();
  #read = 0;

  get isEmpty(): boolean {
    return this.#events.length === 0;
  }

  push(event: EVENT): void {
    const child = childOf(event);
    const latest = child === undefined ? undefined : (this.#latest.get(child) ?? -1) - this.#read;
    const at = latest ?? this.#events.length - 1;
    const last = this.#events[at];
    const both = last && joined(last, event);
    if (last && both) this.#events[at] = { ...last, ...both };
    else {
      this.#events.push(event);
      if (child !== undefined) this.#latest.set(child, this.#read + this.#events.length - 1);
    }
  }

  shift(): EVENT | undefined {
    const event = this.#events.shift();
    if (event) this.#read++;
    return event;
  }

  clear(): void {
    this.#events = [];
  }
}

/** The innermost child of an event. */
function childOf(event: AgentEvent): string | undefined {
  if (event.type !== 'subagent') return;
  return childOf(event.event) ?? event.child;
}

/** Two events as one: pieces of one text, or the last progress of a call. Undefined if both must stay. */
function joined(last: AgentEvent, next: AgentEvent): AgentEvent | undefined {
  if (last.type === 'subagent' && next.type === 'subagent') {
    if (last.child !== next.child) return;
    const event = joined(last.event, next.event);
    return event && { ...last, event };
  }
  if (last.type === 'tool-progress' && next.type === 'tool-progress') {
    return last.id === next.id ? next : undefined;
  }
  if (last.type === 'call-delta' && next.type === 'call-delta') {
    return last.id === next.id ? { ...next, text: last.text + next.text } : undefined;
  }
  if (last.type !== 'text' && last.type !== 'reasoning') return;
  return next.type === last.type ? { type: last.type, text: last.text + next.text } : undefined;
}
