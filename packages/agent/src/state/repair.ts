import { unusedId } from '@toolfold/ai-sdk/internal/messages';
import { plainCount } from '@toolfold/core/internal/values';
import type { AssistantModelMessage, ModelMessage, ToolModelMessage } from 'ai';
import type { Content, ResultPart } from '../entries/index.ts';
import { partsOf, UNKNOWN_OUTCOME } from './messages.ts';

type ToolCallPart = Extract<Content, { type: 'tool-call' }>;

/** Messages that a provider accepts, and a remark for each kind of repair. */
interface Repaired {
  readonly messages: ModelMessage[];
  readonly remarks: readonly string[];
}

/** For each problem: the noun that is counted, and the rest of the remark. */
const REMARKS = {
  orphans: ['tool result', 'without a call: removed'],
  seconds: ['tool result', 'for calls that already have one: removed'],
  moved: ['tool result', 'not directly after the call: moved there'],
  unanswered: ['call', 'without a result: marked for the model as unknown outcome'],
  strays: ['answer', 'to unknown approvals: removed'],
  empty: ['message', 'without content: removed'],
} as const;

/**
 * Repairs a conversation whose calls and results do not match. Every provider refuses such messages.
 * Calls at the end stay open if they wait for an approval or have just been approved.
 */
export function repaired(given: readonly ModelMessage[]): Repaired {
  const messages: ModelMessage[] = [];
  const counts = new Map<keyof typeof REMARKS, number>();
  const count = (kind: keyof typeof REMARKS) => counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const identified = withOwnIds(given);
  const results = matched(identified);
  /** Call ids of requested approvals, by approval id. */
  const asked = new Map<string, string>();
  /** The ids of calls that have a result. */
  const answered = new Set<string>();
  const moved = new Set<object>();
  /** Calls whose results may come in the next message. */
  let open: ToolCallPart[] = [];

  /** Adds results for open calls. */
  const close = (calls: readonly ToolCallPart[]): void => {
    const added = calls.map((call): ResultPart => {
      const { toolCallId, toolName } = call;
      const later = results.get(call);
      if (later) moved.add(later);
      count(later ? 'moved' : 'unanswered');
      answered.add(toolCallId);
      const output = { type: 'error-text' as const, value: UNKNOWN_OUTCOME };
      return later ?? { type: 'tool-result', toolCallId, toolName, output };
    });
    open = open.filter((call) => !calls.includes(call));
    if (added.length === 0) return;
    const last = messages.at(-1);
    if (last?.role === 'tool')
      messages.splice(-1, 1, { ...last, content: [...added, ...last.content] });
    else messages.push({ role: 'tool', content: added });
  };
  const takeCalls = ({ content }: AssistantModelMessage): void => {
    for (const part of typeof content === 'string' ? [] : content) {
      if (part.type === 'tool-approval-request') asked.set(part.approvalId, part.toolCallId);
      if (part.type === 'tool-call' && !part.providerExecuted) open.push(part);
    }
  };
  const takeResults = (message: ToolModelMessage): void => {
    const content = message.content.filter((part) => {
      if (part.type === 'tool-approval-response') {
        if (!asked.has(part.approvalId)) count('strays');
        return asked.has(part.approvalId);
      }
      if (part.type !== 'tool-result') return true;
      const call = open.find((one) => results.get(one) === part);
      if (call) open.splice(open.indexOf(call), 1);
      else if (!moved.has(part)) count(answered.has(part.toolCallId) ? 'seconds' : 'orphans');
      if (call) answered.add(part.toolCallId);
      return call !== undefined;
    });
    if (content.length === 0) return;
    const isWhole = content.length === message.content.length;
    messages.push(isWhole ? message : { ...message, content });
  };

  for (const message of identified) {
    if (message.role === 'tool') {
      takeResults(message);
      continue;
    }
    close(open);
    if (message.role === 'assistant') takeCalls(message);
    if (isEmpty(message)) count('empty');
    else messages.push(message);
  }
  const waiting = new Set(asked.values());
  close(open.filter(({ toolCallId }) => !waiting.has(toolCallId)));
  const remarks = [...counts].map(([kind, count]) => {
    const [noun, rest] = REMARKS[kind];
    return `The given messages contain ${plainCount(count, noun)} ${rest}.`;
  });
  return { messages, remarks };
}

/**
 * The messages with an id of its own for each call. Results and questions belong to the calls of the last answer
 * that has some with their id, in the order of the calls.
 */
function withOwnIds(given: readonly ModelMessage[]): readonly ModelMessage[] {
  const all = partsOf(given).flatMap((part) => (part.type === 'tool-call' ? part.toolCallId : []));
  if (!all.includes('') && new Set(all).size === all.length) return given;
  const used = new Set<string>();
  /** For each id in the messages, those of the calls of the last answer, and how many have a result. */
  const calls = new Map<string, { readonly ids: string[]; results: number }>();
  const resultOf = <P extends { readonly toolCallId: string }>(part: P): P => {
    const found = calls.get(part.toolCallId);
    const toolCallId = found?.ids[Math.min(found.results, found.ids.length - 1)];
    if (found) found.results++;
    return toolCallId === undefined ? part : { ...part, toolCallId };
  };
  return given.map((message) => {
    if (typeof message.content === 'string') return message;
    if (message.role === 'tool')
      return {
        ...message,
        content: message.content.map((part) =>
          part.type === 'tool-result' ? resultOf(part) : part,
        ),
      };
    if (message.role !== 'assistant') return message;
    const here = new Set<string>();
    const content = message.content.map((part) => {
      if (part.type === 'tool-approval-request')
        return { ...part, toolCallId: calls.get(part.toolCallId)?.ids.at(-1) ?? part.toolCallId };
      if (part.type !== 'tool-call') return part;
      const { toolCallId: before } = part;
      const toolCallId = part.providerExecuted ? before : unusedId(before, used);
      used.add(toolCallId);
      if (part.providerExecuted) return part;
      if (here.has(before)) calls.get(before)?.ids.push(toolCallId);
      else calls.set(before, { ids: [toolCallId], results: 0 });
      here.add(before);
      return toolCallId === before ? part : { ...part, toolCallId };
    });
    return { ...message, content };
  });
}

/** The result of each call: the first one behind it. */
function matched(messages: readonly ModelMessage[]): ReadonlyMap<ToolCallPart, ResultPart> {
  const results = new Map<ToolCallPart, ResultPart>();
  const open = new Map<string, ToolCallPart>();
  for (const part of partsOf(messages)) {
    if (part.type === 'tool-call' && !part.providerExecuted) open.set(part.toolCallId, part);
    const call = part.type === 'tool-result' ? open.get(part.toolCallId) : undefined;
    if (call && part.type === 'tool-result') results.set(call, part);
    if (call) open.delete(call.toolCallId);
  }
  return results;
}

/**
 * Whether a message has no content. Providers refuse those. An empty text with provider options (an
 * OpenAI item) was sent back to the provider before, so it stays to keep the cached prefix.
 */
function isEmpty({ role, content }: ModelMessage): boolean {
  if (role === 'system' || role === 'tool') return false;
  if (typeof content === 'string') return content.trim() === '';
  return content.every(
    (part) => part.type === 'text' && part.text.trim() === '' && part.providerOptions === undefined,
  );
}
