import assert from 'node:assert/strict';
import type { FoldOptions, SdkToolGroup } from '@toolfold/ai-sdk';
import {
  dialectOf,
  ENDPOINTS,
  type Endpoint,
  NATIVE_ENDPOINTS,
  type NativeEndpoint,
} from '@toolfold/ai-sdk/test/endpoints.test-support.ts';
import { BRIDGE, DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import type {
  ModelServer,
  Reply,
  ReplyCall,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import type { RecordedRequest } from '@toolfold/testing/internal/wire/recorded-request.ts';
import type { ToolSet } from 'ai';
import { createRecall } from '../src/compaction/recall.ts';
import type { AgentEvent } from '../src/events/events.ts';
import type { Agent, AgentOptions } from '../src/options/options.ts';
import type { Session } from '../src/sessions/session.ts';
import { createSession, memoryStore } from '../src/sessions.ts';
import { begin } from './agent.test-support.ts';

/** One strategy on one endpoint, with the calls that a model makes there. */
export interface Way {
  readonly name: string;
  readonly strategy: NonNullable<FoldOptions<ToolSet>['strategy']>;
  readonly endpoint: Endpoint | NativeEndpoint;
  /** Whether all requests of an epoch share their beginning. */
  readonly holds: boolean;
  readonly call: (name: string, input: object) => ReplyCall;
  readonly load: ReplyCall | undefined;
}

const direct = (name: string, input: object): ReplyCall => ({ name, arguments: input });

function onEndpoint(endpoint: Endpoint): Way[] {
  const of = (strategy: Way['strategy'], way: Partial<Way> = {}): Way => {
    const name = `${strategy} on ${endpoint.name}`;
    return { name, strategy, endpoint, holds: true, call: direct, load: undefined, ...way };
  };
  return [
    of('dispatch', { call: DISPATCH.call, load: DISPATCH.load('mcp:files') }),
    of('bridge', { call: BRIDGE.call, load: BRIDGE.load('mcp:files', 'files__read') }),
    of('eager'),
    of('inject', { holds: false, load: DISPATCH.load('mcp:files') }),
    of('lazy', {
      holds: false,
      load: { name: 'request_tool', arguments: { name: 'files__read' } },
    }),
  ];
}

/** Every strategy on every endpoint, and every form of `native`. */
export const WAYS: readonly Way[] = [
  ...ENDPOINTS.flatMap(onEndpoint),
  ...NATIVE_ENDPOINTS.map((endpoint): Way => {
    const { call, load } = dialectOf(endpoint.form);
    const name = `native as ${endpoint.form}`;
    return { name, strategy: 'native', endpoint, holds: true, call, load: load('mcp:files') };
  }),
];

/** One way of each strategy. */
export const WAY_OF_EACH: readonly Way[] = WAYS.filter(
  (way) => way === WAYS.find(({ strategy }) => strategy === way.strategy),
);

/** The text of a file: long, and different for each one. */
export function fileText(path: string): string {
  return Array.from({ length: 400 }, (_, line) => `${path}, line ${line}: some words.`).join('\n');
}

const files: SdkToolGroup = {
  groupId: 'mcp:files',
  description: 'Files.',
  toolNames: ['read'],
  resultFormat: 'mcp',
  loader: async () => [
    {
      name: 'read',
      description: 'Reads a file.',
      inputSchema: {
        type: 'object',
        properties: { path: { type: 'string' } },
        required: ['path'],
      },
      execute: (input: unknown) => ({
        content: [{ type: 'text', text: fileText(String((input as { path: string }).path)) }],
      }),
    },
  ],
};

/** The groups of these agents. */
export const GROUPS: readonly SdkToolGroup[] = [files];

interface Begun {
  readonly talk: Agent;
  readonly session: Session;
}

interface Given {
  readonly agent?: Partial<AgentOptions>;
  readonly fold?: Partial<FoldOptions<ToolSet>>;
  readonly session?: Session;
}

/** An agent with a tool that returns long texts, on a scripted server, with a session in memory. */
export async function beginWay(
  server: ModelServer,
  { strategy, endpoint }: Way,
  { agent = {}, fold = {}, session }: Given = {},
): Promise<Begun> {
  const used = session ?? (await createSession(memoryStore()));
  const native = 'capabilities' in endpoint ? endpoint : undefined;
  const { talk } = begin(server, {
    endpoint,
    fold: {
      strategy,
      groups: GROUPS,
      tools: createRecall().tools as unknown as ToolSet,
      ...(native ? { capabilities: native.capabilities } : {}),
      ...fold,
    },
    agent: {
      session: used,
      settings: { maxRetries: 0, ...native?.settings },
      ...agent,
    },
  });
  return { talk, session: used };
}

/** Whether a request asks for a summary. */
export function isSummaryRequest({ raw }: RecordedRequest): boolean {
  return /Request from the application, not from the user: this conversation/.test(raw);
}

/** Whether a request holds a summary. */
export function hasSummary({ raw }: RecordedRequest): boolean {
  return /Summary from the application, not from the user/.test(raw);
}

/** Replies that read two files in one turn. */
export function reading(way: Way): Reply[] {
  return [
    ...(way.load ? [{ calls: [way.load] }] : []),
    { text: 'I read A.', calls: [way.call('files__read', { path: 'a.txt' })] },
    { text: 'I read B.', calls: [way.call('files__read', { path: 'b.txt' })] },
    { text: 'I have read both.' },
  ];
}

export function compactionIn(
  events: readonly AgentEvent[],
): Extract<AgentEvent, { type: 'compaction' }> {
  const found = events.filter((event) => event.type === 'compaction');
  const [only] = found;
  assert.equal(found.length, 1);
  return only ?? assert.fail();
}

/** The bytes of a request before its first message: tools and system text. */
export function fixedPart({ body }: RecordedRequest): string {
  const { tools, system, instructions, messages, input } = body;
  const list = [messages, input].find(Array.isArray) ?? [];
  const first = list.findIndex(({ role }) => role === 'user');
  return JSON.stringify({ tools, system, instructions, list: list.slice(0, first) });
}
