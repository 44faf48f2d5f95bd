import type { EndCode, FailureFacts } from '@toolfold/agent/internal/agent';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { formatCount } from '@toolfold/core/internal/tools/values';

/** How a turn ended that failed. */
export interface FailedEnd {
  /** The error, or its message. */
  readonly error?: unknown;
  readonly code?: EndCode | undefined;
  /** What is known of the request, as `failureFacts` reads it. */
  readonly facts?: FailureFacts | undefined;
}

/** Where the user reads it: in the chat, in an editor, or behind a command. */
type Surface = 'chat' | 'editor' | 'command';

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
      surface === 'command' ? `Begin a new session, or in toolfold chat: ${SHORTER}` : SHORTER,
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

/** The provider's own words behind a sentence, which they end. */
function said(message: string): string {
  const words = message.replace(WRAPPING, '').trim().slice(0, MAX_WORDS);
  return words === '' ? '.' : `: ${words.replace(/[.\s]+$/, '')}.`;
}
