import type { AgentEvent } from '@toolfold/agent/internal/agent';
import { failureFacts } from '@toolfold/agent/internal/agent/events';
import { SUBAGENTS } from '@toolfold/agent/internal/agent/subagents/engine';
import { ownProperty } from '@toolfold/core/internal/tools/values';
import { isSevere } from '../agents/index.ts';
import { failureLines } from '../errors/index.ts';
import { refusalWords } from '../shown/index.ts';
import { callLine, formatCount, oneLine } from '../terminal/index.ts';
import { END_WORDS, progressWords, repairWords, wordsOf } from '../words/index.ts';

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
  if (event.type === 'subagent-end') return [`[${path}${event.task}] ${wordsOf(event)}`];
  const who = path === '' ? '' : `[${path.slice(0, -1)}] `;
  const tasks = tasksOf(event);
  if (tasks) {
    const call = `${who}Call: ${SUBAGENTS}: ${formatCount(tasks.length, 'task')}`;
    return [call, ...tasks.map(({ id, task }) => `[${path}${id}] Task: ${task}`)];
  }
  if (path === '' && event.type === 'end') return endLines(event);
  const line = path !== '' && OF_TURN.has(event.type) ? undefined : lineOf(event);
  const { repairs } = event.type === 'call' || event.type === 'tool-start' ? event : {};
  const lines = [...(line === undefined ? [] : [line]), ...(repairs ? [repairWords(repairs)] : [])];
  return lines.map((one) => `${who}${one}`);
}

/** Events that are written for the main agent's turn only. */
const OF_TURN: ReadonlySet<AgentEvent['type']> = new Set(['start', 'rounds']);

function lineOf(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'start': {
      const role = event.role === undefined ? '' : `, role ${event.role}`;
      return `${event.model}${role}, strategy ${event.strategy}: ${event.reason}`;
    }
    case 'call':
      // Only the whole line is cut. A second cut would add a second count of missing characters.
      return `Call: ${callLine(event.name, event.arguments, Number.POSITIVE_INFINITY)}`;
    case 'failure':
      return `Failed: ${event.name}: ${refusalWords(event.error)}`;
    case 'tool-log':
      return isSevere(event.level) ? `${event.server}: ${event.text}` : undefined;
    case 'warning':
      return `Warning: ${wordsOf(event)}`;
    case 'rounds':
    case 'preload':
    case 'load':
    case 'discarded':
    case 'compaction':
    case 'retry':
      return wordsOf(event);
    default:
      return;
  }
}

/** The line about the progress of a tool, such as `files__copy: 2 of 5, copying`. */
export function progressLine(event: AgentEvent, path = ''): string | undefined {
  if (event.type === 'subagent') return progressLine(event.event, `${path}${event.task}/`);
  if (event.type !== 'tool-progress') return;
  const who = path === '' ? '' : `[${path.slice(0, -1)}] `;
  return oneLine(`${who}${event.name}: ${progressWords(event)}`, MAX_LINE);
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

function endLines(end: Extract<AgentEvent, { type: 'end' }>): readonly string[] {
  const { reason, error } = end;
  if (reason === 'error')
    return failureLines({ ...end, facts: failureFacts(error) }, 'command').map((line, at) =>
      at === 0 ? `toolfold: ${line}` : line,
    );
  const words = reason === 'approval' ? undefined : END_WORDS[reason];
  if (words === undefined) return [];
  return [reason === 'cancelled' ? words : `toolfold: ${words}`];
}
