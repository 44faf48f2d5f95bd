import type { AgentEvent } from '../events/index.ts';

/** Events that follow from other entries, or that are shown only while they happen. */
const UNWRITTEN: ReadonlySet<AgentEvent['type']> = new Set([
  'user',
  'text',
  'reasoning',
  'call-delta',
  'approval',
  'compaction',
  'tool-start',
  'tool-progress',
  'tool-log',
]);

/** Whether an event may be an entry of its own. */
export function isWritten(event: AgentEvent): boolean {
  if (event.type === 'subagent') return ofUsage(event);
  return !UNWRITTEN.has(event.type);
}

/** Subagents keep their own events. Their usage is written here too, because the parent pays for it. */
function ofUsage(event: AgentEvent): boolean {
  return event.type === 'subagent' ? ofUsage(event.event) : event.type === 'usage';
}
