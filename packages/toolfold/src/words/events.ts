import type {
  AgentEvent,
  Budget,
  EndCode,
  EndReason,
  FailureFacts,
} from '@toolfold/agent/internal/events';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { formatCount, formatNumber } from '@toolfold/core/internal/values';

/** Most names of tools in a line. */
const MOST_NAMES = 5;

type EventOf<TYPE extends AgentEvent['type']> = Extract<AgentEvent, { type: TYPE }>;

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

function changedWords({ added, removed }: EventOf<'tools-changed'>): string {
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
}: Pick<EventOf<'tool-progress'>, 'progress' | 'total' | 'message'>): string {
  const done =
    total === undefined
      ? formatNumber(progress)
      : `${formatNumber(progress)} of ${formatNumber(total)}`;
  return message === '' ? done : `${done}, ${message}`;
}

/** Such as `done: 3 requests, 4,210 tokens`. The reason comes last because it may be long. */
function subagentWords({ status, error, spent }: EventOf<'subagent-end'>): string {
  const { requests, input, output } = spent;
  const figures = `${formatCount(requests, 'request')}, ${formatNumber(input + output)} tokens`;
  const parts = [...(requests === 0 ? [] : [figures]), ...(error === undefined ? [] : [error])];
  return [status.replaceAll('_', ' '), ...parts].join(': ');
}

