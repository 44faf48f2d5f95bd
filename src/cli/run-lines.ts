import type { AgentEvent, Spending } from '../agent/index.ts';
import { errorMessage } from '../errors.ts';
import { counted } from '../tools/plain-text.ts';
import { callLine, oneLine } from './call-line.ts';
import { figure } from './figures.ts';

/** Characters of one line on stderr. */
const MAX_LINE = 300;

/** The one line that people are told of an event, without control characters; nothing of most. */
export function eventLine(event: AgentEvent): string | undefined {
  const line = lineOf(event);
  return line === undefined ? undefined : oneLine(line, MAX_LINE);
}

function lineOf(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'start': {
      const role = event.role === undefined ? '' : `, role ${event.role}`;
      return `${event.model}${role}, strategy ${event.strategy}: ${event.reason}`;
    }
    case 'rounds':
      return `No rounds of tools are left: the limit is ${event.limit} (maxRounds in the configuration).`;
    case 'end':
      return endLineOf(event);
    case 'subagent':
    case 'subagent-end':
      return subagentLine(event, '');
    default:
      return workLine(event);
  }
}

/** What an agent does, whichever it is. */
function workLine(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'preload':
      return `Handed over: ${event.tools.join(', ')}`;
    case 'load':
      return `Loaded of ${event.group}: ${event.tools.join(', ')}`;
    case 'call':
      // Cut once, with the line: two marks would be two counts of what is missing.
      return `Call: ${callLine(event.name, event.arguments, Number.POSITIVE_INFINITY)}`;
    case 'failure':
      return `Failed: ${event.name}: ${event.error}`;
    case 'warning':
      return `Warning: ${event.text}`;
    default:
      return;
  }
}

/** `path`: the tasks of those above, each with a slash behind it. */
function subagentLine(event: AgentEvent, path: string): string | undefined {
  if (event.type === 'subagent') return subagentLine(event.event, `${path}${event.task}/`);
  if (event.type === 'subagent-end') return `[${path}${event.task}] ${subagentEnd(event)}`;
  const line = workLine(event);
  return line === undefined ? undefined : `[${path.slice(0, -1)}] ${line}`;
}

type SubagentEnd = Extract<AgentEvent, { type: 'subagent-end' }>;

/** `done: 3 requests, 4,210 tokens`; the reason comes last, as it may be long. */
function subagentEnd({ status, error, spent }: SubagentEnd): string {
  const figures = spent.requests === 0 ? [] : [spentWords(spent)];
  const reason = error === undefined ? [] : [error];
  return [status.replace('_', ' '), ...figures, ...reason].join(': ');
}

function spentWords({ requests, input, output }: Spending): string {
  return `${counted(requests, 'request')}, ${figure(input + output)} tokens`;
}

function endLineOf({ reason, error }: Extract<AgentEvent, { type: 'end' }>): string | undefined {
  if (reason === 'error') return `toolfold: ${errorMessage(error)}`;
  if (reason === 'length') return "toolfold: The answer was cut off at the model's limit.";
  return reason === 'cancelled' ? 'Cancelled.' : undefined;
}
