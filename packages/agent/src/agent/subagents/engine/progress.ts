import { truncate } from '@toolfold/core/internal/tools/values';
import { type AgentEvent, plainFailure } from '../../events/index.ts';

/** Maximum characters of one text or output in a progress event. The child itself sees all of it. */
const MAX_OUTPUT = 10_000;

/** Fields of events that may be long. */
const LONG: Readonly<Partial<Record<AgentEvent['type'], readonly string[]>>> = {
  user: ['text'],
  call: ['raw', 'arguments'],
  approval: ['arguments'],
  result: ['output'],
  failure: ['error'],
  discarded: ['text', 'reasoning'],
  end: ['text'],
};

/** The event as bounded plain data: errors as name and message, long outputs as the beginning of their text. */
export function plainEvent(event: AgentEvent): AgentEvent {
  if (event.type === 'subagent') return { ...event, event: plainEvent(event.event) };
  const bounded: Record<string, unknown> = { ...event };
  for (const name of LONG[event.type] ?? [])
    if (Object.hasOwn(bounded, name)) bounded[name] = plain(bounded[name]);
  if (event.type === 'end' && event.error) bounded.error = plainFailure(event.error);
  return bounded as unknown as AgentEvent;
}

/** The value as plain data. A long text becomes its beginning, and another long value that of its JSON. */
export function plain(value: unknown): unknown {
  if (typeof value === 'string') return truncate(value, MAX_OUTPUT);
  let json: string | undefined;
  try {
    json = JSON.stringify(value);
  } catch {
    json = JSON.stringify(String(value));
  }
  if (json === undefined) return null;
  return json.length > MAX_OUTPUT ? `${json.slice(0, MAX_OUTPUT)} …` : JSON.parse(json);
}
