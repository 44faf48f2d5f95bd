import type { JsonObject } from '../../tools/values/index.ts';
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

  /** Forgets what was emitted. */
  clear(): void {
    this.text = '';
    this.reasoning = '';
    this.calls.clear();
  }

  /** Forgets what was emitted. Returns the event that withdraws it; undefined if there is nothing. */
  withdraw(): Extract<AgentEvent, { type: 'discarded' }> | undefined {
    const { text, reasoning } = this;
    const calls = [...this.calls].map(([id, name]) => ({ id, name }));
    this.clear();
    if (text === '' && reasoning === '' && calls.length === 0) return;
    return {
      type: 'discarded',
      ...(text === '' ? {} : { text }),
      ...(reasoning === '' ? {} : { reasoning }),
      ...(calls.length === 0 ? {} : { calls }),
    };
  }
}
