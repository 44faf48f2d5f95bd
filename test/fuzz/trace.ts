import type { AgentEvent } from '../../packages/agent/src/index.ts';

/** What happened in a session, in short lines, to find the cause of a failure. */
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

  /** Adds the events of the agent, in one line. */
  events(events: readonly AgentEvent[]): void {
    const shown = events
      .filter(({ type }) => type !== 'usage' && type !== 'start')
      .map((event) => {
        if (event.type === 'text') return JSON.stringify(event.text);
        if (event.type === 'end') return `end (${event.reason})`;
        return 'id' in event ? `${event.type} ${event.name} ${event.id}` : event.type;
      });
    if (shown.length > 0) this.add(`emitted ${shown.join(', ')}`);
  }

  /** The last turns, one line for each thing that happened. */
  last(turns: number): string {
    return this.#lines
      .filter(({ turn }) => turn > this.#turn - turns)
      .map(({ turn, text }) => `  ${turn}. ${text}`)
      .join('\n');
  }
}

/** A value as JSON, or else as text, cut to one line. */
export function short(value: unknown, length = 400): string {
  let text: string;
  try {
    text = JSON.stringify(value) ?? String(value);
  } catch {
    text = String(value);
  }
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
