import type { AgentEvent, Budget, EndReason } from '@toolfold/agent/internal/agent';
import { formatCount, formatNumber } from '../terminal/index.ts';

/** Most names of tools in a line. */
const MOST_NAMES = 5;

type Of<TYPE extends AgentEvent['type']> = Extract<AgentEvent, { type: TYPE }>;

/** How a turn ended, in words. Nothing is said about one that is answered; an error has words of its own. */
export const END_WORDS: Readonly<Partial<Record<EndReason, string>>> = {
  cancelled: 'Cancelled.',
  length: "The answer was cut off at the model's limit.",
  'content-filter': "The answer was stopped by the provider's filter.",
  other: 'The answer was ended by the provider for an unusual reason and may be incomplete.',
  approval: 'It waits for approval.',
};

/**
 * What happened beside the answer, in the same words on every surface. Undefined for events that have none. An epoch
 * has none: what the first request holds is in the indicator, and later `prefix-broken` says why all is sent anew.
 */
export function wordsOf(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'warning':
      return event.text;
    case 'rounds':
      if (event.of) return budgetWords(event.of, event.limit);
      return `No rounds of tools are left: the limit is ${formatNumber(event.limit)} (--max-rounds, or maxRounds in the configuration). The next message begins a new count.`;
    case 'retry':
      return retryWords(event);
    case 'fallback':
      return `The endpoint refused the strategy ${event.from}. Now ${event.to} is used: ${event.reason}`;
    case 'compaction':
      return `Compacted: about ${formatCount(event.before, 'token')} of messages became ${formatNumber(event.after)}.`;
    case 'tools-changed':
      return `The model learns that tools have changed: ${changedWords(event)}.`;
    case 'prefix-broken':
      return `${event.segment.kind === 'message' ? 'The conversation' : 'The list of tools'} was sent anew: ${plainCause(event.cause)}.`;
    case 'preload':
      return `Preloaded: ${event.tools.join(', ')}`;
    case 'load':
      return `Loaded from ${event.group}: ${event.tools.join(', ')}`;
    case 'discarded':
      return discardedWords(event);
    case 'subagent-end':
      return subagentWords(event);
    default:
      return;
  }
}

/** The cause without the figures that a strategy was chosen by. */
function plainCause(cause: string): string {
  return cause
    .replace(/^a new epoch began: /, '')
    .replace(/^(the strategy changed from \S+ to \S+): .*$/, '$1')
    .replace(/: (estimated|compared) .*$/, '');
}

function changedWords({ added, removed }: Of<'tools-changed'>): string {
  const part = (names: readonly string[], what: string): string[] => {
    const rest = names.length - MOST_NAMES;
    const more = rest > 0 ? ` and ${formatNumber(rest)} more` : '';
    return names.length === 0 ? [] : [`${what} ${names.slice(0, MOST_NAMES).join(', ')}${more}`];
  };
  return [...part(added, 'added'), ...part(removed, 'removed')].join('; ');
}

/** What was repaired in the arguments of a call. */
export function repairWords(repairs: readonly string[]): string {
  return `The arguments were repaired: ${repairs.join('; ')}.`;
}

/** How far a tool is, such as `2 of 5, copying`. */
export function progressWords({
  progress,
  total,
  message = '',
}: Pick<Of<'tool-progress'>, 'progress' | 'total' | 'message'>): string {
  const done =
    total === undefined
      ? formatNumber(progress)
      : `${formatNumber(progress)} of ${formatNumber(total)}`;
  return message === '' ? done : `${done}, ${message}`;
}

/** Such as `done: 3 requests, 4,210 tokens`. The reason comes last because it may be long. */
function subagentWords({ status, error, spent }: Of<'subagent-end'>): string {
  const { requests, input, output } = spent;
  const figures = `${formatCount(requests, 'request')}, ${formatNumber(input + output)} tokens`;
  const parts = [...(requests === 0 ? [] : [figures]), ...(error === undefined ? [] : [error])];
  return [status.replaceAll('_', ' '), ...parts].join(': ');
}

/** What is removed from the conversation because the answer was interrupted. */
function discardedWords({ text = '', reasoning = '', calls = [] }: Of<'discarded'>): string {
  const sizeOf = (what: string, kind: string) =>
    what === '' ? [] : [`${formatCount(what.length, 'character')} of ${kind}`];
  const names = calls.map(({ name }) => name).join(', ');
  const callsPart =
    calls.length === 0 ? [] : [`${formatCount(calls.length, 'call')} that did not run (${names})`];
  const parts = [...sizeOf(text, 'text'), ...sizeOf(reasoning, 'reasoning'), ...callsPart];
  return `Discarded, because the answer was interrupted: ${parts.join(', ')}`;
}

/** Statuses of a provider that has too many requests now. */
const BUSY: ReadonlySet<number> = new Set([429, 503, 529]);

function retryWords({ attempt, status, wait = 0 }: Of<'retry'>): string {
  const state = BUSY.has(status ?? 0) ? 'is busy' : 'failed';
  const why = `The provider ${state} (status ${status}). It is asked again`;
  const seconds = Math.ceil(wait / 1000);
  const when = seconds === 0 ? '' : ` after ${formatNumber(seconds)} s`;
  return `${status === undefined ? 'The request is sent again' : why}${when} (attempt ${attempt}).`;
}

/** What a limit of a turn beside its rounds has stopped. */
function budgetWords(of: Budget, limit: number): string {
  if (of === 'loads')
    return `${formatNumber(limit)} answers in a row have only loaded or searched tools. The model was asked to go on without.`;
  const option = of === 'requests' ? 'maxRequests' : 'maxTokens';
  return `The ${of} of this turn are used up: the limit is ${formatNumber(limit)} (${option} in the configuration). The next message begins a new count.`;
}
