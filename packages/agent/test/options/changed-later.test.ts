// test: slow
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createFold, type FoldOptions } from '@toolfold/ai-sdk';
import { ENDPOINTS, modelOn } from '@toolfold/ai-sdk/test/endpoints.test-support.ts';
import { isPlainJson } from '@toolfold/core/internal/values';
import {
  type ModelServer,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import { generateText, isStepCount, type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { type AgentToolOptions, createAgent } from '../../src/index.ts';
import { collect } from '../agent.test-support.ts';

type Options = Omit<AgentToolOptions, 'model'>;
type Container = unknown[] | Record<string, unknown>;

const asked: string[] = [];
const ran: string[] = [];

function toolOf(name: string) {
  const execute = async () => void ran.push(name);
  return tool({ description: `Does ${name}.`, inputSchema: z.object({}), execute });
}

function foldOptions(): FoldOptions<ToolSet> {
  const names = ['list', 'wipe', 'secret'];
  const tools = names.map((name) => ({
    ...{ name, description: `Does ${name}.`, inputSchema: { type: 'object' } },
    ...{ annotations: { readOnlyHint: true }, execute: async () => void ran.push(name) },
  }));
  const group = {
    groupId: 'disk',
    toolNames: names,
    trusted: false,
    exposure: 'deferred' as const,
  };
  return {
    tools: { find: toolOf('find'), remove: toolOf('remove'), hidden: toolOf('hidden') },
    groups: [{ ...group, loader: async () => tools }],
    roles: { reader: { tools: ['find', 'disk/list', 'remove', 'subagents'], groups: ['disk'] } },
    exposure: { hidden: 'hidden', 'disk/secret': 'hidden' },
    names: { load_tools: 'fetch_tools' },
    limits: { load: 4_000 },
    catalog: { hints: true },
    auto: { workload: {} },
    capabilities: [],
    resultFiles: [],
    strategy: 'dispatch',
  } as never;
}

function agentOptions(): Options {
  return {
    ...foldOptions(),
    role: 'reader',
    approvals: {
      mode: 'always',
      allow: ['find'],
      ask: async ({ name }: { name: string }) => {
        asked.push(name);
        return { approved: false };
      },
    },
    hooks: {
      beforeToolCall: [
        ({ name }: { name: string }) => (name === 'find' ? { deny: 'No.' } : undefined),
      ],
    },
    subagents: { roles: ['reader'], hooks: {}, budget: { tokens: 1_000 } },
    models: { 'anthropic/claude-sonnet-4-5': { maxRounds: 3 } },
    categories: { orders: { words: ['order'], tools: ['find'] } },
    elicitation: {},
    settings: { headers: { 'x-app': 'one' }, stopSequences: ['STOP'], maxRetries: 0 },
  } as never;
}

/** The plain objects and lists in options, with the way to each. */
function containersIn(value: unknown, path = '', found = new Map<string, Container>()) {
  if (typeof value !== 'object' || value === null || !isPlainJson(value)) return found;
  found.set(path, value as Container);
  for (const [key, member] of Object.entries(value)) containersIn(member, `${path}.${key}`, found);
  return found;
}

/** Changes what a list or an object holds. */
const CHANGES: Readonly<Record<string, (container: Container) => void>> = {
  'loses all': (container) => {
    if (Array.isArray(container)) container.length = 0;
    else for (const key of Object.keys(container)) delete container[key];
  },
  'allows more': (container) => {
    if (Array.isArray(container)) container.push('*');
    else for (const key of Object.keys(container)) container[key] = WIDER[key] ?? ['*'];
  },
};

const WIDER: Readonly<Record<string, unknown>> = {
  ...{
    mode: 'never',
    hooks: {},
    exposure: {},
    trusted: true,
    ask: async () => ({ approved: true }),
  },
  ...{ execute: async () => void ran.push('other'), strategy: 'eager', role: undefined },
};

const CALLS = [
  { name: 'find', arguments: {} },
  { name: 'remove', arguments: {} },
  ...['hidden', 'disk__list', 'disk__wipe', 'disk__secret'].map((tool_name) => ({
    ...{ name: 'deferred_tool_call', arguments: { tool_name, arguments: {} } },
  })),
];

/** What a model sees and what happens, if `use` begins a conversation and the app changes its options behind it. */
async function outcome(use: (server: ModelServer) => Promise<void>): Promise<string> {
  for (const list of [asked, ran]) list.length = 0;
  const script = [...CALLS.map((call) => ({ calls: [call] })), { text: 'Done.' }];
  await using server = await startModelServer({ script });
  await use(server);
  const sent = server.requests.map(({ raw }) => raw);
  return JSON.stringify({ sent, asked, ran }).replace(/"toolfold":\{[^}]*\}|call_\w+/g, '');
}

const endpoint = ENDPOINTS[0] ?? assert.fail();

async function withAgent(change: (options: Options) => void): Promise<string> {
  return outcome(async (server) => {
    const options = agentOptions();
    const agent = createAgent({ ...options, model: modelOn(server, endpoint) });
    change(options);
    await collect(agent.send('Find the order.'));
  });
}

async function withFold(
  change: (options: FoldOptions<ToolSet>) => void,
  when: 'before with' | 'after with',
): Promise<string> {
  return outcome(async (server) => {
    const options = foldOptions();
    const fold = createFold<ToolSet>(options);
    if (when === 'before with') change(options);
    const fields = fold.with(modelOn(server, endpoint), { role: 'reader' });
    if (when === 'after with') change(options);
    await generateText({ ...fields, prompt: 'Go.', stopWhen: isStepCount(10) });
  });
}

describe('options that change after creation have no effect', () => {
  for (const [name, change] of Object.entries(CHANGES)) {
    for (const path of containersIn(agentOptions()).keys())
      test(`an agent, ${path || 'all'} ${name}`, async () => {
        const changed = await withAgent((options) => {
          change(containersIn(options).get(path) ?? assert.fail());
        });
        assert.equal(changed, await withAgent(() => {}));
      });
    for (const path of containersIn(foldOptions()).keys())
      for (const when of ['before with', 'after with'] as const)
        test(`a fold, ${path || 'all'} ${name}, ${when}`, async () => {
          const changed = await withFold((options) => {
            change(containersIn(options).get(path) ?? assert.fail());
          }, when);
          assert.equal(changed, await withFold(() => {}, when));
        });
  }

  test('a list of rules that two agents share, to which `onAlways` adds', async () => {
    const allow: string[] = [];
    const answers = { scope: 'always' as const, approved: true };
    const script = [{ calls: [{ name: 'remove', arguments: {} }] }, { text: 'Done.' }];
    const questions: string[] = [];
    const agentOf = (user: string, server: ModelServer) =>
      createAgent({
        model: modelOn(server, endpoint),
        tools: { remove: toolOf('remove') },
        approvals: {
          ...{ allow, onAlways: (name: string) => void allow.push(name) },
          ask: async () => {
            questions.push(user);
            return answers;
          },
        },
      });
    await using one = await startModelServer({ script });
    await using other = await startModelServer({ script });
    const agents = [agentOf('ada', one), agentOf('bob', other)];
    for (const agent of agents) await collect(agent.send('Remove it.'));
    assert.deepEqual(
      [allow, questions],
      [
        ['remove', 'remove'],
        ['ada', 'bob'],
      ],
    );
  });
});
