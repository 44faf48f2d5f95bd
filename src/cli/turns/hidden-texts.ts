import type { AgentEvent } from '../../agent/index.ts';
import { PieceRedactor } from '../../mcp/secrets/index.ts';

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
    const rest = this.#text.end();
    return rest === '' ? [event] : [{ type: 'text', text: rest }, event];
  }
}
