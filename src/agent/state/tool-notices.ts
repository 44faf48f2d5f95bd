import type { ModelMessage } from 'ai';
import { isNotePart, readResponseNote } from '../../ai-sdk/metadata/index.ts';

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
  for (let at = messages.length - 1; at >= 0; at--) {
    const { role, content } = messages[at] as ModelMessage;
    if (typeof content === 'string' || (role !== 'assistant' && role !== 'tool')) continue;
    for (let n = content.length - 1; n >= 0; n--) {
      const part = content[n] as (typeof content)[number];
      const notices = isNotePart(part)
        ? (readResponseNote(part.providerOptions)?.inserts ?? [])
        : [];
      const last = notices.findLast((text) => text.includes(TOOLS_ON) || text.includes(TOOLS_OFF));
      if (last !== undefined) return !last.includes(TOOLS_ON);
      if (part.type !== 'tool-result' || part.output.type !== 'execution-denied') continue;
      if (part.output.reason === TOOLS_ARE_OFF) return true;
    }
  }
  return;
}
