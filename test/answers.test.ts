// test: slow
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { type AgentEvent, inboxMessage } from '../packages/agent/src/index.ts';
import { createSession, memoryStore, type SessionStore } from '../packages/agent/src/sessions.ts';
import { begin } from '../packages/agent/test/agent.test-support.ts';
import type { SdkToolGroup } from '../packages/ai-sdk/src/index.ts';
import { DISPATCH } from '../packages/ai-sdk/test/scenarios.test-support.ts';
import { raceAbort } from '../packages/core/src/values/promises.ts';
import { type ModelServer, type Reply, startModelServer } from '../packages/testing/src/index.ts';
import { EditorQuestions } from '../packages/toolfold/src/acp/editor-questions.ts';
import { type EditorClient, EditorOutlet } from '../packages/toolfold/src/acp/outlet.ts';
import { Settings } from '../packages/toolfold/src/agents/settings.ts';
import { Questions } from '../packages/toolfold/src/chat/open-chat.ts';
import { Conversation } from '../packages/toolfold/src/conversations/conversation.ts';
import type { TurnEnd } from '../packages/toolfold/src/conversations/conversation-options.ts';
import { createAsker } from '../packages/toolfold/src/questions/asker.ts';
import { byStep } from '../packages/toolfold/src/questions/by-step.ts';
import type { Ask, Question } from '../packages/toolfold/src/questions/question.ts';

const limited = { timeout: 30_000 };

/** A user at one surface. */
interface User {
  readonly ask: Ask;
  /** What is open. */
  readonly open: () => Question['kind'] | undefined;
  /** How many questions there were. */
  readonly count: () => number;
  /** Answers what is open. Does nothing if nothing is. */
  readonly answer: (choice: string) => void;
}

type Surface = () => Omit<User, 'count'>;

/** Each surface on which a user answers. */
const SURFACES: Readonly<Record<string, Surface>> = {
  'a screen': () => {
    const questions = new Questions(() => {});
    return {
      ask: questions.ask,
      open: () => questions.open?.about.kind,
      answer: (choice) => questions.open?.answer(choice),
    };
  },
  lines: () => {
    let now: Question | undefined;
    let line: ((text: string) => void) | undefined;
    const inSteps = byStep({
      show: () => {},
      askLine: async (_, signal) => {
        const { promise, resolve } = Promise.withResolvers<string>();
        line = resolve;
        return raceAbort(promise, signal);
      },
    });
    return {
      ask: async (question, signal) => {
        now = question;
        try {
          return await inSteps(question, signal);
        } finally {
          now = undefined;
          line = undefined;
        }
      },
      open: () => (line === undefined ? undefined : now?.kind),
      answer: (choice) => {
        const { letters = 'n' } = now?.choices.find(({ id }) => id === choice)?.line ?? {};
        line?.(choice === '' ? '' : (letters[0] ?? ''));
        line = undefined;
      },
    };
  },
  'an editor': () => {
    let open: { kind: Question['kind']; answer: (choice: string) => void } | undefined;
    async function wait<T>(kind: Question['kind'], of: (choice: string) => T, signal: AbortSignal) {
      const { promise, resolve } = Promise.withResolvers<string>();
      open = { kind, answer: resolve };
      try {
        return of(await raceAbort(promise, signal));
      } finally {
        open = undefined;
      }
    }
    const client: EditorClient = {
      capabilities: { elicitation: { form: {} } },
      update: async () => {},
      askPermission: (_, signal) =>
        wait('approval', (optionId) => ({ outcome: { outcome: 'selected', optionId } }), signal),
      elicit: (request, signal) =>
        wait(
          JSON.stringify(request).includes('"outcome"') ? 'unknown' : 'form',
          (choice) => {
            if (choice === 'no') return { action: 'decline' };
            return { action: 'accept', content: choice === 'yes' ? {} : { outcome: choice } };
          },
          signal,
        ),
    };
    const { ask } = new EditorQuestions({
      ...{ id: 's', client, outlet: new EditorOutlet('s', client, () => undefined) },
      ...{ caughtUp: async () => {}, cancel: () => {}, view: async () => ({ turns: [] }) },
    });
    return { ask, open: () => open?.kind, answer: (choice) => open?.answer(choice) };
  },
};

interface Process {
  readonly conversation: Conversation;
  readonly user: User;
  readonly events: readonly AgentEvent[];
}

/** What all processes of a test share. */
interface World {
  readonly server: ModelServer;
  /** The runs of tools. */
  readonly effects: string[];
  /** Until when the first run of `hang` takes. */
  readonly gate: PromiseWithResolvers<void>;
}

async function worldOf(context: TestContext, replies: readonly Reply[]): Promise<World> {
  const server = await startModelServer({ script: replies });
  const gate = Promise.withResolvers<void>();
  context.after(async () => {
    gate.resolve();
    await server.close();
  });
  return { server, gate, effects: [] };
}

