import type { AgentEvent, EndReason } from '../../agent/index.ts';
import { formatCount, formatNumber } from '../terminal/index.ts';

type Of<TYPE extends AgentEvent['type']> = Extract<AgentEvent, { type: TYPE }>;

/** How a turn ended, in words. Nothing is said about one that is answered; an error has words of its own. */
export const END_WORDS: Readonly<Partial<Record<EndReason, string>>> = {
  cancelled: 'Cancelled.',
  length: "The answer was cut off at the model's limit.",
  'content-filter': "The answer was stopped by the provider's filter.",
  other: 'The answer was ended by the provider for an unusual reason and may be incomplete.',
  approval: 'It waits for approval.',
};

/** What happened beside the answer, in the same words on every surface. Undefined for events that have none. */
export function wordsOf(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'warning':
      return event.text;
    case 'rounds':
      return `No rounds of tools are left: the limit is ${formatNumber(event.limit)} (--max-rounds, or maxRounds in the configuration). The next message begins a new count.`;
    case 'retry':
      return `The request is sent again (attempt ${event.attempt}${event.status === undefined ? '' : `, status ${event.status}`}).`;
    case 'fallback':
      return `The endpoint refused the strategy ${event.from}. Now ${event.to} is used: ${event.reason}`;
    case 'epoch':
      return `New prefix, strategy ${event.strategy}: ${event.reason}`;
    case 'compaction':
      return `Compacted: about ${formatCount(event.before, 'token')} of messages became ${formatNumber(event.after)}.`;
    case 'tools-changed':
      return `Tools changed: ${event.added.length} added, ${event.removed.length} removed.`;
    case 'prefix-broken':
      return `The cached prefix does not hold: ${event.cause}`;
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
