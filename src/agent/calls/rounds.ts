import type { ModelMessage } from 'ai';
import { isNotePart, readResponseNote } from '../../ai-sdk/metadata/index.ts';
import { type AgentOptions, settingsOf } from '../options/index.ts';
import { roleIn } from '../roles/index.ts';

/** Default number of tool rounds in a turn. It ends loops: no task of a person comes near. */
const DEFAULT_ROUNDS = 100;

/** The rounds of a turn: the model's setting, else the role's, else the agent's. */
export function roundsFor(
  options: AgentOptions,
  model: { provider: string; modelId: string },
): number {
  const { models = {}, fold, role, maxRounds = DEFAULT_ROUNDS } = options;
  const own = settingsOf(models, model).maxRounds;
  return own ?? roleIn(fold.roles, role)?.maxRounds ?? maxRounds;
}

/** Counts answers that called real tools since the last user message. Loading and searching do not count. */
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

/** The rounds that are left after these messages. */
export function roundsLeft(
  agent: {
    readonly maxRounds: number;
    readonly isReal: (toolName: string) => boolean;
  },
  messages: readonly ModelMessage[],
  turn: { readonly cutRounds: number },
): number {
  return Math.max(0, agent.maxRounds - roundsIn(messages, agent.isReal) - turn.cutRounds);
}

/** Notice for the model when its rounds are used up. */
export const ROUNDS_SPENT =
  '[Notice from the application, not from the user: no rounds of tools are left in this turn. Answer now with what you have, and say what is still to be done; the user can let you go on.]';

/** Notice for the model when the user has switched tools off. */
export const TOOLS_OFF =
  '[Notice from the application, not from the user: tools are switched off. Answer without them.]';

/** Notice for the model when tools are on again. */
export const TOOLS_ON =
  '[Notice from the application, not from the user: tools are switched on again and may be called.]';

/** Reason of a call that is denied because no round is left. */
export const NO_ROUNDS = 'No tool rounds are left in this turn.';

/** Reason of a call that is denied while tools are off. */
export const TOOLS_ARE_OFF = 'Tools are switched off.';

/** Whether the latest notice or denial in the messages says that tools are off. */
export function saysToolsAreOff(messages: readonly ModelMessage[]): boolean {
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
  return false;
}

/**
 * Whether `tool_choice: none` leaves the prefix unchanged. OpenAI keeps it out of the cache key. The
 * AI SDK's Anthropic provider then drops the tools, and chat templates of local servers may too.
 */
export function keepsPrefixWithoutTools({ provider }: { readonly provider: string }): boolean {
  return /^(openai|azure)\./.test(provider);
}
