import type { ModelMessage } from 'ai';
import { isNotePart } from '../../ai-sdk/metadata/index.ts';
import type { Content } from './answer-content.ts';

/** The result of a call whose tool was running, or may have been, when its turn broke off. */
export const INTERRUPTED: string = JSON.stringify({
  error: 'interrupted',
  message:
    'The call was interrupted and its outcome is unknown: it may have taken effect. It was not repeated.',
  next: 'Find out what has happened before you call it again.',
});

/** The result of a call that a given conversation has none for. */
export const UNKNOWN_OUTCOME: string = JSON.stringify({
  error: 'interrupted',
  message:
    'The result of this call is not in the conversation and its outcome is unknown: it may have taken effect. It was not repeated.',
  next: 'Find out what has happened before you call it again.',
});

/** Why a call of a turn that broke off has no result. */
export const NOT_RUN = 'It was not run: the turn broke off before.';

/** Stands for an answer that never came, or that broke off and was discarded. */
export const NO_ANSWER = '[This answer was interrupted.]';

/**
 * What stands where an answer was to come: what was sent ahead of it, and what the request said at
 * its end, keep their places in front of it. Empty where nothing of the request has a place to keep.
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

/** The messages that a turn broke off with: without what stands for the answer. */
export function beforeAnswer(messages: readonly ModelMessage[]): ModelMessage[] {
  const last = messages.at(-1);
  return last && isPlace(last) ? messages.slice(0, -1) : [...messages];
}

function isPlace({ role, content }: ModelMessage): boolean {
  if (role !== 'assistant' || typeof content === 'string') return false;
  const rest = content.filter((part) => !isNotePart(part));
  const [only] = rest;
  return rest.length === 1 && only?.type === 'text' && only.text === NO_ANSWER;
}
