import type { ModelMessage } from 'ai';
import { isNotePart, readNote } from '../../ai-sdk/metadata/index.ts';
import type { AgentOptions } from '../options/index.ts';
import { settingsOf } from '../settings/index.ts';

/** Rounds of tools in a turn, where nothing else is said. */
export const DEFAULT_ROUNDS = 5;

/** The model's own rounds go before the role's, those before the agent's. */
export function roundsFor(
  options: AgentOptions,
  model: { provider: string; modelId: string },
): number {
  const { models = {}, roles = {}, role, maxRounds = DEFAULT_ROUNDS } = options;
  const own = settingsOf(models, model).maxRounds;
  return own ?? (role === undefined ? undefined : roles[role]?.maxRounds) ?? maxRounds;
}

/** Answers that called real tools since the user last said something; loading and searching are none. */
export function roundsIn(
  messages: readonly ModelMessage[],
  isReal: (toolName: string) => boolean,
): number {
  const at = messages.findLastIndex(({ role }) => role === 'user');
  return messages.slice(at + 1).filter((message) => {
    if (message.role !== 'assistant' || typeof message.content === 'string') return false;
    return message.content.some((part) => part.type === 'tool-call' && isReal(part.toolName));
  }).length;
}

/** What the model is told when its rounds are spent. */
export const ROUNDS_SPENT =
  '[Notice from the application, not from the user: no rounds of tools are left in this turn. Answer now with what you have, and say what is still to be done; the user can let you go on.]';

/** What the model is told where the user has switched tools off. */
export const TOOLS_OFF =
  '[Notice from the application, not from the user: tools are switched off. Answer without them.]';

/** What the model is told where they are on again. */
export const TOOLS_ON =
  '[Notice from the application, not from the user: tools are switched on again and may be called.]';

/** Why a call is denied where tools are off. */
export const TOOLS_ARE_OFF = 'Tools are switched off.';

/** Whether the last that the model was told of tools is that they are off. */
export function saysToolsAreOff(messages: readonly ModelMessage[]): boolean {
  for (const { role, content } of [...messages].reverse()) {
    if (typeof content === 'string' || (role !== 'assistant' && role !== 'tool')) continue;
    for (const part of [...content].reverse()) {
      const said = isNotePart(part) ? (readNote(part.providerOptions)?.inserts ?? []) : [];
      const last = said.findLast((text) => text.includes(TOOLS_ON) || text.includes(TOOLS_OFF));
      if (last !== undefined) return !last.includes(TOOLS_ON);
      if (part.type !== 'tool-result' || part.output.type !== 'execution-denied') continue;
      if (part.output.reason === TOOLS_ARE_OFF) return true;
    }
  }
  return false;
}

/**
 * Whether `tool_choice: none` leaves the prefix as it is. OpenAI keeps it out of the cache's key;
 * Anthropic's provider drops the tools with it, and chat templates of local servers may.
 */
export function keepsPrefixWithoutTools({ provider }: { readonly provider: string }): boolean {
  return /^(openai|azure)\./.test(provider);
}
