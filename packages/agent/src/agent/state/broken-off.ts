import { isNotePart } from '@toolfold/ai-sdk/internal/metadata';
import type { ModelMessage } from 'ai';

/** What a user is told about a call whose tool had started, or may have started, when its turn was interrupted. */
export const INTERRUPTED_MESSAGE =
  'The call was interrupted and its outcome is unknown: it may have taken effect. It was not repeated.';

/** The result of such a call. */
export const INTERRUPTED: string = interrupted(INTERRUPTED_MESSAGE);

/** The result of a call that has no result in the conversation that the app passed in. */
export const UNKNOWN_OUTCOME: string = interrupted(
  'The result of this call is not in the conversation and its outcome is unknown: it may have taken effect. It was not repeated.',
);

function interrupted(message: string): string {
  const next = 'Find out what has happened before you call it again.';
  return JSON.stringify({ error: 'interrupted', message, next });
}

/** The reason of a call that did not start before its turn was interrupted. */
export const NOT_RUN = 'The call was not run: the turn was interrupted first.';

/** The reason of a call that had not begun when the user wrote during its turn. */
export const USER_WROTE = 'The call was not run: the user wrote. Read the message first.';

/** Stands in place of an answer that never arrived, or behind the text of one that was interrupted. */
export const NO_ANSWER = '[This answer was interrupted.]';

/** The text before the mark of an interrupted answer, empty if there is none. Undefined for other messages. */
export function interruptedText(message: ModelMessage | undefined): string | undefined {
  if (message?.role !== 'assistant' || typeof message.content === 'string') return;
  const parts = message.content.filter((part) => !isNotePart(part));
  const last = parts.pop();
  if (last?.type !== 'text' || last.text !== NO_ANSWER) return;
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.length === parts.length ? texts.join('') : undefined;
}