function groupOf({ effects, gate }: World): SdkToolGroup {
  const make = (name: string, run: () => unknown) => ({
    ...{ name, inputSchema: { type: 'object' } },
    execute: () => {
      effects.push(name);
      return run();
    },
  });
  const tools = [
    make('now', () => 'done'),
    make('hang', () => (effects.length > 1 ? 'done' : gate.promise.then(() => 'late'))),
  ];
  return { groupId: 'work', toolNames: ['now', 'hang'], loader: async () => tools as never };
}

/** A conversation in a process of its own, as far as the store can tell. */
function processOn(world: World, store: SessionStore, surface?: Surface): Process {
  const { signal } = new AbortController();
  const given = surface?.() ?? { ask: async () => undefined, open: () => {}, answer: () => {} };
  let count = 0;
  const ask: Ask = (...asked) => {
    count += 1;
    return given.ask(...asked);
  };
  const user = { ...given, ask, count: () => count } as User;
  const asker = surface && createAsker({ ask, note: () => {}, signal });
  const events: AgentEvent[] = [];
  const conversation = new Conversation({
    ...{ store, folder: '/work', asker },
    settings: new Settings({ set: { modelName: () => 'local/any', settings: {} }, flags: {} }),
    agents: {
      prepare: async () => (session) =>
        begin(world.server, {
          fold: { strategy: 'dispatch', groups: [groupOf(world)] },
          agent: {
            ...{ session, onUnknown: asker?.decide },
            approvals: { mode: 'always', ask: asker?.approve },
          },
        }).talk,
      apply: async () => {},
      events: (given) => given,
    },
    take: (event) => void events.push(event),
    watch: { onChange: () => {}, onError: () => {} },
  });
  return { conversation, user, events };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await turn();
}

/** The id of the first question about a call. */
function approvalId(events: readonly AgentEvent[]): string {
  const asked = events.find((event) => event.type === 'approval');
  return asked?.type === 'approval' ? asked.approvalId : assert.fail('nothing was asked');
}

/** The store as it is when the process ends now. */
async function killed(store: SessionStore, id: string): Promise<SessionStore> {
  const copy = memoryStore();
  const session = await createSession(copy, { id });
  await session.begin({ onMessage: () => {}, onLost: () => {} });
  const entries = await store.read(id);
  await session.append(entries.map(({ kind, body }) => ({ kind, body })));
  await session.end();
  return copy;
}

const CALL = DISPATCH.call('work__now', {});
const CALLED: Reply = { text: 'Let me see.', calls: [CALL] };
const DONE: Reply = { text: 'Done.' };

interface Scene extends World, Process {
  readonly store: SessionStore;
  /** Lets each write fail from now on. */
  readonly breakStore: () => void;
  /** Sends an answer as another process does. */
  readonly post: (approved: boolean) => Promise<void>;
  readonly turn: Promise<TurnEnd>;
}

/** What happens while an approval is open: how often the tool has run then, and how the turn has ended. */
interface Row {
  readonly happens: (scene: Scene) => unknown;
  readonly effects: number;
  readonly end: TurnEnd['reason'];
  readonly replies?: readonly Reply[];
}

const ROWS: Readonly<Record<string, Row>> = {
  'the user allows it': { happens: ({ user }) => user.answer('once'), effects: 1, end: 'done' },
  'the user denies it': { happens: ({ user }) => user.answer('reject'), effects: 0, end: 'done' },
  'another process allows it': { happens: ({ post }) => post(true), effects: 1, end: 'done' },
  'another process denies it': { happens: ({ post }) => post(false), effects: 0, end: 'done' },
  'another process denies it, and then the user allows it': {
    happens: async ({ post, user }) => {
      await post(false);
      await until(() => user.open() === undefined);
      user.answer('once');
    },
    ...{ effects: 0, end: 'done' },
  },
  'the turn is cancelled, and then the user allows it': {
    happens: async ({ conversation, user }) => {
      await conversation.cancel();
      user.answer('once');
    },
    ...{ effects: 0, end: 'cancelled' },
  },
  'the user allows it, and the store fails': {
    happens: ({ breakStore, user }) => {
      breakStore();
      user.answer('once');
    },
    ...{ effects: 0, end: 'error' },
  },
  'two calls ask at once, and the user allows the first': {
    happens: async ({ user }) => {
      user.answer('once');
      await until(() => user.count() === 2 && user.open() === 'approval');
      user.answer('reject');
    },
    replies: [{ text: 'Both.', calls: [CALL, CALL] }, DONE],
    ...{ effects: 1, end: 'done' },
  },
  'two calls ask at once, and the first question is answered elsewhere': {
    happens: async ({ user, post }) => {
      await post(false);
      await until(() => user.count() === 2 && user.open() === 'approval');
      user.answer('once');
    },
    replies: [{ text: 'Both.', calls: [CALL, CALL] }, DONE],
    ...{ effects: 1, end: 'done' },
  },
};

