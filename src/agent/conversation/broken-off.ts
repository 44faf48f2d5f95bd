import type { ModelMessage } from 'ai';
import { isNotePart } from '../../ai-sdk/metadata/index.ts';
import type { Content } from './answer-content.ts';

/** What a user is told about a call whose tool had started, or may have started, when its turn was interrupted. */
export const INTERRUPTED_MESSAGE =
  'The call was interrupted and its outcome is unknown: it may have taken effect. It was not repeated.';

/** The result of such a call. */
export const INTERRUPTED: string = JSON.stringify({
  error: 'interrupted',
  message: INTERRUPTED_MESSAGE,
  next: 'Find out what has happened before you call it again.',
});

/** The result of a call that has no result in the conversation that the app passed in. */
export const UNKNOWN_OUTCOME: string = JSON.stringify({
  error: 'interrupted',
  message:
    'The result of this call is not in the conversation and its outcome is unknown: it may have taken effect. It was not repeated.',
  next: 'Find out what has happened before you call it again.',
});

/** The reason of a call that did not start before its turn was interrupted. */
export const NOT_RUN = 'The call was not run: the turn was interrupted first.';

/** Replaces an answer that never arrived, or that was interrupted and discarded. */
export const NO_ANSWER = '[This answer was interrupted.]';

/**
 * A placeholder message for a missing answer. It keeps the positions of the messages that were sent
 * and of the notices at the request's tail. Empty if there is neither a note nor a tool message.
 */
export function placeOfAnswer(
  messages: readonly ModelMessage[],
  note: Content | undefined,
): ModelMessage[] {
  if (!note && messages.at(-1)?.role !== 'tool') return [];
  return [
    { role: 'assistant', content: [...(note ? [note] : []), { type: 'text', text: NO_ANSWER }] },
  ];
}

/** The messages without a placeholder at their end. */
export function beforeAnswer(messages: readonly ModelMessage[]): ModelMessage[] {
  const last = messages.at(-1);
  return last && isPlaceholder(last) ? messages.slice(0, -1) : [...messages];
}

function isPlaceholder({ role, content }: ModelMessage): boolean {
  if (role !== 'assistant' || typeof content === 'string') return false;
  const rest = content.filter((part) => !isNotePart(part));
  const [only] = rest;
  return rest.length === 1 && only?.type === 'text' && only.text === NO_ANSWER;
}
