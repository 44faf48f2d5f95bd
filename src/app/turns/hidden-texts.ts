import type { AgentEvent } from '../../agent/index.ts';
import { PieceRedactor } from '../../mcp/secrets/index.ts';

/** What shows that a text has ended. Other events, such as a usage, may stand between two pieces of one text. */
const ENDING: ReadonlySet<AgentEvent['type']> = new Set([
  ...(['user', 'request', 'reasoning', 'call-delta', 'call', 'discarded', 'end'] as const),
]);

/** Removes secrets from the answers of a turn, also where they come in several pieces. */
export class HiddenTexts {
  readonly #text: PieceRedactor;

  /** `secrets`: the texts to hide, as `secretTexts` returns them. */
  constructor(secrets: () => readonly string[]) {
    this.#text = new PieceRedactor(secrets);
  }

  /** The events to show for an event, in order. */
  of<EVENT extends AgentEvent>(event: EVENT): readonly (EVENT | AgentEvent)[] {
    if (event.type === 'text') {
      const text = this.#text.take(event.text);
      return text === '' ? [] : [{ ...event, text }];
    }
    if (!ENDING.has(event.type)) return [event];
    const rest = this.#text.end();
    return rest === '' ? [event] : [{ type: 'text', text: rest }, event];
  }
}
