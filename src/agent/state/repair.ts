import type { AssistantModelMessage, ModelMessage, ToolModelMessage } from 'ai';
import { plainCount } from '../../tools/values/index.ts';
import type { Content, ResultPart } from '../entries/index.ts';
import { UNKNOWN_OUTCOME } from './broken-off.ts';

type Call = Extract<Content, { type: 'tool-call' }>;

/** Messages that a provider accepts, and a remark for each kind of repair. */
export interface Repaired {
  readonly messages: ModelMessage[];
  readonly remarks: readonly string[];
}

/** For each problem: the noun that is counted, and the rest of the remark. */
const REMARKS = {
  orphans: ['tool result', 'without a call: removed'],
  seconds: ['tool result', 'for calls that already have one: removed'],
  moved: ['tool result', 'not directly after the call: moved there'],
  unanswered: ['call', 'without a result: marked for the model as unknown outcome'],
  repeated: ['call', 'with the id of another call in the same answer: removed'],
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
  const { results, repeated } = matched(given);
  /** Call ids of requested approvals, by approval id. */
  const asked = new Map<string, string>();
  /** The ids of calls that have a result. */
  const answered = new Set<string>();
  const moved = new Set<object>();
  /** Calls whose results may come in the next message. */
  let open: Call[] = [];

  /** Adds results for open calls. */
  const close = (calls: readonly Call[]): void => {
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
  const takeCalls = (message: AssistantModelMessage): AssistantModelMessage => {
    if (typeof message.content === 'string') return message;
    const content = message.content.filter((part) => {
      if (part.type === 'tool-approval-request') asked.set(part.approvalId, part.toolCallId);
      if (part.type !== 'tool-call' || part.providerExecuted) return true;
      if (repeated.has(part)) count('repeated');
      else open.push(part);
      answered.delete(part.toolCallId);
      return !repeated.has(part);
    });
    return content.length === message.content.length ? message : { ...message, content };
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

  for (const message of given) {
    if (message.role === 'tool') {
      takeResults(message);
      continue;
    }
    close(open);
    if (isEmpty(message)) count('empty');
    else messages.push(message.role === 'assistant' ? takeCalls(message) : message);
  }
  const waiting = new Set(asked.values());
  close(open.filter(({ toolCallId }) => !waiting.has(toolCallId)));
  const remarks = [...counts].map(([kind, count]) => {
    const [noun, rest] = REMARKS[kind];
    return `The given messages contain ${plainCount(count, noun)} ${rest}.`;
  });
  return { messages, remarks };
}

/** The result of each call: the first one behind it, unless another call with its id stands between. */
function matched(messages: readonly ModelMessage[]): {
  readonly results: ReadonlyMap<Call, ResultPart>;
  /** Calls with the id of another one in the same answer. */
  readonly repeated: ReadonlySet<Call>;
} {
  const results = new Map<Call, ResultPart>();
  const repeated = new Set<Call>();
  const open = new Map<string, Call>();
  for (const { content } of messages) {
    const ids = new Set<string>();
    for (const part of typeof content === 'string' ? [] : content) {
      if (part.type === 'tool-call' && !part.providerExecuted) {
        if (ids.has(part.toolCallId)) repeated.add(part);
        else open.set(part.toolCallId, part);
        ids.add(part.toolCallId);
      }
      const call = part.type === 'tool-result' ? open.get(part.toolCallId) : undefined;
      if (call && part.type === 'tool-result') results.set(call, part);
      if (call) open.delete(call.toolCallId);
    }
  }
  return { results, repeated };
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
