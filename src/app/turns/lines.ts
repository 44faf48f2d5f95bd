import { APICallError, RetryError } from 'ai';
import { publicUrl } from '../../agent/events/index.ts';
import type { AgentEvent, EndReason, Spending } from '../../agent/index.ts';
import { SUBAGENTS } from '../../agent/subagents/engine/index.ts';
import { errorMessage } from '../../errors.ts';
import { ownProperty, parsedJson } from '../../tools/values/index.ts';
import { isSevere } from '../agents/index.ts';
import { callLine, formatCount, formatNumber, oneLine } from '../terminal/index.ts';

/** Most characters of one line on stderr. */
const MAX_LINE = 300;

/**
 * The lines on stderr for an event, bounded and without control characters. Most events have none.
 */
export function eventLines(event: AgentEvent): readonly string[] {
  return linesOf(event, '').map((line) => oneLine(line, MAX_LINE));
}

/** `path` holds the task ids of the parents, each followed by a slash. */
function linesOf(event: AgentEvent, path: string): readonly string[] {
  if (event.type === 'subagent') return linesOf(event.event, `${path}${event.task}/`);
  if (event.type === 'subagent-end') return [`[${path}${event.task}] ${subagentEnd(event)}`];
  const who = path === '' ? '' : `[${path.slice(0, -1)}] `;
  const tasks = tasksOf(event);
  if (tasks) {
    const call = `${who}Call: ${SUBAGENTS}: ${formatCount(tasks.length, 'task')}`;
    return [call, ...tasks.map(({ id, task }) => `[${path}${id}] Task: ${task}`)];
  }
  const line = workLine(event) ?? (path === '' ? turnLine(event) : undefined);
  const address = path === '' && event.type === 'end' ? addressLine(event.error) : [];
  return line === undefined ? [] : [`${who}${line}`, ...address];
}

/** Lines of events that are written for the main agent's turn only. */
function turnLine(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'start': {
      const role = event.role === undefined ? '' : `, role ${event.role}`;
      return `${event.model}${role}, strategy ${event.strategy}: ${event.reason}`;
    }
    case 'rounds':
      return `No rounds of tools are left: the limit is ${formatNumber(event.limit)} (--max-rounds, or maxRounds in the configuration).`;
    case 'end':
      return endLineOf(event);
    default:
      return;
  }
}

/** Lines of events that are written for the main agent and for subagents. */
function workLine(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'preload':
      return `Preloaded: ${event.tools.join(', ')}`;
    case 'load':
      return `Loaded from ${event.group}: ${event.tools.join(', ')}`;
    case 'call':
      // Only the whole line is cut. A second cut would add a second count of missing characters.
      return `Call: ${callLine(event.name, event.arguments, Number.POSITIVE_INFINITY)}`;
    case 'failure':
      return `Failed: ${event.name}: ${plainReason(event.error)}`;
    case 'discarded':
      return discardedLine(event);
    case 'tool-log':
      return isSevere(event.level) ? `${event.server}: ${event.text}` : undefined;
    case 'compaction':
      return `Compacted: about ${formatCount(event.before, 'token')} of messages became ${formatNumber(event.after)}`;
    case 'warning':
      return `Warning: ${event.text}`;
    default:
      return;
  }
}

/** The line about the progress of a tool, such as `files__copy: 2 of 5, copying`. */
export function progressLine(event: AgentEvent, path = ''): string | undefined {
  if (event.type === 'subagent') return progressLine(event.event, `${path}${event.task}/`);
  if (event.type !== 'tool-progress') return;
  const { name, progress, total, message } = event;
  const who = path === '' ? '' : `[${path.slice(0, -1)}] `;
  const done =
    total === undefined
      ? formatNumber(progress)
      : `${formatNumber(progress)} of ${formatNumber(total)}`;
  return oneLine(`${who}${name}: ${done}${message === undefined ? '' : `, ${message}`}`, MAX_LINE);
}

/** What is removed from the conversation because the answer was interrupted. */
function discardedLine({
  text = '',
  reasoning = '',
  calls = [],
}: Extract<AgentEvent, { type: 'discarded' }>): string {
  const sizeOf = (what: string, kind: string) =>
    what === '' ? [] : [`${formatCount(what.length, 'character')} of ${kind}`];
  const names = calls.map(({ name }) => name).join(', ');
  const callsPart =
    calls.length === 0 ? [] : [`${formatCount(calls.length, 'call')} that did not run (${names})`];
  return `Discarded, because the answer was interrupted: ${[...sizeOf(text, 'text'), ...sizeOf(reasoning, 'reasoning'), ...callsPart].join(', ')}`;
}

interface Task {
  readonly id: string;
  readonly task: string;
}

/** The tasks that a call gives to subagents. Undefined for other calls and for malformed tasks. */
function tasksOf(event: AgentEvent): readonly Task[] | undefined {
  if (event.type !== 'call' || event.name !== SUBAGENTS) return;
  const tasks: unknown = ownProperty(event.arguments, 'tasks');
  return Array.isArray(tasks) && tasks.every(isTask) ? tasks : undefined;
}

function isTask(value: unknown): value is Task {
  return (
    typeof ownProperty(value, 'id') === 'string' && typeof ownProperty(value, 'task') === 'string'
  );
}

/**
 * The `message` of an error that Toolfold returned to the model as JSON. Any other error is
 * unchanged.
 */
function plainReason(error: string): string {
  const answer = parsedJson(error);
  const message = ownProperty(answer, 'message');
  return typeof ownProperty(answer, 'error') === 'string' && typeof message === 'string'
    ? message
    : error;
}

type SubagentEnd = Extract<AgentEvent, { type: 'subagent-end' }>;

/** Such as `done: 3 requests, 4,210 tokens`. The reason comes last because it may be long. */
function subagentEnd({ status, error, spent }: SubagentEnd): string {
  const figures = spent.requests === 0 ? [] : [usageText(spent)];
  const reason = error === undefined ? [] : [error];
  return [status.replaceAll('_', ' '), ...figures, ...reason].join(': ');
}

function usageText({ requests, input, output }: Spending): string {
  return `${formatCount(requests, 'request')}, ${formatNumber(input + output)} tokens`;
}

/** The address of a failed request. The SDK's message does not contain it. */
function addressLine(error: unknown): readonly string[] {
  const failed = RetryError.isInstance(error) ? error.lastError : error;
  return APICallError.isInstance(failed)
    ? [`The request was sent to ${publicUrl(failed.url)}.`]
    : [];
}

/** Why the last answer is incomplete. */
const CUT_SHORT: Readonly<Partial<Record<EndReason, string>>> = {
  length: "was cut off at the model's limit",
  'content-filter': "was stopped by the provider's filter",
  other: 'was ended by the provider for an unusual reason and may be incomplete',
};

function endLineOf({ reason, error }: Extract<AgentEvent, { type: 'end' }>): string | undefined {
  if (reason === 'error') return `toolfold: ${errorMessage(error)}`;
  const cut = CUT_SHORT[reason];
  if (cut !== undefined) return `toolfold: The answer ${cut}.`;
  return reason === 'cancelled' ? 'Cancelled.' : undefined;
}
