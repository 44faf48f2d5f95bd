import { TURN_LIMITS } from '@toolfold/config/internal/settings';
import { ownProperty, parsedJson, pick } from '@toolfold/core/internal/values';
import type { ModelMessage } from 'ai';
import { areSamePlain, type Kinds, type ResultPart, type Write } from '../entries/index.ts';
import type { Budget, DecisionSource } from '../events/index.ts';
import { type AgentOptions, settingsOf } from '../options/index.ts';
import { roleIn } from '../routing/index.ts';
import {
  type ConversationState,
  type MessagePart,
  TOOLS_ARE_OFF,
  USER_WROTE,
} from '../state/index.ts';

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

/**
 * What the AI SDK itself has decided about the calls of the last answer, as entries: what it has made of their
 * arguments, and the results of calls that it has not run. `messages`: as the SDK goes on with them.
 */
export function adopted(
  state: ConversationState,
  messages: readonly ModelMessage[],
  isReal: (name: string) => boolean,
): Write[] {
  const { messages: written, open: openCalls } = state;
  const parts = lastParts(messages);
  const known = new Map<string, ToolCallPart>();
  for (const part of lastParts(written))
    if (part.type === 'tool-call') known.set(part.toolCallId, part);
  const open = new Map(openCalls.map((call) => [call.id, call]));
  const inputs = parts.flatMap((part): Write[] => {
    const before = part.type === 'tool-call' ? known.get(part.toolCallId) : undefined;
    if (part.type !== 'tool-call' || !before) return [];
    const { toolCallId: id, toolName: name, input } = part;
    const isSame = name === before.toolName && areSamePlain(input, before.input);
    return isSame ? [] : [['input', { id, name, input }]];
  });
  if (open.size === 0) return inputs;
  const denials = decisionsIn(parts, state.asked);
  const results = parts.flatMap((part): Write[] => {
    const call = part.type === 'tool-result' ? open.get(part.toolCallId) : undefined;
    if (part.type !== 'tool-result' || !call) return [];
    const { id } = call;
    const isShown = isReal(call.name) || state.calls.has(id);
    const name = state.calls.get(id) ?? call.name;
    const denial = denials.get(id);
    const source = denial && pick({ source: sourceOf(denial.reason, call.options) }, 'source');
    const event = denial && { type: 'decision' as const, id, name, ...denial, ...source };
    const result: Write = ['result', resultOf({ id, name }, part.output, !isShown)];
    return event && isShown ? [['event', { event }], result] : [result];
  });
  return [...inputs, ...results];
}

type ToolCallPart = Extract<MessagePart, { type: 'tool-call' }>;

/** The parts of the last answer and of the messages behind it. */
function lastParts(messages: readonly ModelMessage[]): readonly MessagePart[] {
  const at = messages.findLastIndex(({ role }) => role === 'assistant');
  return messages
    .slice(Math.max(0, at))
    .flatMap(({ content }): readonly MessagePart[] => (typeof content === 'string' ? [] : content));
}

type Denial = Pick<Kinds['answer'], 'approved' | 'reason' | 'approvalId'>;

/** Calls that were denied without asking the user, by call id. */
function decisionsIn(
  parts: readonly MessagePart[],
  asked: ConversationState['asked'],
): Map<string, Denial> {
  const calls = new Map<string, string>();
  const denials = new Map<string, Denial>();
  for (const part of parts) {
    if (part.type === 'tool-approval-request') calls.set(part.approvalId, part.toolCallId);
    if (part.type !== 'tool-approval-response' || part.approved || asked.has(part.approvalId))
      continue;
    const { approvalId } = part;
    const id = calls.get(approvalId);
    if (id !== undefined) denials.set(id, { approved: false, approvalId, ...pick(part, 'reason') });
  }
  return denials;
}

/** Who made an automatic decision; undefined if it is not known. */
function sourceOf(reason: string | undefined, options: unknown): DecisionSource | undefined {
  if (reason === NO_ROUNDS || reason === TOOLS_ARE_OFF || reason === USER_WROTE) return 'policy';
  const answer = ownProperty(ownProperty(options, 'toolfold'), 'e');
  const error = typeof answer === 'string' ? ownProperty(parsedJson(answer), 'error') : undefined;
  return error === 'denied' ? 'hook' : undefined;
}

function resultOf(
  { id, name }: { readonly id: string; readonly name: string },
  output: ResultPart['output'],
  isBridge: boolean,
): Kinds['result'] {
  const bridge = isBridge ? { isBridge: true as const } : {};
  if (output.type === 'execution-denied')
    return { id, name, error: 'The call was denied.', denied: output.reason ?? null, ...bridge };
  const text = typeof output.value === 'string' ? output.value : JSON.stringify(output.value);
  if (output.type.startsWith('error')) return { id, name, error: text, shown: output, ...bridge };
  return { id, name, output: output.value, shown: output, ...bridge };
}
