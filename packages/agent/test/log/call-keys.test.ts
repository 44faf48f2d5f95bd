import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SdkToolGroup } from '@toolfold/ai-sdk';
import { ENDPOINTS } from '@toolfold/ai-sdk/test/endpoints.test-support.ts';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import type { CallHost } from '@toolfold/core/internal/tool/call-host.ts';
import {
  type ModelServer,
  type Reply,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import type { Agent } from '../../src/options/options.ts';
import { type Entry, memoryStore, openSession, type SessionStore } from '../../src/sessions.ts';
import { applyEntry } from '../../src/state/apply-entry.ts';
import { eventsOf } from '../../src/state/rebuilt-events.ts';
import { ConversationState } from '../../src/state/state.ts';
import { begin, collect, ended } from '../agent.test-support.ts';
import { agentIn } from './session-talk.test-support.ts';

/** Milliseconds for a turn that waits for a tool that does not stop. */
const LIMITED = { timeout: 60_000 };

/** A call whose id the endpoint uses in each answer. */
const reused = (n: number): Reply => ({
  calls: [{ ...DISPATCH.call('work__read', { n }), id: 'call_0' }],
});

/** A group whose tool may be repeated, and which tells how it was called. */
function group(run: (n: number, callId: string | undefined) => Promise<unknown>): SdkToolGroup {
  return {
    groupId: 'mcp:work',
    trusted: true,
    toolNames: ['read'],
    loader: async () => [
      {
        name: 'read',
        annotations: { readOnlyHint: true },
        inputSchema: { type: 'object', properties: { n: { type: 'number' } } },
        execute: (input: unknown, options?: { readonly host?: CallHost }) =>
          run((input as { n: number }).n, options?.host?.callId),
      },
    ],
  };
}

/** The group that keeps the names of its calls. */
const telling = (seen: string[]) =>
  group(async (n, id) => {
    seen.push(id ?? assert.fail());
    return { n };
  });

function talkIn(
  store: SessionStore | undefined,
  server: ModelServer,
  groups: SdkToolGroup[],
  onWarning?: (text: string) => void,
): Promise<Agent> {
  const told = onWarning ? { onWarning } : {};
  const fold = { strategy: 'dispatch', groups, tools: {} as never, ...told } as const;
  // Anthropic refuses two calls with one id.
  const world = { fold, endpoint: ENDPOINTS[2] ?? assert.fail() };
  return store ? agentIn(store, server, world) : Promise.resolve(begin(server, world).talk);
}

describe('the name of a call', () => {
  for (const isKept of [true, false])
    test(`differs for two calls with one id, and between agents, ${isKept ? 'with' : 'without'} a session`, async () => {
      const seen: string[] = [];
      const groups = [telling(seen)];
      await using server = await startModelServer({
        script: ({ raw }) =>
          raw.includes('\\"n\\":2}') ? { text: 'Ok.' } : reused(raw.includes('\\"n\\":1}') ? 2 : 1),
      });
      for (let agents = 0; agents < 2; agents++) {
        const talk = await talkIn(isKept ? memoryStore() : undefined, server, groups);
        assert.equal(ended(await collect(talk.send('Go.'))).reason, 'done');
      }
      assert.equal(seen.length, 4);
      assert.equal(new Set(seen).size, 4);
      for (const one of seen) assert.match(one, /^\d+:call_0(_2)?:/);
    });

  test('stays when the call is run again after a kill', async () => {
    const seen: string[] = [];
    const store = memoryStore();
    await using server = await startModelServer({ script: [reused(1), { text: 'Ok.' }] });
    const started = Promise.withResolvers<void>();
    const first = await talkIn(store, server, [
      group((_, id) => {
        seen.push(id ?? assert.fail());
        started.resolve();
        return new Promise(() => {});
      }),
    ]);
    void collect(first.send('Go.'));
    await started.promise;
    // The process is gone: its lease is free, and nothing of it is written any more.
    const owner = (await store.holder('s')) ?? assert.fail();
    await store.release({ session: 's', fence: 1, owner });
    const warnings: string[] = [];
    const warn = (text: string) => void warnings.push(text);
    const second = await talkIn(store, server, [telling(seen)], warn);
    assert.equal(ended(await collect(second.resume())).reason, 'done');
    assert.deepEqual(warnings, []);
    assert.equal(seen.length, 2);
    assert.equal(seen[0], seen[1]);
  });

  test('keeps a late result away from a later call with the same id', LIMITED, async () => {
    const store = memoryStore();
    const release = Promise.withResolvers<void>();
    const late = Promise.withResolvers<void>();
    await using server = await startModelServer({
      script: ({ raw }) => {
        if (!raw.includes('Again.')) return reused(1);
        return raw.includes('\\"done\\"') ? { text: 'Ok.' } : reused(2);
      },
    });
    const stop = new AbortController();
    const talk = await talkIn(store, server, [
      group(async (n) => {
        if (n === 1) {
          stop.abort();
          await release.promise;
          setTimeout(late.resolve, 50);
          return { late: n };
        }
        release.resolve();
        await late.promise;
        return { done: n };
      }),
    ]);
    await collect(talk.send('Go.', { signal: stop.signal }));
    const events = await collect(talk.send('Again.'));
    assert.equal(ended(events).reason, 'done');
    const outputs = events.flatMap((event) => (event.type === 'result' ? [event.output] : []));
    assert.deepEqual(outputs, [{ done: 2 }]);
    const { entries } = await openSession(store, 's');
    // The first one of the cancelled turn says that its outcome is unknown.
    const results = entries.filter(({ kind, body }) => kind === 'result' && 'output' in body);
    assert.deepEqual(
      results.map(({ body }) => body.output),
      [{ late: 1 }, { done: 2 }],
    );
    const shown = [...eventsOf(entries)].flatMap((event) =>
      event.type === 'result' ? [event.output] : [],
    );
    assert.deepEqual(shown, [{ done: 2 }]);
    // What another process reads in the middle of the second call.
    const state = new ConversationState();
    for (const entry of entries.slice(0, entries.indexOf(results[1] as Entry)))
      applyEntry(state, entry);
    assert.equal(state.runs.get('call_0_2')?.outcome, undefined);
    for (const { body, ...entry } of results) {
      const { answer: _, ...old } = body;
      applyEntry(state, { ...entry, body: old });
    }
    assert.deepEqual(state.runs.get('call_0_2')?.outcome, { output: { done: 2 } });
  });
});
