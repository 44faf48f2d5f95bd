import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DISPATCH, NATIVE } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import type { BeforeToolCall } from '@toolfold/core/internal/host/hooks.ts';
import type { CallVerdict } from '@toolfold/core/internal/host/verdict.ts';
import {
  type ModelServer,
  type ReplyCall,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import type { AgentEvent } from '../src/events/events.ts';
import type { ApprovalAnswer, ApprovalOptions } from '../src/events/user-requests.ts';
import type { Agent } from '../src/options/options.ts';
import {
  exportSession,
  importSession,
  memoryStore,
  openSession,
  type SessionStore,
} from '../src/sessions.ts';
import { collect, ended, type World } from './agent.test-support.ts';
import { agentIn, type Done, effectGroup } from './log/session-talk.test-support.ts';

type Of<TYPE extends AgentEvent['type']> = Extract<AgentEvent, { type: TYPE }>;

function of<TYPE extends AgentEvent['type']>(events: readonly AgentEvent[], type: TYPE) {
  return events.filter((event): event is Of<TYPE> => event.type === type);
}

/** A call of a tool of the group, whose number is its argument. */
type Step = readonly [name: 'read' | 'send' | 'add', n: number];

interface Scene {
  readonly steps: readonly Step[];
  /** What the hook says about the call with this number. */
  readonly verdict: (n: number) => CallVerdict | undefined;
  readonly approvals: ApprovalOptions;
  /** The user's answers in order. Without them the app cannot ask. */
  readonly answers?: readonly ApprovalAnswer[];
  /** The user of this process never answers. */
  readonly isSilent?: boolean;
  readonly dialect?: typeof DISPATCH;
  readonly store?: SessionStore;
}

interface Played {
  readonly agent: Agent;
  readonly done: Done;
  /** The numbers of the calls that the user was asked about, and who has asked. */
  readonly asked: string[];
  readonly always: string[];
}

const ASK = () => ({ ask: true });

/** An agent whose model makes one call in each step, whatever the results are. */
async function play(server: ModelServer, scene: Scene): Promise<Played> {
  const done: Done = [];
  const asked: string[] = [];
  const always: string[] = [];
  const { answers, verdict, dialect, store = memoryStore() } = scene;
  const left = [...(answers ?? [])];
  const ask: ApprovalOptions['ask'] = async ({ arguments: given, askedBy, askKey = '' }) => {
    asked.push(`${(given as { n: number }).n} ${askedBy} ${askKey}`.trim());
    return scene.isSilent ? new Promise(() => {}) : (left.shift() ?? { approved: false });
  };
  const beforeToolCall: BeforeToolCall = ({ arguments: { n } }) => verdict(Number(n));
  const strategy = dialect === NATIVE ? 'eager' : 'dispatch';
  const agent: World['agent'] = {
    hooks: { beforeToolCall },
    approvals: {
      ...scene.approvals,
      ...(answers ? { ask } : {}),
      onAlways: (name) => always.push(name),
    },
  };
  const fold = { strategy, groups: [effectGroup(done)], tools: {} as never } as const;
  return { agent: await agentIn(store, server, { fold, agent }), done, asked, always };
}

function model({ steps, dialect = DISPATCH }: Pick<Scene, 'steps' | 'dialect'>) {
  const calls = steps.map(([name, n]): ReplyCall => dialect.call(`work__${name}`, { n }));
  return startModelServer({
    script: [...calls.map((call) => ({ calls: [call] })), { text: 'Ok.' }],
  });
}

const YES = { approved: true } as const;
const NO = { approved: false } as const;
const SESSION = { approved: true, scope: 'session' } as const;
const ALWAYS = { approved: true, scope: 'always' } as const;

describe('a hook that asks about a call of the agent', () => {
  const SETTINGS: Readonly<Record<string, readonly [ApprovalOptions, Step[0]]>> = {
    'the mode never': [{ mode: 'never' }, 'send'],
    'a glob of `allow`': [{ mode: 'always', allow: ['mcp:work/*'] }, 'send'],
    'a trusted read-only tool': [{ mode: 'annotations' }, 'read'],
  };
  for (const [what, [approvals, name]] of Object.entries(SETTINGS))
    for (const dialect of [DISPATCH, NATIVE])
      test(`promise 64: has the user asked once for each call: ${what}, ${dialect === NATIVE ? 'eager' : 'dispatch'}`, async () => {
        const steps: Step[] = [
          [name, 1],
          [name, 2],
          [name, 3],
        ];
        await using server = await model({ steps, dialect });
        const scene = { steps, dialect, approvals, answers: [YES, NO, ALWAYS] };
        const verdict = ASK;
        const { agent, done, asked, always } = await play(server, { ...scene, verdict });
        const events = await collect(agent.send('Go.'));
        assert.deepEqual(asked, ['1 hook', '2 hook', '3 hook']);
        assert.deepEqual(done, [`${name}:1`, `${name}:3`]);
        assert.deepEqual(always, []);
        const decisions = of(events, 'decision');
        assert.deepEqual(
          decisions.map(({ approved, scope = 'once', source }) => [approved, scope, source]),
          [
            [true, 'once', 'user'],
            [false, 'once', 'user'],
            [true, 'once', 'user'],
          ],
        );
        assert.deepEqual(
          of(events, 'approval').map(({ askedBy }) => askedBy),
          ['hook', 'hook', 'hook'],
        );
      });

  test('promise 64: has the user asked after an approval of the tool, and the other way round', async () => {
    const steps: Step[] = [1, 2, 3, 4, 5].map((n) => ['send', n]);
    await using server = await model({ steps });
    const keyed = (n: number) => (n >= 3 && n <= 4 ? { ask: true, askKey: 'k' } : undefined);
    const { agent, done, asked } = await play(server, {
      steps,
      approvals: { mode: 'always' },
      verdict: keyed,
      answers: [SESSION, SESSION],
    });
    const events = await collect(agent.send('Go.'));
    assert.deepEqual(asked, ['1 setting', '3 hook k']);
    assert.deepEqual(done, ['send:1', 'send:2', 'send:3', 'send:4', 'send:5']);
    assert.deepEqual(
      of(events, 'decision').map(({ source }) => source),
      ['user', 'user', 'grant'],
    );
    await using other = await model({ steps: steps.slice(0, 2) });
    const hookFirst = await play(other, {
      steps,
      approvals: { mode: 'always' },
      verdict: (n) => (n === 1 ? { ask: true, askKey: 'k' } : undefined),
      answers: [SESSION, NO],
    });
    await collect(hookFirst.agent.send('Go.'));
    assert.deepEqual(hookFirst.asked, ['1 hook k', '2 setting']);
    assert.deepEqual(hookFirst.done, ['send:1']);
  });

  test('promise 64: an approval for the session holds for the key, and always is no longer', async () => {
    const keys = [undefined, 'a', 'a', 'b', undefined, 'a'];
    const steps: Step[] = keys.map((_, n) => ['send', n]);
    await using server = await model({ steps });
    const { agent, done, asked, always } = await play(server, {
      steps,
      approvals: { mode: 'never' },
      verdict: (n) => ({ ask: true, ...(keys[n] === undefined ? {} : { askKey: keys[n] }) }),
      answers: [SESSION, ALWAYS, NO, NO],
    });
    const events = await collect(agent.send('Go.'));
    assert.deepEqual(asked, ['0 hook', '1 hook a', '3 hook b', '4 hook']);
    assert.deepEqual(done, ['send:0', 'send:1', 'send:2', 'send:5']);
    assert.deepEqual(always, []);
    assert.deepEqual(
      of(events, 'decision').map(({ scope, source }) => [scope, source]),
      [
        ['once', 'user'],
        ['session', 'user'],
        [undefined, 'grant'],
        [undefined, 'user'],
        [undefined, 'user'],
        [undefined, 'grant'],
      ],
    );
  });

  test('promise 64: several hooks: the key holds only if each of them has it', async () => {
    const steps: Step[] = [1, 2, 3].map((n) => ['send', n]);
    await using server = await model({ steps });
    const done: Done = [];
    const asked: (string | undefined)[] = [];
    const agent = await agentIn(memoryStore(), server, {
      fold: { strategy: 'dispatch', groups: [effectGroup(done)], tools: {} as never },
      agent: {
        hooks: {
          beforeToolCall: [
            () => ({ ask: true, askKey: 'k' }),
            ({ arguments: { n } }) => (Number(n) > 1 ? { ask: true } : undefined),
          ],
        },
        approvals: {
          mode: 'never',
          ask: async ({ askKey }) => {
            asked.push(askKey);
            return SESSION;
          },
        },
      },
    });
    await collect(agent.send('Go.'));
    assert.deepEqual(asked, ['k', undefined, undefined]);
  });

  test('promise 64: waits in `pending` where the app cannot ask', async () => {
    const steps: Step[] = [1, 2, 3].map((n) => ['send', n]);
    await using server = await model({ steps });
    const { agent, done, always } = await play(server, {
      steps,
      approvals: { mode: 'never' },
      verdict: ASK,
    });
    let events = await collect(agent.send('Go.'));
    for (const [n, answer] of [ALWAYS, SESSION, NO].entries()) {
      assert.equal(ended(events).reason, 'approval');
      const [open] = agent.pending;
      assert.deepEqual([agent.pending.length, open?.askedBy], [1, 'hook']);
      assert.equal(done.length, n);
      events = await collect(agent.answer({ [open?.approvalId ?? '']: answer }));
    }
    assert.equal(ended(events).reason, 'done');
    assert.deepEqual([done, always], [['send:1', 'send:2'], []]);
  });

  test('promise 64: an answer from another process holds no longer than one from here', async () => {
    const keys = [undefined, undefined, 'k', 'k'];
    const steps: Step[] = keys.map((_, n) => ['send', n]);
    await using server = await model({ steps });
    const store = memoryStore();
    const { agent, done, asked, always } = await play(server, {
      steps,
      store,
      approvals: { mode: 'never' },
      verdict: (n) => ({ ask: true, askKey: keys[n] }),
      answers: [],
      isSilent: true,
    });
    const decisions: unknown[] = [];
    for await (const event of agent.send('Go.')) {
      if (event.type === 'decision') decisions.push([event.scope, event.source]);
      if (event.type !== 'approval') continue;
      const body = { [event.approvalId]: { approved: true, scope: 'always' } };
      await store.post('s', { id: event.approvalId, kind: 'answer', body });
    }
    const last = decisions.pop();
    assert.deepEqual(decisions, [
      ['once', 'user'],
      ['once', 'user'],
      ['session', 'user'],
    ]);
    // Covered by the third answer, or by its own one where that was there before the question was asked here.
    assert.match(String(last), /^(?:,grant|session,user)$/);
    const all = ['0 hook', '1 hook', '2 hook k', '3 hook k'];
    assert.deepEqual(
      asked,
      all.filter((one) => asked.includes(one)),
    );
    assert.deepEqual([done.length, always], [4, []]);
  });

  test('a question of the settings is answered as before', async () => {
    const steps: Step[] = [1, 2].map((n) => ['send', n]);
    await using server = await model({ steps });
    const { agent, done, asked, always } = await play(server, {
      steps,
      approvals: { mode: 'annotations' },
      verdict: () => undefined,
      answers: [ALWAYS],
    });
    await collect(agent.send('Go.'));
    assert.deepEqual(asked, ['1 setting']);
    assert.deepEqual([done, always], [['send:1', 'send:2'], ['work__send']]);
  });
});

/** The store of a session that another version has written: it does not say who has asked. */
function unmarking(store: SessionStore): SessionStore {
  return {
    ...store,
    append: (entries, options) =>
      store.append(
        entries.map((entry) => {
          const { askedBy: _, askKey: __, ...body } = entry.body;
          return { ...entry, body };
        }),
        options,
      ),
  };
}

describe('a question that is open when the process ends', () => {
  const steps: Step[] = [['send', 1]];

  test('promise 64: is put to the user, if a hook has asked', async () => {
    for (const answer of [NO, ALWAYS]) {
      await using server = await model({ steps });
      const store = memoryStore();
      const waiting = { steps, store, approvals: { mode: 'never' }, verdict: ASK } as const;
      const { agent: first } = await play(server, waiting);
      assert.equal(ended(await collect(first.send('Go.'))).reason, 'approval');
      const approvals = { mode: 'never', allow: ['mcp:work/*'] } as const;
      const scene = { ...waiting, approvals, answers: [answer] };
      const { agent, asked, done, always } = await play(server, scene);
      assert.deepEqual(
        agent.pending.map(({ askedBy }) => askedBy),
        ['hook'],
      );
      await collect(agent.resume());
      assert.deepEqual(asked, ['1 hook']);
      assert.deepEqual(done, answer === NO ? [] : ['send:1']);
      assert.deepEqual(always, []);
    }
  });

  test('promise 64: counts as that of a hook, if its entry does not say who has asked', async () => {
    for (const [marked, expected] of [
      [true, []],
      [false, ['1 hook']],
    ] as const) {
      await using server = await model({ steps });
      const store = memoryStore();
      const scene = { steps, verdict: () => undefined };
      const { agent: first } = await play(server, {
        ...scene,
        approvals: { mode: 'always' },
        store: marked ? store : unmarking(store),
      });
      assert.equal(ended(await collect(first.send('Go.'))).reason, 'approval');
      const { agent, asked, done } = await play(server, {
        ...scene,
        store,
        approvals: { mode: 'never' },
        answers: [],
      });
      await collect(agent.resume());
      assert.deepEqual(asked, expected);
      assert.deepEqual(done, marked ? ['send:1'] : []);
    }
  });

  test('promise 64: a key that the user has approved holds in the session, and not in a file of it', async () => {
    const keyed = () => ({ ask: true, askKey: 'k' });
    const approvals = { mode: 'never' } as const;
    const store = memoryStore();
    await using first = await model({ steps });
    const scene = { steps, approvals, verdict: keyed };
    const { agent } = await play(first, { ...scene, store, answers: [ALWAYS] });
    await collect(agent.send('Go.'));
    for (const [place, expected] of [
      [store, []],
      [undefined, ['1 hook k']],
    ] as const) {
      const elsewhere = memoryStore();
      if (!place) {
        await importSession(elsewhere, exportSession(await openSession(store, 's')));
      }
      await using server = await model({ steps });
      const again = { ...scene, store: place ?? elsewhere, answers: [] };
      const { agent: later, asked, done } = await play(server, again);
      await collect(later.send('Again.'));
      assert.deepEqual(asked, expected);
      assert.equal(done.length, place ? 1 : 0);
    }
  });
});
