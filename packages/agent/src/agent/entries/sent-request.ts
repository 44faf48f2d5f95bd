import { sameStart } from '@toolfold/core/internal/tools/values';
import type { AgentEvent, SentRequest } from '../events/index.ts';
import type { Kinds, Write } from './kinds.ts';

type RequestEvent = Extract<AgentEvent, { type: 'request' }>;
type Segments = SentRequest['segments'];

/** The entry of a request, and the texts of the segments that the request `before` does not have. */
export function packed(
  event: RequestEvent,
  before: Segments = [],
): { readonly write: Write; readonly texts: ReadonlyMap<string, string> } {
  const { type: _, segments, ...rest } = event;
  const { texts } = event;
  let keep = sameStart(segments, before);
  while (keep < segments.length && isSame(segments[keep], before[keep])) keep++;
  const add = segments.slice(keep);
  return { write: ['request', { event: rest, keep, add }], texts: texts?.(add) ?? new Map() };
}

/** The event of an entry, and its segments. */
export function unpacked({ event, keep, add }: Kinds['request'], before: Segments): RequestEvent {
  return { type: 'request', ...event, segments: [...before.slice(0, keep), ...add] };
}

function isSame(one: Segments[number] | undefined, other: Segments[number] | undefined): boolean {
  if (one === other) return true;
  const keys = ['hash', 'kind', 'label', 'tokens'] as const;
  return keys.every((key) => one?.[key] === other?.[key]);
}
