import { APICallError, RetryError } from 'ai';
import type { AgentEvent, EndReason, Spending } from '../../agent/index.ts';
import { SUBAGENTS } from '../../agent/subagents/engine/index.ts';
import { publicUrl } from '../../agent/turn/index.ts';
import { errorMessage } from '../../errors.ts';
import { own } from '../../tools/values/index.ts';
import { callLine, figure, oneLine, quantity } from '../terminal/index.ts';

/** Characters of one line on stderr. */
const MAX_LINE = 300;

/** The lines that people are told of an event, bounded and without control characters; of most none. */
export function eventLines(event: AgentEvent): readonly string[] {
  return linesOf(event, '').map((line) => oneLine(line, MAX_LINE));
}

/** `path`: the tasks of those above, each with a slash behind it. */
function linesOf(event: AgentEvent, path: string): readonly string[] {
  if (event.type === 'subagent') return linesOf(event.event, `${path}${event.task}/`);
  if (event.type === 'subagent-end') return [`[${path}${event.task}] ${subagentEnd(event)}`];
  const who = path === '' ? '' : `[${path.slice(0, -1)}] `;
  const tasks = tasksOf(event);
  if (tasks) {
    const call = `${who}Call: ${SUBAGENTS}: ${quantity(tasks.length, 'task')}`;
    return [call, ...tasks.map(({ id, task }) => `[${path}${id}] Task: ${task}`)];
  }
  const line = workLine(event) ?? (path === '' ? turnLine(event) : undefined);
  const address = path === '' && event.type === 'end' ? addressLine(event.error) : [];
  return line === undefined ? [] : [`${who}${line}`, ...address];
}

/** What is said only of the turn that the user began. */
function turnLine(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'start': {
      const role = event.role === undefined ? '' : `, role ${event.role}`;
      return `${event.model}${role}, strategy ${event.strategy}: ${event.reason}`;
    }
    case 'rounds':
      return `No rounds of tools are left: the limit is ${figure(event.limit)} (--max-rounds, or maxRounds in the configuration).`;
    case 'end':
      return endLineOf(event);
    default:
      return;
  }
}

/** What an agent does, whichever it is. */
function workLine(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'preload':
      return `Preloaded: ${event.tools.join(', ')}`;
    case 'load':
      return `Loaded from ${event.group}: ${event.tools.join(', ')}`;
    case 'call':
      // Cut once, with the line: two marks would be two counts of what is missing.
      return `Call: ${callLine(event.name, event.arguments, Number.POSITIVE_INFINITY)}`;
    case 'failure':
      return `Failed: ${event.name}: ${plainReason(event.error)}`;
    case 'discarded':
      return discardedLine(event);
    case 'warning':
      return `Warning: ${event.text}`;
    default:
      return;
  }
}

/** What of the lines above is no part of the conversation: the answer broke off. */
function discardedLine({
  text = '',
  calls = [],
}: Extract<AgentEvent, { type: 'discarded' }>): string {
  const said = text === '' ? [] : [`${quantity(text.length, 'character')} of text`];
  const names = calls.map(({ name }) => name).join(', ');
  const called =
    calls.length === 0 ? [] : [`${quantity(calls.length, 'call')} that did not run (${names})`];
  return `Discarded, as the answer broke off: ${[...said, ...called].join(', ')}`;
}

interface Task {
  readonly id: string;
  readonly task: string;
}

/** What a call hands to subagents; undefined where it does not, or not in the form it should. */
function tasksOf(event: AgentEvent): readonly Task[] | undefined {
  if (event.type !== 'call' || event.name !== SUBAGENTS) return;
  const tasks: unknown = own(event.arguments, 'tasks');
  return Array.isArray(tasks) && tasks.every(isTask) ? tasks : undefined;
}

function isTask(value: unknown): value is Task {
  return typeof own(value, 'id') === 'string' && typeof own(value, 'task') === 'string';
}

/** The message where an error is Toolfold's answer to a model: JSON with `error`, `message` and more. */
function plainReason(error: string): string {
  try {
    const answer: unknown = JSON.parse(error);
    const message = own(answer, 'message');
    return typeof own(answer, 'error') === 'string' && typeof message === 'string'
      ? message
      : error;
  } catch {
    return error;
  }
}

type SubagentEnd = Extract<AgentEvent, { type: 'subagent-end' }>;

/** `done: 3 requests, 4,210 tokens`; the reason comes last, as it may be long. */
function subagentEnd({ status, error, spent }: SubagentEnd): string {
  const figures = spent.requests === 0 ? [] : [spentWords(spent)];
  const reason = error === undefined ? [] : [error];
  return [status.replaceAll('_', ' '), ...figures, ...reason].join(': ');
}

function spentWords({ requests, input, output }: Spending): string {
  return `${quantity(requests, 'request')}, ${figure(input + output)} tokens`;
}

/** Where a request that failed was sent: the SDK's own words do not say. */
function addressLine(error: unknown): readonly string[] {
  const failed = RetryError.isInstance(error) ? error.lastError : error;
  return APICallError.isInstance(failed) ? [`It was sent to ${publicUrl(failed.url)}.`] : [];
}

/** Why the last answer is not whole. */
const CUT_SHORT: Readonly<Partial<Record<EndReason, string>>> = {
  length: "was cut off at the model's limit",
  'content-filter': "was stopped by the provider's filter",
  other: 'was ended by the provider, and not as usual: it may be partial',
};

function endLineOf({ reason, error }: Extract<AgentEvent, { type: 'end' }>): string | undefined {
  if (reason === 'error') return `toolfold: ${errorMessage(error)}`;
  const cut = CUT_SHORT[reason];
  if (cut !== undefined) return `toolfold: The answer ${cut}.`;
  return reason === 'cancelled' ? 'Cancelled.' : undefined;
}
