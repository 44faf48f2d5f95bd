import type { ModelMessage } from 'ai';
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

/** Notice for the model when its rounds are used up. */
export const ROUNDS_SPENT =
  '[Notice from the application, not from the user: no rounds of tools are left in this turn. Answer now with what you have, and say what is still to be done; the user can let you go on.]';

/** Reason of a call that is denied because no round is left. */
export const NO_ROUNDS = 'No tool rounds are left in this turn.';

/**
 * Whether `tool_choice: none` leaves the prefix unchanged. OpenAI keeps it out of the cache key. The
 * AI SDK's Anthropic provider then drops the tools, and chat templates of local servers may too.
 */
export function keepsPrefixWithoutTools({ provider }: { readonly provider: string }): boolean {
  return /^(openai|azure)\./.test(provider);
}
