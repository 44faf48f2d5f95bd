import type { JsonObject } from '../../tools/values/index.ts';
import type { Write } from '../entries/index.ts';
import type { AgentEvent } from '../events/index.ts';

/** Characters of a text that other processes are shown: the last ones. */
const MAX_DRAFT = 20_000;

/** What was emitted of an answer that has no entry yet. */
export class OpenText {
  /** How often its request was sent. */
  attempt = 0;
  text = '';
  reasoning = '';
  /** Names of calls, by id. A call is a draft until its entry. */
  readonly calls: Map<string, string> = new Map();

  /** A delta is emitted. */
  take(event: AgentEvent): void {
    if (event.type === 'text') this.text += event.text;
    if (event.type === 'reasoning') this.reasoning += event.text;
    if (event.type === 'call') this.calls.set(event.id, event.name);
  }

  /** What is open behind the entry `after`, for other processes. Undefined if there is nothing. */
  draft(after: number): JsonObject | undefined {
    const { text, reasoning } = this;
    if (text === '' && reasoning === '') return;
    return { after, text: text.slice(-MAX_DRAFT), reasoning: reasoning.slice(-MAX_DRAFT) };
  }

  /** Whether an entry is that of a call which was emitted as a draft. */
  isDraft([kind, body]: Write): boolean {
    return kind === 'call' && this.#written.delete(body.id);
  }

  /** The entry of the answer is written: calls that follow it have been emitted. */
  clear(): void {
    this.#written = new Set(this.calls.keys());
    this.text = '';
    this.reasoning = '';
    this.calls.clear();
  }

  #written = new Set<string>();

  /** Forgets what was emitted. Returns the event that withdraws it; undefined if there is nothing. */
  withdraw(): Extract<AgentEvent, { type: 'discarded' }> | undefined {
    const { text, reasoning } = this;
    const calls = [...this.calls].map(([id, name]) => ({ id, name }));
    this.text = '';
    this.reasoning = '';
    this.calls.clear();
    if (text === '' && reasoning === '' && calls.length === 0) return;
    return {
      type: 'discarded',
      ...(text === '' ? {} : { text }),
      ...(reasoning === '' ? {} : { reasoning }),
      ...(calls.length === 0 ? {} : { calls }),
    };
  }
}
