import { ownProperty, parsedJson, pick } from '@toolfold/core/internal/tools/values';
import type { ModelMessage } from 'ai';
import { areSamePlain, type Kinds, type ResultPart, type Write } from '../entries/index.ts';
import type { DecisionSource } from '../events/index.ts';
import { type ConversationState, type Part, TOOLS_ARE_OFF, USER_WROTE } from '../state/index.ts';
import { NO_ROUNDS } from './rounds.ts';

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
  const known = new Map<string, Call>();
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

type Call = Extract<Part, { type: 'tool-call' }>;

/** The parts of the last answer and of the messages behind it. */
function lastParts(messages: readonly ModelMessage[]): readonly Part[] {
  const at = messages.findLastIndex(({ role }) => role === 'assistant');
  return messages
    .slice(Math.max(0, at))
    .flatMap(({ content }): readonly Part[] => (typeof content === 'string' ? [] : content));
}

type Denial = Pick<Kinds['answer'], 'approved' | 'reason' | 'approvalId'>;

/** Calls that were denied without asking the user, by call id. */
function decisionsIn(
  parts: readonly Part[],
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
