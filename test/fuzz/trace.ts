import type { AgentEvent } from '../../src/agent/index.ts';

/** What happened in a session, in short lines, for whoever has to find out why. */
export class Trace {
  readonly #lines: { readonly turn: number; readonly text: string }[] = [];
  #turn = 0;

  begin(turn: number, text: string): void {
    this.#turn = turn;
    this.add(text);
  }

  add(text: string, detail?: unknown): void {
    const shown = detail === undefined ? '' : ` ${short(detail)}`;
    this.#lines.push({ turn: this.#turn, text: `${text}${shown}` });
  }

  /** The agent's events, as short as they can be told. */
  events(events: readonly AgentEvent[]): void {
    const told = events
      .filter(({ type }) => type !== 'usage' && type !== 'start')
      .map((event) => {
        if (event.type === 'text') return JSON.stringify(event.text);
        if (event.type === 'end') return `end (${event.reason})`;
        return 'id' in event ? `${event.type} ${event.name} ${event.id}` : event.type;
      });
    if (told.length > 0) this.add(`told ${told.join(', ')}`);
  }

  /** The last turns, one line for each thing that happened. */
  last(turns: number): string {
    return this.#lines
      .filter(({ turn }) => turn > this.#turn - turns)
      .map(({ turn, text }) => `  ${turn}. ${text}`)
      .join('\n');
  }
}

/** A value as JSON where it has any, cut to a line. */
export function short(value: unknown, length = 400): string {
  let text: string;
  try {
    text = JSON.stringify(value) ?? String(value);
  } catch {
    text = String(value);
  }
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
