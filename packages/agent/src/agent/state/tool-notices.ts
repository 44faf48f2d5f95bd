import { isNotePart, readResponseNote } from '@toolfold/ai-sdk/internal/metadata';
import type { ModelMessage } from 'ai';
import { partsOf } from './message-parts.ts';

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
