import { readRound, readStamp } from '@toolfold/core/internal/host';
import { Bridges } from '@toolfold/core/internal/tool';
import { isRecord, parsedJson } from '@toolfold/core/internal/values';
import type { ModelMessage } from 'ai';
import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '../protocol/index.ts';
import { isNotePart, readKeptText } from './notes.ts';

/** A message in the form for providers, or in the form that the SDK passes to tools. */
export type SdkMessage = LanguageModelV4Message | ModelMessage;

type AssistantPart = Exclude<
  Extract<LanguageModelV4Message, { role: 'assistant' }>['content'],
  string
>[number];
type CallPart = Extract<AssistantPart, { type: 'tool-call' }>;
type ResultPart = Extract<AssistantPart, { type: 'tool-result' }>;
type ToolPart = Extract<LanguageModelV4Message, { role: 'tool' }>['content'][number];
type Output = ResultPart['output'];

interface Round {
  readonly parts: AssistantPart[];
  readonly results: ResultPart[];
}

/** The result of a call whose own result is missing. Providers refuse a call without one. */
const LOST = 'The result of this call was lost. Call again if you need it.';

/**
 * Splits each assistant message that holds rounds which were answered inside a model call into the
 * messages that ordinary steps would have left: the calls of a round, then their results. Returns the
 * same list if there is nothing to split. `isBridge`: recognizes these calls if a client dropped the
 * metadata.
 */
export function splitRounds<M extends SdkMessage>(
  messages: readonly M[],
  isBridge: (name: string) => boolean,
): readonly M[] {
  const isInside = (part: AssistantPart): part is CallPart =>
    part.type === 'tool-call' &&
    part.providerExecuted === true &&
    (readStamp(part.providerOptions)?.k !== undefined || isBridge(part.toolName));
  const holdsRounds = ({ role, content }: SdkMessage) =>
    role === 'assistant' &&
    typeof content !== 'string' &&
    (content as AssistantPart[]).some(isInside);
  if (!messages.some(holdsRounds)) return messages;
  const split: SdkMessage[] = [];
  // Results of the last round belong to the tool message that follows.
  let open: ResultPart[] = [];
  const close = () => {
    if (open.length > 0) split.push({ role: 'tool', content: open });
    open = [];
  };
  // What an app's own `toolApproval` has said of calls that had their answer.
  let isLate: (part: ToolPart) => boolean = () => false;
  for (const message of messages as readonly LanguageModelV4Message[]) {
    if (message.role === 'tool') {
      const content = [...open, ...message.content.filter((part) => !isLate(part))];
      if (content.length > 0 || message.content.length === 0) split.push({ ...message, content });
      open = [];
      continue;
    }
    close();
    isLate = () => false;
    if (message.role !== 'assistant' || !holdsRounds(message)) {
      split.push(message);
      continue;
    }
    isLate = lateFor(message.content, isInside);
    const rounds = roundsOf(message.content, isInside);
    const { providerOptions: _, ...earlier } = message;
    rounds.forEach(({ parts, results }, index) => {
      close();
      // Options of the message, such as a cache marker, hold for its end.
      const frame = index === rounds.length - 1 ? message : earlier;
      if (parts.length > 0) split.push({ ...frame, content: parts });
      open = results;
    });
  }
  close();
  return split as M[];
}

/** The parameters of a request with the rounds of its prompt split; the same object if there are none. */
export function withSplitRounds(
  params: LanguageModelV4CallOptions,
  isBridge: (name: string) => boolean,
): LanguageModelV4CallOptions {
  const prompt = splitRounds(params.prompt, isBridge);
  return prompt === params.prompt ? params : { ...params, prompt: [...prompt] };
}

function roundsOf(
  content: readonly AssistantPart[],
  isInside: (part: AssistantPart) => part is CallPart,
): readonly Round[] {
  const calls = content.filter(isInside);
  const ids = new Set(calls.map((call) => call.toolCallId));
  const results = resultsOf(content, calls);
  const marked = roundNumbers(content, calls, ids);
  const pending = new Map<number, number>();
  for (const round of marked.values()) pending.set(round, (pending.get(round) ?? 0) + 1);
  const trailing = new Map<number, number>();
  for (const [call, round] of marked) {
    const options = results.get(call)?.providerOptions;
    // The SDK shows the call's own metadata as the result's, if a client dropped the latter.
    const { k, z } = readStamp(options) ? {} : readRound(options);
    // Without metadata, the model was asked again after each result.
    const after = z ?? (k === undefined ? 0 : undefined);
    if (after !== undefined) trailing.set(round, after);
  }
  const rounds: Round[] = [];
  const at = (round: number): Round => {
    while (rounds.length <= round) rounds.push({ parts: [], results: [] });
    return rounds[round] as Round;
  };
  let current = 0;
  // The result of an ordinary call is in the next message, so its round is the last one. It may be followed
  // by other rounds if a client joined the steps of an answer.
  let isLast = false;
  for (const part of content) {
    const isOrdinary = part.type === 'tool-call' && !part.providerExecuted;
    if (isInside(part)) {
      if (!isLast) current = marked.get(part) ?? current;
      pending.set(current, (pending.get(current) ?? 1) - 1);
      const { providerExecuted: _, ...call } = part;
      at(current).parts.push(call);
      at(current).results.push(resultOf(part, results.get(part)));
    } else if (!isAnswerTo(part, ids)) {
      const left = isLast ? undefined : trailing.get(current);
      if (left !== undefined && pending.get(current) === 0) {
        if (left > 0 && !isNotePart(part)) trailing.set(current, left - 1);
        else current++;
      }
      at(current).parts.push(readKeptText(part) ?? part);
    }
    isLast ||= isOrdinary;
  }
  return rounds;
}

