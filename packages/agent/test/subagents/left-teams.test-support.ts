import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import {
  type ModelServer,
  type Reply,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import type { RecordedRequest } from '@toolfold/testing/internal/wire/recorded-request.ts';
import type { Agent, AgentOptions } from '../../src/options/options.ts';
import { memoryStore, type SessionStore } from '../../src/sessions.ts';
import { createSubagents, type SubagentOptions } from '../../src/tasks/tool.ts';
import { collect } from '../agent.test-support.ts';
import { dying, free } from '../log/dying-store.test-support.ts';
import { agentIn, type Done, effectGroup } from '../log/session-talk.test-support.ts';
import { send, taskIn } from './team.test-support.ts';
import { until } from './until.test-support.ts';

/** The names of the subagent `lead` of the agent, and of the subagent of that one. */
export const LEAD = 'toolu_team/a';
export const LEAF: string = `${LEAD}/toolu_inner/x`;

/** All calls of a tool have the same id. */
const effect = (name: string, n: number) => ({ ...DISPATCH.call(`work__${name}`, { n }), id: 'e' });

/** Subagents on two levels: each starts effects, and `quick` only answers. */
function script(request: RecordedRequest): Reply {
  const task = taskIn(request);
  if (request.raw.includes('tool_result')) return { text: `${task ?? 'All'} done.` };
  const inner = send([{ id: 'x', task: 'leaf' }], {}, 'toolu_inner').calls ?? [];
  const tasks = ['quick', 'lead', 'late'].map((task, n) => ({ id: ['q', 'a', 'z'][n], task }));
  switch (task) {
    case undefined:
      return { calls: [...(send(tasks, { concurrency: 1 }).calls ?? []), effect('send', 1)] };
    case 'lead':
      return { calls: [...inner, effect('send', 2)] };
    case 'leaf':
      return { calls: [effect('send', 3), { ...effect('read', 4), id: 'r' }] };
    default:
      return { text: `${task} done.` };
  }
}

/** A conversation whose process ended while all effects were running. */
export interface LeftTeam extends AsyncDisposable {
  readonly store: SessionStore;
  readonly server: ModelServer;
  /** The effects in the new process. */
  readonly done: Done;
  /** The agent in a new process. */
  readonly agent: (
    options?: Partial<AgentOptions> & { readonly store?: SessionStore },
  ) => Promise<Agent>;
}

/** Ends a process while `lead` and its subagent work, after the agent has written their usage. */
export async function leftTeam(
  context: TestContext,
  options: SubagentOptions = {},
): Promise<LeftTeam> {
  const kept = memoryStore();
  const server = await startModelServer({ script });
  const [done, begun]: Done[] = [[], []];
  const written = new Set<string>();
  let isDead = false;
  const store = dying(kept, () => isDead);
  const watched: SessionStore = {
    ...store,
    append: async (entries, given) => {
      await store.append(entries, given);
      for (const { kind, body } of entries)
        if (kind === 'event')
          written.add(JSON.stringify(body).replace(/"type":"usage".*/, 'usage'));
    },
  };
  const team = createSubagents({ depth: 2, ...options });
  const start = (store: SessionStore, hangs: boolean, agent: Partial<AgentOptions> = {}) => {
    const onRun = async (when: 'before' | 'after') => {
      if (!hangs) return;
      if (when === 'before') begun?.push('');
      await new Promise(() => {});
    };
    const groups = [effectGroup(done ?? [], onRun)];
    const fold = { strategy: 'dispatch' as const, groups, tools: { ...team.tools } as never };
    return agentIn(store, server, { fold, agent: { subagents: team, ...agent } });
  };
  const first = await start(watched, true);
  void collect(first.send('Go.'));
  const usageOf = (child: string) =>
    [...written].some((text) => text.includes(`"child":"${child}"`) && text.endsWith('usage'));
  await until(context, () => begun?.length === 4 && usageOf(LEAD) && usageOf(LEAF));
  isDead = true;
  await free(kept);
  return {
    store: kept,
    server,
    done: done ?? assert.fail(),
    agent: ({ store = kept, ...agent } = {}) => start(store, false, agent),
    [Symbol.asyncDispose]: () => server.close(),
  };
}
