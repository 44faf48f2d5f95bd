import assert from 'node:assert/strict';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import type { ModelServer, Reply } from '@toolfold/testing/internal/doubles/model-server.ts';
import type { RecordedRequest } from '@toolfold/testing/internal/wire/recorded-request.ts';
import type { AgentEvent } from '../../src/events/events.ts';
import type { Agent } from '../../src/options/options.ts';
import { createSession, openSession, type SessionStore } from '../../src/sessions.ts';
import { createSubagents } from '../../src/tasks/tool.ts';
import { begin, collect, ended } from '../agent.test-support.ts';
import { taskIn } from '../subagents/team.test-support.ts';
import { type Done, effectGroup } from './session-talk.test-support.ts';

/** How an append fails. `committed`: it is done, and fails all the same. `slow`: it takes a while. */
export const FAILURES = ['unavailable', 'once', 'committed', 'lost', 'slow'] as const;
export type Failure = (typeof FAILURES)[number];

/** What a store says that no model should read. */
export const SECRET = '/home/ann/sessions.db';

export interface FailingStore extends SessionStore {
  /** Whether it has failed. */
  readonly hasFailed: () => boolean;
  /** From now on it works. */
  readonly heal: () => void;
}

/** A store that fails at its append number `at`, also of subagents. */
export function failing(store: SessionStore, at: number, failure: Failure): FailingStore {
  let appends = 0;
  let isHealed = false;
  const unavailable = () =>
    new ToolfoldError('session-unavailable', `${SECRET} is locked.`, 'Try again.');
  return {
    ...store,
    retryTimeout: 0,
    hasFailed: () => appends >= at,
    heal: () => {
      isHealed = true;
    },
    append: async (entries, options) => {
      const isNow = ++appends === at;
      if (isHealed || appends < at) return store.append(entries, options);
      if (failure === 'slow') await new Promise((resolve) => setTimeout(resolve, isNow ? 20 : 0));
      if (failure === 'slow' || (!isNow && failure !== 'unavailable'))
        return store.append(entries, options);
      if (failure === 'committed') await store.append(entries, options);
      if (failure === 'lost') throw new ToolfoldError('session-lost', `${SECRET}: lost.`, 'Open.');
      throw unavailable();
    },
  };
}

const { call, load } = DISPATCH;

/** Loads, parallel calls, an approval, a subagent and a call that fails. */
const STEPS: readonly Reply[] = [
  { calls: [load('mcp:work')] },
  {
    calls: [
      call('work__read', { n: 1 }),
      call('work__send', { n: 2 }),
      call('work__add', { n: 3 }),
    ],
  },
  { calls: [call('work__set', { n: 4 }), call('work__send', { n: 5 })] },
  {
    calls: [
      { name: 'subagents', arguments: { tasks: [{ id: 'a', task: 'Work.' }] } },
      call('work__add', { n: 6 }),
    ],
  },
  { calls: [call('work__send', { n: 7 })] },
];

/** The model: it tells from the request which steps were made. */
export function script(request: RecordedRequest): Reply {
  const { raw } = request;
  if (taskIn(request) !== undefined) {
    if (raw.includes('Child step.')) return { text: 'Worked.' };
    return { text: 'Child step.', calls: [call('work__add', { n: 100 })] };
  }
  const at = STEPS.findIndex((_, index) => !raw.includes(`Step ${index + 1}.`));
  const step = STEPS[at];
  return step ? { text: `Step ${at + 1}.`, reasoning: 'Hm.', ...step } : { text: 'All done.' };
}

export interface Scene {
  readonly server: ModelServer;
  readonly done: Done;
  readonly asks: boolean;
}

/** An agent on the session `s` of the store. Calls of `set` need an approval. */
export async function agentOn(store: SessionStore, { server, done, asks }: Scene): Promise<Agent> {
  const known = await store.get('s');
  const session = known ? await openSession(store, 's') : await createSession(store, { id: 's' });
  const subagents = createSubagents();
  const allow = ['read', 'add', 'send'].map((name) => `mcp:work/${name}`);
  const fold = { groups: [effectGroup(done)], tools: { ...subagents.tools } as never };
  const ask = async () => ({ approved: true });
  const approvals = { mode: 'annotations' as const, allow, ...(asks ? { ask } : {}) };
  const { talk } = begin(server, { fold, agent: { session, subagents, approvals, maxRounds: 50 } });
  return talk;
}

/** The next turn of a conversation that was cut off, as an app would begin it. */
export function nextTurn(agent: Agent): AsyncIterable<AgentEvent> {
  if (agent.canResume) return agent.resume();
  const { pending } = agent;
  if (pending.length === 0) return agent.send('Go on.');
  return agent.answer(
    Object.fromEntries(pending.map(({ approvalId }) => [approvalId, { approved: true }])),
  );
}

/** Asserts that events of one turn are in an order that a screen can follow. */
export function assertOrder(events: readonly AgentEvent[], known: Set<string>): void {
  const started = new Set<string>();
  for (const [index, event] of events.entries()) {
    if (event.type === 'end') assert.equal(index, events.length - 1, 'end is not last');
    if (event.type === 'call') known.add(event.id);
    if (event.type === 'tool-start') {
      assert.ok(known.has(event.id), `start of ${event.id} ahead of its call`);
      started.add(event.id);
    }
    if (event.type === 'result' || event.type === 'failure' || event.type === 'approval')
      assert.ok(known.has(event.id), `${event.type} of ${event.id} ahead of its call`);
  }
  ended(events);
}

export { collect };
