import { truncate } from '../../../tools/values/index.ts';
import { type AgentEvent, plainFailure } from '../../events/index.ts';

/** Maximum characters of one text or output in a progress event. The child itself sees all of it. */
const MAX_OUTPUT = 10_000;

/** Fields of events that may be long texts. */
const TEXTS: Readonly<Partial<Record<AgentEvent['type'], readonly string[]>>> = {
  user: ['text'],
  call: ['raw'],
  failure: ['error'],
  discarded: ['text', 'reasoning'],
  end: ['text'],
};

/** Fields of events that may be long values. */
const VALUES: typeof TEXTS = { call: ['arguments'], approval: ['arguments'], result: ['output'] };

/** The event as bounded plain data: errors as name and message, long outputs as the beginning of their text. */
export function plainEvent(event: AgentEvent): AgentEvent {
  if (event.type === 'subagent') return { ...event, event: plainEvent(event.event) };
  const bounded: Record<string, unknown> = { ...event };
  for (const name of TEXTS[event.type] ?? [])
    if (typeof bounded[name] === 'string') bounded[name] = truncate(bounded[name], MAX_OUTPUT);
  for (const name of VALUES[event.type] ?? []) bounded[name] = plain(bounded[name]);
  if (event.type === 'end' && event.error) {
    // In a journal an error is plain data.
    bounded.error = plainFailure(event.error);
  }
  return bounded as unknown as AgentEvent;
}

/** The value as plain data. A long value becomes the beginning of its JSON. */
export function plain(value: unknown): unknown {
  let json: string | undefined;
  try {
    json = JSON.stringify(value);
  } catch {
    json = JSON.stringify(String(value));
  }
  if (json === undefined) return null;
  return json.length > MAX_OUTPUT ? `${json.slice(0, MAX_OUTPUT)} …` : JSON.parse(json);
}
