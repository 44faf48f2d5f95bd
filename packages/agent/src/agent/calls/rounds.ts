import { TURN_LIMITS } from '@toolfold/config/internal/config';
import type { ModelMessage } from 'ai';
import type { Budget } from '../events/index.ts';
import { type AgentOptions, settingsOf } from '../options/index.ts';
import { roleIn } from '../roles/index.ts';

/** The rounds of a turn: the model's setting, else the role's, else the agent's. */
export function roundsFor(
  options: AgentOptions,
  model: { provider: string; modelId: string },
): number {
  const { models = {}, fold, role, maxRounds = TURN_LIMITS.rounds } = options;
  const own = settingsOf(models, model).maxRounds;
  return own ?? roleIn(fold.roles, role)?.maxRounds ?? maxRounds;
}

/** Requests in a row that only load or search: no task needs so many before it calls a tool. */
export const LOADS_IN_A_ROW = 10;

/** The limits of a turn beside its rounds. */
export interface TurnBudget {
  readonly requests: number;
  readonly tokens: number;
}

/** The budget of a turn with so many rounds. */
export function budgetFor(
  { maxRequests, maxTokens = TURN_LIMITS.tokens }: AgentOptions,
  rounds: number,
): TurnBudget {
  return { requests: maxRequests ?? rounds + TURN_LIMITS.moreRequests, tokens: maxTokens };
}

/** Counts the last answers that only loaded or searched, since the last user message. */
export function loadsInARow(
  messages: readonly ModelMessage[],
  isReal: (toolName: string) => boolean,
): number {
  let count = 0;
  for (const { role, content } of messages.toReversed()) {
    if (role === 'user') break;
    if (role !== 'assistant') continue;
    const calls =
      typeof content === 'string' ? [] : content.filter(({ type }) => type === 'tool-call');
    if (calls.length === 0 || calls.some((part) => 'toolName' in part && isReal(part.toolName)))
      break;
    count++;
  }
  return count;
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

/** Notices for the model when another budget of its turn is used up. */
export const BUDGET_SPENT: Readonly<Record<Budget, string>> = {
  requests: budgetNotice('requests'),
  tokens: budgetNotice('tokens'),
  loads: `[Notice from the application, not from the user: ${LOADS_IN_A_ROW} answers in a row have only loaded or searched tools. Load and search no more: call a tool that you have found, or answer and say what is missing.]`,
};

function budgetNotice(what: string): string {
  return `[Notice from the application, not from the user: the ${what} of this turn are used up. Call no more tools. Answer now with what you have, and say what is still to be done; the user can let you go on.]`;
}

/** Reason of a call that is denied because no round is left. */
export const NO_ROUNDS = 'No tool rounds are left in this turn.';
export const NO_BUDGET = 'The budget of this turn is used up.';

/**
 * Whether `tool_choice: none` leaves the prefix unchanged. OpenAI keeps it out of the cache key. The
 * AI SDK's Anthropic provider then drops the tools, and chat templates of local servers may too.
 */
export function keepsPrefixWithoutTools({ provider }: { readonly provider: string }): boolean {
  return /^(openai|azure)\./.test(provider);
}
