import { fileData, isNotePart, readResponseNote } from '@toolfold/ai-sdk/internal/messages';
import type { ModelMessage } from 'ai';

/** A part of a message. */
export type MessagePart = Exclude<ModelMessage['content'], string>[number];

/** The parts of messages, in order. A message that is one text has none. */
export function partsOf(messages: readonly ModelMessage[]): readonly MessagePart[] {
  return messages.flatMap(({ content }): readonly MessagePart[] =>
    typeof content === 'string' ? [] : content,
  );
}

/** The text parts of a message, joined by line breaks. */
export function textOf({ content }: ModelMessage): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** The files of messages and of results, as base64. */
export function filesIn(messages: readonly ModelMessage[]): readonly string[] {
  return partsOf(messages).flatMap((part) => {
    const output = part.type === 'tool-result' ? part.output : undefined;
    const parts: readonly object[] = output?.type === 'content' ? output.value : [part];
    return parts.flatMap((one) => fileData(one) ?? []);
  });
}

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

/** Notice for the model when the user has switched tools off. */
export const TOOLS_OFF =
  '[Notice from the application, not from the user: tools are switched off. Answer without them.]';

/** Notice for the model when tools are on again. */
export const TOOLS_ON =
  '[Notice from the application, not from the user: tools are switched on again and may be called.]';

/** Reason of a call that is denied because the user has switched tools off. */
export const TOOLS_ARE_OFF = 'Tools are switched off.';

/**
 * Whether the latest notice or denial in the messages says that tools are off. Undefined if there is none.
 */
export function saysToolsAreOff(messages: readonly ModelMessage[]): boolean | undefined {
  for (const part of partsOf(messages).toReversed()) {
    const note = isNotePart(part) ? readResponseNote(part.providerOptions) : undefined;
    const isNotice = (text: string) => text.includes(TOOLS_ON) || text.includes(TOOLS_OFF);
    const last = note?.inserts?.findLast(isNotice);
    if (last !== undefined) return !last.includes(TOOLS_ON);
    if (part.type !== 'tool-result' || part.output.type !== 'execution-denied') continue;
    if (part.output.reason === TOOLS_ARE_OFF) return true;
  }
  return;
}
