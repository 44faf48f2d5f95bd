import type { AgentEvent } from '../events/index.ts';
import { joined } from './turn-events.ts';

/** Captured, so that mocked timers do not stop a turn. */
const soon: (run: () => void) => unknown = globalThis.setImmediate ?? globalThis.setTimeout;

/**
 * Reads a turn to its end, whatever the speed of its reader. The order of the events is the order in
 * which things happened. Events that nobody has read are kept; pieces of one text are joined.
 * `stop` cancels the turn when the reader leaves early; it then waits for the end.
 */
export function pumped<EVENT extends AgentEvent>(
  turn: AsyncGenerator<EVENT>,
  stop: () => void,
): AsyncIterator<EVENT> {
  const unread: EVENT[] = [];
  let failure: { readonly error: unknown } | undefined;
  let isOver = false;
  let isLeft = false;
  let wake: () => void = () => {};
  let asked: () => void = () => {};
  let running: Promise<void> | undefined;
  const pump = async (): Promise<void> => {
    try {
      for await (const event of turn) {
        if (isLeft) continue;
        const last = unread.at(-1);
        const both = last && joined(last, event);
        if (both) unread[unread.length - 1] = { ...last, ...both };
        else unread.push(event);
        // A reader that keeps up can act on an event before the next one is read.
        const next = new Promise<void>((resolve) => {
          asked = resolve;
        });
        wake();
        await Promise.race([next, new Promise<void>((resolve) => soon(resolve))]);
      }
    } catch (error) {
      failure = { error };
    }
    isOver = true;
    wake();
  };
  return {
    async next() {
      asked();
      running ??= pump();
      while (unread.length === 0 && !isOver) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
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
      unread.length = 0;
      if (running) {
        stop();
        asked();
        await running;
      }
      return { done: true, value: undefined };
    },
  };
}
