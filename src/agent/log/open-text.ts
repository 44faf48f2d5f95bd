import type { Entry, SessionStore } from '../../sessions/index.ts';
import type { JsonObject } from '../../tools/values/index.ts';
import { type Kinds, textIn } from '../entries/index.ts';
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
    const withdrawn = withdrawalOf(this);
    this.clear();
    return withdrawn && { type: 'discarded', ...withdrawn };
  }
}

/** What is withdrawn, with the names of calls by id. Undefined if there is nothing. */
export function withdrawalOf({
  text,
  reasoning,
  calls,
}: {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: ReadonlyMap<string, string>;
}): Kinds['interrupted']['withdrawn'] {
  if (text === '' && reasoning === '' && calls.size === 0) return;
  return {
    ...(text === '' ? {} : { text }),
    ...(reasoning === '' ? {} : { reasoning }),
    ...(calls.size === 0 ? {} : { calls: [...calls].map(([id, name]) => ({ id, name })) }),
  };
}

/** Kinds of entries behind which the text before them is not open any more. */
const CLOSING: ReadonlySet<string> = new Set(['turn', 'model', 'interrupted']);

/**
 * The answer that another process receives now, as events behind those of the entries of its session. Reasoning and
 * text are joined, and of a long one only its end is there. The process notices within half a second that somebody
 * watches; ask again every second or so, and use what comes in place of what came before.
 */
export async function openEvents(
  store: SessionStore,
  id: string,
  entries: readonly Entry[],
): Promise<readonly AgentEvent[]> {
  const draft = await store.watch(id);
  if (!draft) return [];
  const { after } = draft;
  // An entry that was read meanwhile may hold it.
  const isOver = entries.some(({ seq, kind }) => CLOSING.has(kind) && seq > Number(after));
  if (isOver || typeof after !== 'number') return [];
  return (['reasoning', 'text'] as const).flatMap((type): readonly AgentEvent[] => {
    const text = textIn(draft, type) ?? '';
    return text === '' ? [] : [{ type, text }];
  });
}
