import { ownProperty, pick } from '@toolfold/core/internal/tools/values';
import { type Kinds, messageText, type Write } from '../entries/index.ts';
import type { AgentEvent } from '../events/index.ts';
import { askedEvent, type ConversationState } from '../state/index.ts';

/**
 * The events of an entry, except for the text of an answer. `before`: the state before it. The calls of an answer are
 * emitted while it arrives.
 * An event with `end` or `request` stays as it was given.
 */
export function eventsOfEntry(
  [kind, body]: Write,
  before: Pick<ConversationState, 'interrupted' | 'runs' | 'answered'>,
): readonly AgentEvent[] {
  switch (kind) {
    case 'turn': {
      const { interrupted: text = '' } = before;
      return body.how === 'resume' && text !== '' ? [{ type: 'discarded', text }] : [];
    }
    case 'user':
      return [{ type: 'user', text: messageText(body.message) }];
    case 'call':
      return [{ type: 'call', ...body }];
    case 'approval':
      return [askedEvent(body)];
    case 'answer':
      return [{ type: 'decision', ...pick(body, ...DECISION) }];
    case 'start':
      return [{ type: 'tool-start', ...body }];
    case 'result': {
      const { answer, id } = body;
      const isKnown = before.runs.get(id)?.outcome !== undefined;
      const isLate = answer !== undefined && (isKnown || answer !== before.answered?.seq);
      return isLate ? [] : outcomeOf(body);
    }
    case 'interrupted':
      return body.withdrawn ? [{ type: 'discarded', ...body.withdrawn }] : [];
    case 'compaction': {
      const { messages: _, ...compaction } = body;
      return [{ type: 'compaction', ...compaction }];
    }
    case 'event':
      return [body.event];
    default:
      return [];
  }
}

/** What an event says of the user's answer. */
const DECISION = ['id', 'name', 'approved', 'reason', 'approvalId', 'scope', 'source'] as const;

/** What happened to a call, as its entry says. Bridge tools are not shown, but what they have loaded. */
function outcomeOf(result: Kinds['result']): readonly AgentEvent[] {
  const { id, name, output, error, isBridge } = result;
  if (isBridge) return error === undefined ? loadsIn(output) : [];
  if (error === undefined)
    return [{ type: 'result', id, name, output, ...pick(result, 'duration') }];
  return [{ type: 'failure', id, name, error, ...pick(result, 'duration', 'isUnknown') }];
}

function loadsIn(output: unknown): readonly AgentEvent[] {
  const group = ownProperty(output, 'group_id');
  const tools = ownProperty(output, 'tool_names');
  const isLoad = ownProperty(output, 'expanded') === true && Array.isArray(tools);
  if (!isLoad || typeof group !== 'string') return [];
  return [{ type: 'load', group, tools: tools.map(String) }];
}
