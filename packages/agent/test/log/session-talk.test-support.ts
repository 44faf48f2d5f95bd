import assert from 'node:assert/strict';
import type { SdkToolGroup } from '@toolfold/ai-sdk';
import {
  BRIDGE,
  DISPATCH,
  type Dialect,
  NATIVE,
} from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import type { ModelServer, Reply } from '@toolfold/testing/internal/doubles/model-server.ts';
import type { RecordedRequest } from '@toolfold/testing/internal/wire/recorded-request.ts';
import type { ModelMessage } from 'ai';
import type { Agent } from '../../src/options/options.ts';
import { createSession, openSession, type SessionStore } from '../../src/sessions.ts';
import { begin, type World } from '../agent.test-support.ts';

/** Tools by what a trusted source says of them. */
export const TOOLS = {
  read: { readOnlyHint: true },
  set: { idempotentHint: true },
  add: {},
  send: {},
} as const;

export type ToolName = keyof typeof TOOLS;

/** What each tool did, in order: `name:number`. */
export type Done = string[];

/** A trusted group whose tools record what they do. `onRun` is called before and after the effect. */
export function effectGroup(
  done: Done,
  onRun: (when: 'before' | 'after', name: string) => Promise<unknown> = async () => {},
): SdkToolGroup {
  return {
    groupId: 'mcp:work',
    trusted: true,
    toolNames: Object.keys(TOOLS),
    loader: async () =>
      Object.entries(TOOLS).map(([name, annotations]) => ({
        name,
        annotations,
        inputSchema: { type: 'object', properties: { n: { type: 'number' } } },
        execute: async (input: unknown) => {
          const { n } = input as { n: number };
          await onRun('before', name);
          done.push(`${name}:${n}`);
          await onRun('after', name);
          if (name === 'send' && n === 7) throw new Error('The letter came back.');
          return { done: name, n };
        },
      })),
  };
}

/** The calls of each step: ten steps, half of the calls unsafe, two steps with several calls. */
export const STEPS: readonly (readonly ToolName[])[] = [
  ['read'],
  ['add'],
  ['set', 'send'],
  ['read', 'add', 'set'],
  ['send'],
  ['add'],
  ['read', 'send'],
];

/** A model that makes these calls, whatever was resumed before: it counts the results in the request. */
export function steps(dialect: Dialect): (request: RecordedRequest) => Reply {
  return ({ raw }) => {
    const step = STEPS.findIndex((_, index) => !raw.includes(`Step ${index + 1}.`));
    if (raw.includes('Thanks.')) return { text: 'Bye.' };
    if (step < 0) return { text: 'All done.' };
    let n = STEPS.slice(0, step).flat().length;
    const calls = (STEPS[step] ?? []).map((name) => dialect.call(`work__${name}`, { n: ++n }));
    return { text: `Step ${step + 1}.`, reasoning: 'Hm.', calls };
  };
}

/** An agent over a session of the store, which is created when it does not exist. */
export async function agentIn(
  store: SessionStore,
  server: ModelServer,
  { fold, agent, ...world }: World & { readonly fold: NonNullable<World['fold']> },
): Promise<Agent> {
  const known = await store.get('s');
  const session = known ? await openSession(store, 's') : await createSession(store, { id: 's' });
  return begin(server, { ...world, fold, agent: { maxRounds: 50, ...agent, session } }).talk;
}

/** The messages without ids of calls and approvals, and without what differs by chance. */
export function comparable(messages: readonly ModelMessage[]): unknown {
  const ids = new Map<string, string>();
  const text = JSON.stringify(messages, (key, value) => {
    if (/^(toolCallId|approvalId|id|itemId)$/.test(key) && typeof value === 'string') {
      if (!ids.has(value)) ids.set(value, `#${ids.size}`);
      return ids.get(value);
    }
    // Counted by the server from the requests before.
    return key === 'usage' ? undefined : value;
  });
  return JSON.parse(text);
}

/** How often each effect happened that must not happen twice. */
export function assertOnce(done: Done): void {
  const unsafe = done.filter((one) => /^(add|send):/.test(one));
  assert.equal(new Set(unsafe).size, unsafe.length, `twice: ${unsafe.join(' ')}`);
}

/** Strategies, and how a model calls tools in them. */
export const STRATEGIES: readonly (readonly ['dispatch' | 'bridge' | 'eager', Dialect])[] = [
  ['dispatch', DISPATCH],
  ['bridge', BRIDGE],
  ['eager', NATIVE],
];