/** What is removed from the conversation because the answer was interrupted. */
function discardedWords({ text = '', reasoning = '', calls = [] }: EventOf<'discarded'>): string {
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

function retryWords({ attempt, status, wait = 0 }: EventOf<'retry'>): string {
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

/** How a turn ended that failed. */
interface FailedEnd {
  /** The error, or its message. */
  readonly error?: unknown;
  readonly code?: EndCode | undefined;
  /** What is known of the request, as `failureFacts` reads it. */
  readonly facts?: FailureFacts | undefined;
}

/** Where the user reads it: in the chat, on the page, in an editor, or behind a command. */
type Surface = 'chat' | 'page' | 'editor' | 'command';

/** Most characters of the provider's own words. */
const MAX_WORDS = 300;

/** Providers have no common code for a full context window. */
const FULL =
  /context[ _-]?(length|window|size)|maximum context|prompt is too long|too many (input )?tokens|input (length|tokens?)\b.*\bexceed|request too large/i;

/** What the SDK puts in front of the provider's words. */
const WRAPPING = /^(Failed after \d+ attempts?\b[^:]*: |AI_\w+: |Cannot connect to API: )+/;

/** What the SDK says of an answer that it cannot read, in plain words. */
const UNREADABLE: readonly (readonly [RegExp, string])[] = [
  [/^Response stream ended without/, 'The answer of the provider ended before it was complete.'],
  [/^JSON parsing failed/, 'The answer of the provider cannot be read: a part of it is no JSON.'],
];

const SHORTER = '/compact shortens the conversation, and /continue goes on.';

const SOON = 'Wait a little.';

/** How another key is used: a process keeps those that it began with. */
const KEY: Readonly<Partial<Record<Surface, string>>> = {
  chat: 'A chat reads keys only when it starts. With a new key, start it again with toolfold chat -c and the same options. /model chooses another model.',
  page: 'Toolfold reads keys only when it starts. With a new key, start toolfold web again. The list of models has others.',
  editor:
    'Toolfold reads keys only when the editor starts it. With a new key, let the editor start it again.',
};

/** What happened, and what the user can do before trying again. */
const BY_CODE: Readonly<
  Partial<Record<EndCode | 'used-up', { readonly what: string; readonly next?: string }>>
> = {
  'rate-limited': { what: 'The provider takes no more requests for now', next: SOON },
  'used-up': {
    what: 'The quota of the plan with the provider is used up',
    next: 'Asking again does not help before that changes: check plan and billing there, or use another model.',
  },
  overloaded: { what: 'The provider cannot answer at present', next: SOON },
  network: {
    what: 'No answer came from the provider',
    next: 'Check the network, and that the server runs.',
  },
  'invalid-request': { what: 'The provider did not accept the request' },
  unknown: { what: 'The provider failed' },
};

/** How a turn that failed is tried again, unless something else failed. */
const AGAIN: Readonly<Record<Surface, string>> = {
  chat: '/continue goes on with this turn.',
  page: 'Continue goes on with this turn.',
  editor: '/continue goes on with this turn.',
  command: 'Run the command again.',
};

/**
 * Why a turn failed, in plain words: one line, and a line with the next step. `again`: how it is tried again, as a
 * sentence.
 */
export function failureLines(
  end: FailedEnd,
  surface: Surface,
  again: string = AGAIN[surface],
): readonly string[] {
  const { error, code, facts = {} } = end;
  const { status, address, wait, isUsedUp, isAboutFile } = facts;
  const raw = error === undefined ? 'The turn failed.' : errorMessage(error);
  const message = UNREADABLE.find(([words]) => words.test(raw))?.[1] ?? raw;
  const about = status === undefined ? '' : ` (status ${status})`;
  // Its words say which key it is, and where it came from.
  const key = KEY[surface];
  if (code === 'model-refused') return [message, key === undefined ? again : `${key} ${again}`];
  const isRefused = code === 'invalid-request';
  if (isRefused && (status === 413 || FULL.test(message)))
    return [
      `The conversation does not fit into the context window of the model${about}${said(message)}`,
      surface === 'command'
        ? `Begin a new session, or in toolfold chat: ${SHORTER}`
        : surface === 'page'
          ? 'Compact shortens the conversation, and Continue goes on.'
          : SHORTER,
    ];
  if (isRefused && status === 404)
    return [
      `The provider has no such address or model: ${address}${about}${said(message)}`,
      `Check --base-url or "providers" in the configuration, and the name of the model. ${again}`,
    ];
  if (isRefused && isAboutFile)
    return [
      `The provider did not take a file of the conversation${about}${said(message)}`,
      `From now on a line stands in the place of the files that came since the last answer. ${again}`,
    ];
  const known = isUsedUp ? BY_CODE['used-up'] : code && BY_CODE[code];
  // Errors of Toolfold say themselves what to do.
  if (!known || (status === undefined && code === 'unknown'))
    return known && surface !== 'command' ? [message, again] : [message];
  // A stream that has begun has the status of a success.
  const isBroken = code === 'network' && status === 200;
  if (code === 'network' && address !== undefined && /ECONNREFUSED/.test(message))
    return [`Nothing listens on ${hostOf(address)}: ${address}.`, `${startOf(address)} ${again}`];
  const what = isBroken ? 'The answer of the provider broke off' : known.what;
  const where = code === 'network' && address !== undefined ? `: ${address}` : '';
  const seconds = wait ?? 0;
  const time =
    seconds < 120 ? formatCount(seconds, 'second') : formatCount(Math.ceil(seconds / 60), 'minute');
  const first = wait === undefined || isUsedUp ? known.next : `It may be asked again in ${time}.`;
  const next = first === undefined ? again : `${first} ${again}`;
  // Nor has the SDK words about what happened to it.
  const more = isBroken ? '.' : `${about}${said(message)}`;
  return [`${what}${where}${more}`, next];
}

function hostOf(address: string): string {
  return URL.parse(address)?.host ?? address;
}

/** The usual ports of servers of models, and what starts them. */
const STARTS: Readonly<Record<string, string>> = {
  '11434': 'Start Ollama: ollama serve.',
  '1234': 'Start the server of LM Studio: lms server start.',
  '8080': 'Start llama.cpp: llama-server -m MODEL.gguf --port 8080.',
};

/** What to do where nothing listens at an address. */
function startOf(address: string): string {
  const { hostname = '', port = '' } = URL.parse(address) ?? {};
  const isHere = /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
  if (!isHere) return 'Check the address, and that the server runs.';
  return STARTS[port] ?? 'Start the server of the model, or correct its address.';
}

/** The provider's own words behind a sentence, which they end. */
function said(message: string): string {
  const words = message.replace(WRAPPING, '').trim().slice(0, MAX_WORDS);
  return words === '' ? '.' : `: ${words.replace(/[.\s]+$/, '')}.`;
}
