import { inspect } from 'node:util';
import {
  type Combination,
  isFull,
  pairwise,
  selected,
} from '@toolfold/testing/test/combinations.test-support.ts';
import {
  convertToModelMessages,
  createAgentUIStream,
  isStepCount,
  isToolUIPart,
  type LanguageModel,
  type ModelMessage,
  readUIMessageStream,
  ToolLoopAgent,
  type ToolSet,
  type UIMessage,
  validateUIMessages,
} from 'ai';
import type { FoldFields } from '../../src/index.ts';
import {
  callOf,
  fieldsOf,
  GO,
  type Kind,
  type MODES,
  nameOf,
  type Part,
  type Said,
  type Settings,
  say,
  type World,
} from '../policy/attacks.test-support.ts';

export const STRATEGIES = ['dispatch', 'bridge', 'native', 'eager', 'lazy'] as const;
export type Strategy = (typeof STRATEGIES)[number];
export type Mode = (typeof MODES)[number];
/** How messages get to the SDK. */
export const ROUTES = ['generateText', 'streamText', 'validated UI', 'agent UI'] as const;
export type Route = (typeof ROUTES)[number];
export const SECRET = { experimental_toolApprovalSecret: 'a secret of the test' };

/** A call of a group's tool in the form of the strategy, or of an own tool by its name. */
export function calling(strategy: Strategy, kind: Kind, input: unknown, id = 'id_1'): Part {
  return callingTool(strategy, kind, nameOf(kind), input, id);
}

export function callingTool(
  strategy: Strategy,
  kind: Kind,
  name: string,
  input: unknown,
  toolCallId = 'id_1',
): Part {
  if (kind === 'deferred' && strategy === 'dispatch')
    return callOf('deferred_tool_call', { tool_name: name, arguments: input }, { toolCallId });
  if (kind === 'deferred' && strategy === 'bridge')
    return callOf('tool_call', { name, arguments: input }, { toolCallId });
  return callOf(name, input, { toolCallId });
}

/** A fold of this strategy with the tool `act`, as its own or in the group `g`. */
export function foldOf(
  strategy: Strategy,
  kind: Kind,
  made: object,
  model: LanguageModel,
  { fold, view }: World = {},
): FoldFields<ToolSet> {
  const capabilities = [{ provider: '*', model: '*', forms: ['anthropic-inline' as const] }];
  return fieldsOf(kind, made, model, {
    fold: {
      strategy,
      onWarning: () => {},
      ...(strategy === 'native' ? { capabilities } : {}),
      ...fold,
    },
    ...(view && { view }),
  });
}

type Order = (a: string, b: string) => number;
const byBytes: Order = (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b));
/** PostgreSQL's `jsonb` orders the keys of an object by their length, then by their bytes. */
const asJsonb: Order = (a, b) => Buffer.byteLength(a) - Buffer.byteLength(b) || byBytes(a, b);

function sorted<T>(value: T, order: Order): T {
  if (Array.isArray(value)) return value.map((each) => sorted(each, order)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => order(a, b));
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each, order)])) as T;
}

const throughJson = <T>(value: T): T => JSON.parse(JSON.stringify(value));

/** What a store of messages makes of them. */
export const STORES: Readonly<Record<string, <T>(value: T) => T>> = {
  'kept in memory': (value) => value,
  structuredClone: (value) => structuredClone(value),
  JSON: throughJson,
  'keys sorted': (value) => sorted(throughJson(value), byBytes),
  jsonb: (value) => sorted(throughJson(value), asJsonb),
};
export const SORTING = ['keys sorted', 'jsonb'] as const;

/** A conversation: model messages, and UI messages of the same turns if the route has them. */
export interface Talk {
  readonly messages: ModelMessage[];
  readonly ui: UIMessage[];
}

/** A question to the user: the id of the call, and the input that is shown. */
export interface Question {
  readonly id: string;
  readonly approvalId: string;
  readonly input: unknown;
  /** The input as `textOf` writes it when the question is asked. */
  readonly text: string;
  /** The reason of the question, which names arguments that the input cannot show. */
  readonly reason: string;
}

/** A value as text, for comparison: with its classes, but dates as JSON has them. */
export function textOf(value: unknown): string {
  const plain = (part: unknown): unknown => {
    if (part instanceof Date) return part.toISOString();
    if (Array.isArray(part)) return part.map(plain);
    if (typeof part !== 'object' || part === null) return part;
    if (Object.getPrototypeOf(part) !== Object.prototype) return part;
    return Object.fromEntries(Object.entries(part).map(([key, each]) => [key, plain(each)]));
  };
  return inspect(plain(value), { depth: null, sorted: true, breakLength: Infinity });
}

export interface Turn extends Talk {
  readonly asked: readonly Question[];
}

export const START: Talk = {
  messages: GO,
  ui: [{ id: 'u0', role: 'user', parts: [{ type: 'text', text: 'Go.' }] }],
};

/** Plays one turn on a route and returns what the user was asked in it. */
export async function turn(
  route: Route,
  talk: Talk,
  fields: FoldFields<ToolSet>,
  settings: Settings = {},
): Promise<Turn> {
  if (route === 'generateText' || route === 'streamText') {
    const said = await say(route, structuredClone(talk.messages), { ...fields, ...settings });
    return { messages: said.messages, ui: talk.ui, asked: askedIn(said) };
  }
  const isAnswered = talk.ui.at(-1)?.role === 'assistant';
  if (route === 'validated UI' && isAnswered) {
    const { tools } = fields;
    const checked = await validateUIMessages({ messages: talk.ui, tools: tools as never });
    const messages = await convertToModelMessages(checked, { tools });
    const said = await say('generateText', messages, { ...fields, ...settings });
    return { messages: said.messages, ui: talk.ui, asked: askedIn(said) };
  }
  return agentTurn(talk, fields, settings);
}

