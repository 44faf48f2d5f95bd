import type { AgentEvent } from '@toolfold/agent/internal/agent';
import { ThoughtReader } from '@toolfold/agent/internal/agent/entries';
import { PieceRedactor } from '@toolfold/mcp/internal/mcp/secrets';

/** What shows that a text has ended. Other events, such as a usage, may stand between two pieces of one text. */
const ENDING: ReadonlySet<AgentEvent['type']> = new Set([
  ...(['user', 'request', 'reasoning', 'call-delta', 'call', 'discarded', 'end'] as const),
]);

/**
 * Removes secrets from the answers of a turn, also where they come in several pieces. Thoughts between tags become
 * `reasoning` events.
 */
export class ShownTexts<EVENT extends AgentEvent> {
  readonly #secrets: PieceRedactor;
  readonly #thoughts = new ThoughtReader();
  #last: EVENT | undefined;

  /** `secrets`: the texts to hide, as `secretTexts` returns them. */
  constructor(secrets: () => readonly string[] = () => []) {
    this.#secrets = new PieceRedactor(secrets);
  }

  /** The events to show for an event, in order. */
  of(event: EVENT): readonly EVENT[] {
    if (event.type === 'text') {
      this.#last = event;
      return this.#said(this.#thoughts.take(this.#secrets.take(event.text)));
    }
    if (!ENDING.has(event.type)) return [event];
    const rest = this.#thoughts.take(this.#secrets.end());
    return [...this.#said([...rest, ...this.#thoughts.end()]), event];
  }

  /** The events to show for all of a turn, or of several. */
  *all(events: Iterable<EVENT>): Iterable<EVENT> {
    for (const event of events) yield* this.of(event);
  }

  #said(parts: ReturnType<ThoughtReader['take']>): readonly EVENT[] {
    return parts.flatMap(({ kind, text }) =>
      kind === 'mark' ? [] : [{ ...this.#last, type: kind, text } as EVENT],
    );
  }
}
