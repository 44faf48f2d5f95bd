import {
  type AgentEvent,
  type EndReason,
  failureFacts,
  gapBetween,
  NOTHING_SPENT,
  plus,
  type Spending,
  withUsage,
} from '@toolfold/agent/internal/events';
import { SUBAGENTS } from '@toolfold/agent/internal/tasks';
import { formatCount, formatNumber, ownProperty } from '@toolfold/core/internal/values';
import { isSevere } from '../agents/index.ts';
import {
  costText,
  END_WORDS,
  failureLines,
  progressWords,
  refusalWords,
  repairWords,
  wordsOf,
} from '../shown/index.ts';
import {
  callLine,
  escapedControls,
  exitCode,
  harmlessPiece,
  oneLine,
  type Terminal,
} from '../terminal/index.ts';

/** What the last line of a turn says besides its tokens. */
interface TurnFacts {
  readonly currency?: string | undefined;
  /** Servers that were still starting when the turn began. */
  readonly missing?: readonly string[];
}

type EventWriter = (event: AgentEvent) => void;
type TurnTerminal = Pick<Terminal, 'out' | 'note'>;

/**
 * Writes every event as a line of JSON to stdout, errors as name and message. `hide` redacts
 * secrets.
 */
export function jsonWriter({ out }: TurnTerminal, hide: (text: string) => string): EventWriter {
  return (event) => {
    out(`${escapedControls(hide(JSON.stringify(event, (_key, value) => plainError(value))))}\n`);
  };
}

/** Number of last characters that decide the gap before the next text. */
const TAIL = 3;
/** Most characters of thoughts that are shown, and of one line of them. */
const MAX_THOUGHTS = 20_000;
const MAX_THOUGHT = 2_000;

/**
 * Writes the model's text to stdout, without control characters and with a blank line between the
 * texts of different requests. Everything else goes to stderr in lines. Text of subagents is left
 * out. Thoughts are written only if there is no answer besides them. `progress` shows a line that the next
 * line replaces. `facts`: the currency of the prices, and the servers without which the turn begins.
 */
export function textWriter(
  { out, note }: TurnTerminal,
  progress: (line: string) => void = () => {},
  facts: () => TurnFacts = () => ({}),
): EventWriter {
  let written = '';
  let isNewRequest = false;
  /** What the turn before began with. */
  let known = '';
  /** Thoughts of a request without an answer. */
  let thoughts: string | undefined = '';
  const write = (text: string): void => {
    if (text === '') return;
    out(text);
    written = `${written}${text}`.slice(-TAIL);
  };
  let [own, subagents] = [NOTHING_SPENT, NOTHING_SPENT];
  return (event) => {
    // Any other event replaces the line about a tool's progress.
    progress(progressLine(event) ?? '');
    if (event.type === 'text') {
      const text = harmlessPiece(event.text);
      write(isNewRequest ? gapBetween(written, text) + text : text);
      if (text.trim() !== '') [isNewRequest, thoughts] = [false, undefined];
      return;
    }
    if (event.type === 'reasoning' && thoughts !== undefined) thoughts += event.text;
    if (event.type === 'request') thoughts = '';
    if (event.type === 'request' || event.type === 'discarded') isNewRequest = true;
    if (event.type === 'subagent') subagents = withUsage(subagents, event);
    else own = withUsage(own, event);
    // The reason of a strategy has figures, which change with each turn.
    const start = event.type === 'start' && `${event.model} ${event.role} ${event.strategy}`;
    const lines = start && start === known ? [] : eventLines(event);
    known = start || known;
    const isBreak = lines.length > 0 || event.type === 'request' || event.type === 'end';
    if (isBreak && written !== '' && !written.endsWith('\n')) write('\n');
    for (const line of lines) note(line);
    if (event.type !== 'end') return;
    if (event.reason === 'done' && thoughts?.trim()) {
      note('The model wrote thoughts and no answer:');
      for (const line of thoughts.slice(-MAX_THOUGHTS).trim().split('\n'))
        note(`  ${oneLine(line, MAX_THOUGHT)}`);
    }
    if (own.input > 0) note(totals(own, subagents, facts()));
    [own, subagents, written, isNewRequest] = [NOTHING_SPENT, NOTHING_SPENT, '', false];
    thoughts = '';
  };
}

/** The tokens and the cost of a turn. The cost is shown only if a price is known. */
function totals(own: Spending, subagents: Spending, { currency, missing = [] }: TurnFacts): string {
  const all = plus(own, subagents);
  const cost = costText(all, currency);
  const parts = [
    countsOf(own, '; '),
    ...(subagents.requests === 0 ? [] : [`subagents: ${countsOf(subagents, ', ')}`]),
    ...(cost === undefined ? [] : [`cost: ${cost}`]),
    ...(missing.length === 0 ? [] : [`begun without the tools of ${missing.join(', ')}`]),
  ];
  return `${all.estimated === 0 ? 'Tokens' : 'Tokens, some of them estimated'}: ${parts.join('; ')}.`;
}

function countsOf({ input, cacheRead, cacheWrite, output }: Spending, gap: string): string {
  const written = cacheWrite === 0 ? '' : ` and ${formatNumber(cacheWrite)} written to it`;
  return `${formatNumber(input)} sent, ${formatNumber(cacheRead)} of them read from the cache${written}${gap}${formatNumber(output)} received`;
}

function plainError(value: unknown): unknown {
  return value instanceof Error ? { name: value.name, message: value.message } : value;
}

/** Most characters of one line on stderr. */
const MAX_LINE = 300;

/**
 * The lines on stderr for an event, bounded and without control characters. Most events have none.
 */
function eventLines(event: AgentEvent): readonly string[] {
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
function progressLine(event: AgentEvent, path = ''): string | undefined {
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

/** Any other end is a failure: a script cannot use an incomplete answer. Signals have exit codes of their own. */
const codes: Readonly<Partial<Record<EndReason, number>>> = {
  done: exitCode.ok,
  approval: exitCode.notApproved,
  rounds: exitCode.noRoundsLeft,
};

/** State of a turn that its events do not carry. */
interface TurnWatch {
  /** Tools that were denied because nobody could be asked. */
  readonly unasked: ReadonlySet<string>;
  /** Whether the turn reached its time limit. */
  readonly isTimedOut?: () => boolean;
}

/** The exit code for the end of a turn. */
export function turnCode(
  ended: EndReason,
  { unasked, isTimedOut = () => false }: TurnWatch,
): number {
  if (ended === 'cancelled' && isTimedOut()) return exitCode.timedOut;
  const isAnswered = ended === 'done' || ended === 'rounds';
  return isAnswered && unasked.size > 0 ? exitCode.notApproved : (codes[ended] ?? exitCode.failed);
}