/** The result of each call. A client may have joined responses that use the same ids. */
function resultsOf(
  content: readonly AssistantPart[],
  calls: readonly CallPart[],
): ReadonlyMap<CallPart, ResultPart> {
  const byId = new Map<string, ResultPart[]>();
  for (const part of content)
    if (part.type === 'tool-result')
      byId.set(part.toolCallId, [...(byId.get(part.toolCallId) ?? []), part]);
  return new Map(
    calls.flatMap((call) => {
      const result = byId.get(call.toolCallId)?.shift();
      return result ? [[call, result]] : [];
    }),
  );
}

/** The round of each call. Calls without a mark begin a new round after each result. */
function roundNumbers(
  content: readonly AssistantPart[],
  calls: readonly CallPart[],
  ids: ReadonlySet<string>,
): ReadonlyMap<CallPart, number> {
  const numbers = new Map<CallPart, number>();
  const inside = new Set<AssistantPart>(calls);
  let round = 0;
  let hasResult = false;
  for (const part of content) {
    if (part.type === 'tool-result' && ids.has(part.toolCallId)) hasResult = true;
    if (part.type !== 'tool-call' || !inside.has(part)) continue;
    const { k } = readStamp(part.providerOptions) ?? {};
    if (k === undefined && hasResult) round++;
    // A browser may have changed the marks: the order of the parts stays.
    else if (k !== undefined) round = Math.max(round, Math.min(k, numbers.size));
    hasResult = false;
    numbers.set(part, round);
  }
  return numbers;
}

/**
 * Which parts of the next message are second results of calls that were answered inside, or approvals of
 * them. The SDK asks an app's own `toolApproval` about these calls too.
 */
function lateFor(
  content: readonly AssistantPart[],
  isInside: (part: AssistantPart) => part is CallPart,
): (part: ToolPart) => boolean {
  const calls = content.filter((part) => part.type === 'tool-call');
  const others = calls.filter((call) => !isInside(call));
  const ids = new Set(calls.filter(isInside).map(({ toolCallId }) => toolCallId));
  for (const { toolCallId } of others) ids.delete(toolCallId);
  // In a prompt, approvals are for calls that a provider runs. Its own calls may need one.
  const mayNeed = others.some(({ providerExecuted }) => providerExecuted);
  return (part) => (part.type === 'tool-result' ? ids.has(part.toolCallId) : !mayNeed);
}

/** Whether the part is the result of such a call, or a question about it. */
function isAnswerTo(part: AssistantPart, ids: ReadonlySet<string>): boolean {
  const { type } = part as { readonly type: string };
  return (
    (type === 'tool-result' || type === 'tool-approval-request') &&
    ids.has((part as unknown as ResultPart).toolCallId)
  );
}

function resultOf({ toolCallId, toolName }: CallPart, result: ResultPart | undefined): ResultPart {
  if (!result) {
    const output = { type: 'error-text' as const, value: LOST };
    return { type: 'tool-result', toolCallId, toolName, output };
  }
  return { ...result, toolName, output: asOfStep(result.output) };
}

/**
 * The output in the form that an ordinary step gives it. Answers travel as the text of their JSON,
 * because some stores sort the keys of objects.
 */
function asOfStep(output: Output): Output {
  if (output.type === 'error-json' && typeof output.value === 'string')
    return { type: 'error-text', value: output.value };
  const text = output.type === 'text' || output.type === 'json' ? output.value : undefined;
  const value = typeof text === 'string' ? parsedJson(text) : undefined;
  return isRecord(value) ? { type: 'json', value: value as never } : output;
}

const bridges = new Bridges({}, undefined);

/**
 * Messages of a fold for a model without one, such as a model that writes titles: loads that were answered
 * inside a model call become ordinary calls with results. Some providers refuse messages in which a
 * provider's own call has no result of its own. Other messages stay as they are.
 */
export function stepMessages(messages: readonly ModelMessage[]): ModelMessage[] {
  return [...splitRounds(messages, (name) => bridges.kinds.get(name) !== undefined)];
}