async function agentTurn(talk: Talk, fields: FoldFields<ToolSet>, settings: object): Promise<Turn> {
  const errors: unknown[] = [];
  const onError = ({ error }: { error: unknown }) => void errors.push(error);
  const all = { stopWhen: isStepCount(6), maxRetries: 0, ...fields, ...settings, onError };
  const uiMessages: UIMessage[] = structuredClone(talk.ui);
  const last = uiMessages.at(-1);
  const stream = await createAgentUIStream({
    agent: new ToolLoopAgent(all as never),
    uiMessages,
    onError: String,
  } as never);
  const [toRead, toKeep] = stream.tee();
  const message = last?.role === 'assistant' ? { message: last } : {};
  const inputs = new Map<string, unknown>();
  const asked: Question[] = [];
  const reading = (async () => {
    for await (const chunk of toKeep as unknown as AsyncIterable<Part>) {
      const id = chunk.toolCallId as string;
      if (chunk.type === 'tool-input-available') inputs.set(id, chunk.input);
      if (chunk.type === 'tool-approval-request' && chunk.isAutomatic !== true)
        asked.push({
          ...shownAs(id, inputs.get(id), chunk.reason),
          approvalId: chunk.approvalId as string,
        });
    }
  })();
  let final: UIMessage | undefined;
  for await (const state of readUIMessageStream({ stream: toRead as never, ...message }))
    final = structuredClone(state);
  await reading;
  if (errors.length > 0) throw errors[0];
  const kept = last?.role === 'assistant' ? uiMessages.slice(0, -1) : uiMessages;
  const ui = final ? [...kept, final] : kept;
  const { tools } = fields;
  return { ui, messages: await convertToModelMessages(ui, { tools }), asked };
}

function askedIn({ content }: Said): Question[] {
  return content.flatMap((part) => {
    if (part.type !== 'tool-approval-request' || ('isAutomatic' in part && part.isAutomatic))
      return [];
    const { approvalId, toolCall, reason } = part as never as {
      approvalId: string;
      reason: unknown;
      toolCall: { toolCallId: string; input: unknown };
    };
    return [{ ...shownAs(toolCall.toolCallId, toolCall.input, reason), approvalId }];
  });
}

function shownAs(id: string, input: unknown, reason: unknown) {
  return { id, input: structuredClone(input), text: textOf(input), reason: String(reason ?? '') };
}

/** The talk with the user's answer to every question, in both forms. */
export function answered(talk: Talk, approved = true): Talk {
  const { messages, ui } = structuredClone(talk);
  const parts = messages.flatMap(partsOf);
  const said = new Set(
    parts.flatMap(({ type, approvalId }) => (type === 'tool-approval-response' ? approvalId : [])),
  );
  const content = parts.flatMap(({ type, approvalId, isAutomatic }) =>
    type === 'tool-approval-request' && isAutomatic !== true && !said.has(approvalId)
      ? { type: 'tool-approval-response' as const, approvalId: approvalId as string, approved }
      : [],
  );
  for (const part of uiCalls(ui))
    if (part.state === 'approval-requested')
      Object.assign(part, {
        state: 'approval-responded',
        approval: { ...part.approval, approved },
      });
  const last = messages.at(-1);
  if (last?.role !== 'tool')
    return { messages: [...messages, { role: 'tool', content }], ui: [...ui] };
  const joined = { ...last, content: [...last.content, ...content] };
  return { messages: [...messages.slice(0, -1), joined], ui };
}

export function partsOf({ content }: ModelMessage): Part[] {
  return typeof content === 'string' ? [] : (content as unknown as Part[]);
}

export function uiCalls(ui: readonly UIMessage[]): (Part & { approval?: { id: string } })[] {
  return (ui.at(-1)?.parts ?? []).filter(isToolUIPart) as never;
}

/** The most rows of one test in `npm run test:full`, besides one for each pair of settings. */
const MOST_ROWS = 150;

/** The rows that a run selects; `npm run test:full` plays more than the pairs, but not all. */
export function someOf<const T extends Combination>(all: readonly T[]): readonly T[] {
  if (!isFull) return selected(all);
  const pairs = pairwise(all);
  const step = Math.max(1, Math.floor(all.length / MOST_ROWS));
  const chosen = new Set<T>(pairs);
  return all.filter((row, index) => index % step === 0 || chosen.has(row));
}

/** The text of a case, for messages of assertions. */
const at = (row: object): string =>
  Object.values(row)
    .map((value) => (typeof value === 'object' ? JSON.stringify(value) : String(value)))
    .join(' | ');

/** Plays every row, and fails with all that failed; it ends after `most` failures. */
export async function each<T extends object>(
  rows: readonly T[],
  play: (row: T) => Promise<void>,
  most: number = Infinity,
): Promise<void> {
  const failed: string[] = [];
  for (const row of rows)
    try {
      if (failed.length >= most) break;
      await play(row);
    } catch (error) {
      // The whole message of the first, and of the others where they are.
      const text = String((error as Error).message);
      const shown = failed.length === 0 ? text : text.slice(0, Math.max(text.indexOf('\n'), 0));
      failed.push(`  ${at(row)}: ${shown}`);
    }
  const more = failed.length > 6 ? `\n  and ${failed.length - 6} more` : '';
  if (failed.length > 0)
    throw new Error(
      `${failed.length} of ${rows.length} cases fail\n${failed.slice(0, 6).join('\n')}${more}`,
    );
}