async function opened(
  context: TestContext,
  surface: Surface,
  replies: readonly Reply[],
): Promise<Scene> {
  const world = await worldOf(context, replies);
  const store = memoryStore();
  let isBroken = false;
  const append: SessionStore['append'] = (...given) =>
    isBroken ? Promise.reject(new Error('the disk is full')) : store.append(...given);
  const here = processOn(world, { ...store, append }, surface);
  const ends = here.conversation.send('Go.');
  ends.catch(() => {});
  await until(() => here.user.open() === 'approval');
  return {
    ...{ ...world, ...here, store, turn: ends },
    breakStore: () => {
      isBroken = true;
    },
    post: (approved) => {
      const id = here.conversation.session?.id ?? '';
      return store.post(id, inboxMessage('answer', { [approvalId(here.events)]: { approved } }));
    },
  };
}

for (const [where, surface] of Object.entries(SURFACES)) {
  describe(`an approval is open in ${where}`, () => {
    for (const [what, { happens, effects, end, replies = [CALLED, DONE] }] of Object.entries(ROWS))
      test(`and ${what}`, limited, async (context) => {
        const scene = await opened(context, surface, replies);
        await happens(scene);
        assert.equal((await scene.turn).reason, end);
        assert.equal(scene.effects.length, effects);
        assert.equal(scene.user.open(), undefined, 'the question is closed');
        await scene.conversation.close();
      });

    for (const [after, next] of Object.entries(SURFACES))
      test(`and its process ends; the next one is ${after}`, limited, async (context) => {
        const scene = await opened(context, surface, [CALLED, DONE]);
        const id = scene.conversation.session?.id ?? '';
        const store = await killed(scene.store, id);
        const later = processOn(scene, store, next);
        await later.conversation.open(id);
        const resumed = later.conversation.resume();
        await until(() => later.user.open() === 'approval');
        assert.equal(scene.effects.length, 0, 'nothing runs before the answer');
        later.user.answer('once');
        await resumed;
        assert.equal(scene.effects.length, 1);
        await scene.conversation.close();
        assert.equal(scene.effects.length, 1);
        await later.conversation.close();
      });
  });

  for (const [what, happens, expected] of [
    ['the user fills it', (user: User) => user.answer('yes'), { action: 'accept', content: {} }],
    ['the user declines', (user: User) => user.answer('no'), { action: 'decline' }],
    [
      'it is withdrawn',
      (_: User, stop: AbortController) => stop.abort(new Error('gone')),
      undefined,
    ],
  ] as const)
    test(`a form of a server is open in ${where}, and ${what}`, limited, async () => {
      const user = surface();
      const stop = new AbortController();
      const { signal } = new AbortController();
      const { elicit } = createAsker({ ask: user.ask, note: () => {}, signal });
      const about = { name: 'mail__send', server: 'mail', message: 'Who?', fields: [] };
      const answer = elicit({ ...about, signal: stop.signal });
      answer.catch(() => {});
      await until(() => user.open() === 'form');
      happens(user as User, stop);
      if (expected) assert.deepEqual(await answer, expected);
      else await assert.rejects(answer, /gone/);
      assert.equal(user.open(), undefined, 'the question is closed');
    });

  for (const [choice, effects] of [
    ['leave', 1],
    ['happened', 1],
    ['again', 2],
  ] as const)
    test(`a call whose outcome is unknown, in ${where}: ${choice}`, limited, async (context) => {
      const calls = [DISPATCH.call('work__hang', {})];
      const world = await worldOf(context, [{ text: 'Wait.', calls }, DONE, DONE]);
      const store = memoryStore();
      const first = processOn(world, store, surface);
      const ends = first.conversation.send('Go.').catch(() => {});
      await until(() => first.user.open() === 'approval');
      first.user.answer('once');
      await until(() => world.effects.length === 1);
      const id = first.conversation.session?.id ?? '';
      const later = processOn(world, await killed(store, id), surface);
      await later.conversation.open(id);
      const resumed = later.conversation.resume();
      await until(() => later.user.open() === 'unknown');
      assert.equal(world.effects.length, 1, 'nothing runs before the answer');
      later.user.answer(choice);
      if (choice === 'happened' && where !== 'an editor') {
        // Whoever says that it happened may say more.
        await until(() => later.user.open() === 'unknown');
        later.user.answer('');
      }
      await resumed;
      assert.equal(world.effects.length, effects);
      world.gate.resolve();
      await ends;
      await Promise.all([later.conversation.close(), first.conversation.close()]);
    });
}

test(
  'a turn in a pipe waits for an answer that comes on a screen, and its call runs once',
  limited,
  async (context) => {
    const world = await worldOf(context, [CALLED, DONE]);
    const store = memoryStore();
    const pipe = processOn(world, store);
    assert.equal((await pipe.conversation.send('Go.')).reason, 'approval');
    assert.equal(world.effects.length, 0);
    const screen = processOn(world, store, SURFACES['a screen']);
    await screen.conversation.open(pipe.conversation.session?.id);
    void screen.conversation.offerToContinue();
    await until(() => screen.user.open() === 'continue');
    screen.user.answer('yes');
    await until(() => screen.user.open() === 'approval');
    screen.user.answer('once');
    await until(() => screen.conversation.state === 'idle' && screen.events.length > 0);
    assert.equal(world.effects.length, 1);
    await Promise.all([screen.conversation.close(), pipe.conversation.close()]);
  },
);
