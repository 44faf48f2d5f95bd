import { truncate } from '../../../tools/values/index.ts';
import type { AgentEvent } from '../../events/index.ts';

/** Maximum characters of one text or output in a progress event. The child itself sees all of it. */
const MAX_OUTPUT = 10_000;

/** The event as bounded plain data: errors as name and message, long outputs as the beginning of their text. */
export function plainEvent(event: AgentEvent): AgentEvent {
  switch (event.type) {
    case 'end': {
      const { error, text, ...others } = event;
      const rest = { ...others, text: truncate(text, MAX_OUTPUT) };
      if (error === undefined) return rest;
      // In a journal an error is plain data.
      const { name, message } = error;
      return { ...rest, error: { name, message } };
    }
    case 'result':
      return { ...event, output: plain(event.output) };
    case 'discarded': {
      const { text, reasoning, ...others } = event;
      return {
        ...others,
        ...(text === undefined ? {} : { text: truncate(text, MAX_OUTPUT) }),
        ...(reasoning === undefined ? {} : { reasoning: truncate(reasoning, MAX_OUTPUT) }),
      };
    }
    case 'user':
      return { ...event, text: truncate(event.text, MAX_OUTPUT) };
    case 'failure':
      return { ...event, error: truncate(event.error, MAX_OUTPUT) };
    case 'call': {
      const { raw, ...others } = event;
      const cutRaw = raw === undefined ? {} : { raw: truncate(raw, MAX_OUTPUT) };
      return { ...others, arguments: plain(event.arguments), ...cutRaw };
    }
    case 'approval':
      return { ...event, arguments: plain(event.arguments) };
    case 'subagent':
      return { ...event, event: plainEvent(event.event) };
    default:
      return event;
  }
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
