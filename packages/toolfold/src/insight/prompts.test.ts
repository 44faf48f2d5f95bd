import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AgentEvent } from '@toolfold/agent/internal/events/events.ts';
import { screenOf } from '@toolfold/agent/internal/events/screen.ts';
import type { Agent, StampedEvent } from '@toolfold/agent/internal/options/options.ts';
import {
  createSession,
  forkSession,
  openSession,
  type Session,
} from '@toolfold/agent/internal/sessions/session.ts';
import type { Entry } from '@toolfold/agent/internal/sessions/store.ts';
import { memoryStore } from '@toolfold/agent/internal/sqlite/sqlite-store.ts';
import { begin, type World } from '@toolfold/agent/test/agent.test-support.ts';
import { scripted, send, team } from '@toolfold/agent/test/subagents/team.test-support.ts';
import { ENDPOINTS, modelOn } from '@toolfold/ai-sdk/test/endpoints.test-support.ts';
import { foldOptions } from '@toolfold/ai-sdk/test/folds.test-support.ts';
import type { Tool } from '@toolfold/core/internal/tool/tool.ts';
import {
  type ModelServer,
  type Reply,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import { eventsOfSession } from '../conversations/session-view.ts';
import { CacheUse, type PromptUsage } from './cache-marks.ts';
import { promptParts } from './prompt-parts.ts';
import { type Prompt, PromptReader } from './prompts.ts';

const [anthropic, , openai] = ENDPOINTS;
assert.ok(anthropic && openai);
const WORDS = 'Answer briefly. '.repeat(1_000);

type Events = (AgentEvent & Partial<StampedEvent>)[];
const isUsage = (event: AgentEvent) => event.type === 'usage';

/** Turns of one session, each with an agent of its own, as after a restart. */
class Turns {
  readonly server: ModelServer;
  readonly store = memoryStore();
  readonly live: Events = [];
  readonly reader = new PromptReader(this.store);
  session: Session | undefined;
  prompts: readonly Prompt[] = [];

  constructor(server: ModelServer) {
    this.server = server;
  }

  async turn(
    words: string,
    { agent, ...world }: World = {},
    make = begin,
    work: (talk: Agent) => AsyncIterable<StampedEvent> = (talk) => talk.send(words),
  ): Promise<readonly Prompt[]> {
    this.session = this.session
      ? await openSession(this.store, this.session.id)
      : await createSession(this.store, {});
    const { session } = this;
    const { talk } = make(this.server, {
      ...{ fold: { strategy: 'eager' }, endpoint: anthropic },
      ...world,
      agent: { instructions: WORDS, ...agent, session },
    });
    for await (const event of work(talk)) {
      this.live.push(event);
      // What is written during a turn is read at once.
      if (event.type === 'request' || isUsage(event)) await this.reader.read(session);
    }
    this.prompts = await this.reader.read(session);
    await this.check(session);
    return this.prompts;
  }

  /** The same prompts follow from the store, and from the events that were seen. */
  async check(session: Session): Promise<void> {
    const again = await openSession(this.store, session.id);
    assert.deepEqual(await new PromptReader(this.store).read(again), this.prompts);
    assert.equal(await this.reader.read(session), this.prompts);
    const rebuilt = [...(await eventsOfSession(again))];
    for (const events of [this.live, rebuilt] as const) {
      const sent = sentIn(events);
      assert.equal(sent.length, this.prompts.length);
      for (const { path, request, usage } of sent) {
        const prompt = this.prompts.find(
          (one) => one.subagent === path && one.request === request?.request,
        );
        assert.deepEqual(
          [prompt?.total, prompt?.eager, prompt?.strategy],
          [request.tokens.total, request.tokens.eager, request.strategy],
        );
        const counted = prompt?.pieces.reduce((sum, { tokens }) => sum + tokens, 0);
        assert.equal(counted, request.tokens.total);
        const { share: _, ...given } = prompt?.usage ?? { share: 0 };
        const { type: __, request: ___, isEstimate = false, ...told } = plain(usage);
        assert.deepEqual(given, usage ? { ...told, isEstimate } : {});
      }
    }
    const turns = screenOf(rebuilt).turns;
    const own = this.prompts.filter(({ subagent }) => subagent === undefined);
    for (const [at, { usage }] of turns.entries()) {
      const sum = own
        .filter(({ turn }) => turn === at)
        .reduce((all, prompt) => all + (prompt.usage?.input ?? 0), 0);
      assert.equal(sum, usage.input, `turn ${at}`);
    }
  }

  get marks(): readonly (string | undefined)[] {
    return this.prompts.map(
      ({ mark }) => mark && `${mark.kind} ${mark.label ?? ''}: ${mark.cause}`,
    );
  }
}

type UsageEvent = Extract<AgentEvent, { type: 'usage' }>;
type RequestEvent = Extract<AgentEvent, { type: 'request' }>;

const STAMP = ['seq', 'turn', 'step', 'at', 'n'];
const plain = (event: UsageEvent | undefined): Partial<UsageEvent> =>
  Object.fromEntries(Object.entries(event ?? {}).filter(([key]) => !STAMP.includes(key)));

/** Requests with their usage, those of subagents included. */
function sentIn(events: Iterable<AgentEvent>) {
  const sent: { path: string | undefined; request: RequestEvent; usage?: UsageEvent }[] = [];
  const take = (event: AgentEvent, path?: string): void => {
    if (event.type === 'subagent')
      take(event.event, path === undefined ? event.task : `${path}/${event.task}`);
    if (event.type === 'request') sent.push({ path, request: event });
    const known =
      event.type === 'usage' &&
      sent.find((one) => one.path === path && one.request.request === event.request);
    if (known) known.usage = event;
  };
  for (const event of events) take(event);
  return sent;
}

const answers = (): Reply => ({ text: 'Ok.' });

/** The groups with another description of one tool, or one more tool. */
function changedGroups(change: 'describe' | 'add' | 'remove') {
  const [github, linear] = foldOptions([]).groups;
  assert.ok(github && linear);
  const loader: typeof github.loader = async (options) => {
    const [first, ...others] = (await github.loader(options)) as readonly Tool[];
    assert.ok(first);
    if (change === 'remove') return others;
    const more = change === 'add' ? [{ ...first, name: 'close_issue' }] : [];
    return [
      { ...first, ...(change === 'describe' && { description: 'Other.' }) },
      ...others,
      ...more,
    ];
  };
  const names = github.toolNames ?? [];
  const toolNames = { describe: names, add: [...names, 'close_issue'], remove: names.slice(1) }[
    change
  ];
  return [{ ...github, loader, toolNames }, linear];
}

const eager = (groups: ReturnType<typeof changedGroups>) => ({
  fold: { strategy: 'eager' as const, groups },
});

describe('a break of our bytes is marked with its cause', () => {
  const CASES: readonly [string, (server: ModelServer) => World, RegExp][] = [
    [
      'a tool is described in other words',
      () => eager(changedGroups('describe')),
      /^broken inline-tools: .*the tools changed: changed github__create_issue$/,
    ],
    [
      'a tool is added',
      () => eager(changedGroups('add')),
      /^broken inline-tools: .*the tools changed: added github__close_issue$/,
    ],
    [
      'a tool is gone',
      () => eager(changedGroups('remove')),
      /^broken inline-tools: .*the tools changed: removed github__create_issue$/,
    ],
    [
      'the role changes',
      () => ({
        fold: { strategy: 'eager', roles: { reader: { groups: ['mcp:github'] } } },
        agent: { role: 'reader' },
      }),
      /^broken inline-tools: .*role/,
    ],
    [
      'the model changes',
      (server) => ({
        fold: { strategy: 'dispatch' },
        endpoint: openai,
        agent: { model: modelOn(server, openai) },
      }),
      /^broken inline-tools: .*(model|strategy)/,
    ],
    [
      'the strategy changes',
      () => ({ fold: { strategy: 'dispatch' } }),
      /^broken inline-tools: the strategy changed from eager to dispatch/,
    ],
  ];
  for (const [name, world, expected] of CASES)
    test(name, async () => {
      await using server = await startModelServer({ script: answers });
      const turns = new Turns(server);
      await turns.turn('One.');
      await turns.turn('Two.');
      await turns.turn('Three.', world(server));
      const [first, second, third] = turns.marks;
      assert.deepEqual([first, second], [undefined, undefined]);
      assert.match(third ?? '', expected);
    });

  test('other instructions', async () => {
    await using server = await startModelServer({ script: answers });
    const turns = new Turns(server);
    await turns.turn('One.');
    await turns.turn('Two.', { agent: { instructions: `${WORDS}!` } });
    assert.match(turns.marks[1] ?? '', /^broken system-text: .*the system text changed/);
  });

  test('a compaction', async () => {
    await using server = await startModelServer({ script: answers });
    const turns = new Turns(server);
    for (const words of ['One.', 'Two.', 'Three.']) await turns.turn(words.repeat(1_000));
    await turns.turn('', {}, begin, (talk) => talk.compact());
    await turns.turn('Four.');
    const last = turns.marks.findLast((mark) => mark !== undefined);
    assert.match(last ?? '', /^broken history: .*compact/i);
  });
});

describe('a miss of the cache is marked where the session was cached before', () => {
  /** The minutes of each turn, and the marks of its requests. */
  async function marksAt(
    minutes: readonly number[],
    { words = WORDS, world = {} }: { words?: string; world?: World } = {},
  ): Promise<Turns['marks']> {
    let now = 0;
    await using server = await startModelServer({ script: answers, cache: { now: () => now } });
    const turns = new Turns(server);
    for (const minute of minutes) {
      now = minute * 60_000;
      await turns.turn(words, world);
    }
    return turns.marks;
  }

  test('after a pause', async () => {
    const [first, second, third, fourth] = await marksAt([0, 1, 90, 91]);
    assert.deepEqual([first, second, fourth], [undefined, undefined, undefined]);
    assert.match(
      third ?? '',
      /^missed : the prompt begins as the one before, yet the provider read 0\.0 % of it from its cache/,
    );
  });

  test('not where the prompt is shorter than what the model caches', async () => {
    const world = { agent: { instructions: 'Be brief.' } };
    assert.deepEqual(await marksAt([0, 1, 90], { words: 'Go.', world }), [
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('not where nothing was ever cached', async () => {
    const world: World = { fold: { strategy: 'eager', cache: false } };
    assert.deepEqual(await marksAt([0, 1, 2], { world }), [undefined, undefined, undefined]);
  });

  const use = (input: number, cacheRead: number, more: object = {}): PromptUsage => ({
    ...{ input, cacheRead, cacheWrite: 0, output: 1, isEstimate: false, share: 0 },
    ...more,
  });
  const model = 'anthropic/claude-sonnet-4-5';
  type Step = readonly [
    PromptUsage,
    isMissed: boolean,
    more?: { model?: string; at?: number; isBroken?: true },
  ];
  const CASES: Readonly<Record<string, readonly Step[]>> = {
    'nothing is read': [
      [use(5_000, 0, { cacheWrite: 4_900 }), false],
      [use(5_100, 0), true],
    ],
    'under half is read': [
      [use(5_000, 2_600), false],
      [use(6_000, 2_400), true],
    ],
    'half is read': [
      [use(5_000, 2_600), false],
      [use(5_200, 2_600), false],
    ],
    'it was read once, and then no more': [
      ...[[use(5_000, 0), false] as const, [use(5_100, 4_900), false] as const],
      ...[[use(5_200, 0), true] as const, [use(5_300, 0), true] as const],
    ],
    'nothing was ever cached': [
      [use(5_000, 0), false],
      [use(5_100, 0), false],
    ],
    'a long message comes': [
      [use(5_000, 0, { cacheWrite: 4_900 }), false],
      [use(50_000, 4_900), false],
    ],
    'the conversation was short before': [
      [use(800, 0, { cacheWrite: 1 }), false],
      [use(5_100, 0), false],
    ],
    'another model answers': [
      [use(5_000, 0, { cacheWrite: 4_900 }), false],
      [use(5_100, 0), false, { model: 'anthropic/claude-opus-5-5' }],
      [use(5_200, 0), true],
    ],
    'our bytes broke': [
      [use(5_000, 4_000), false],
      [use(5_100, 0), false, { isBroken: true }],
      [use(5_200, 0), true],
    ],
    'the tokens are estimates': [
      [use(5_000, 4_000), false],
      [use(5_100, 0, { isEstimate: true }), false],
    ],
    'the model is not known': [
      [use(5_000, 4_000), false, { model: 'local' }],
      [use(5_100, 0), true, { model: 'local' }],
    ],
  };
  for (const [name, steps] of Object.entries(CASES))
    test(name, () => {
      const cache = new CacheUse();
      for (const [usage, isMissed, { isBroken = false, ...more } = {}] of steps) {
        const mark = cache.take({ model, at: 0, ...more }, usage, isBroken);
        assert.equal(mark?.kind, isMissed ? 'missed' : undefined, JSON.stringify(usage));
      }
    });

  test('with the pause in its cause', () => {
    const cache = new CacheUse();
    cache.take({ model, at: 0 }, use(5_000, 4_000), false);
    assert.equal(
      cache.take({ model, at: 7 * 60_000 }, use(10_000, 1_000), false)?.cause,
      'the prompt begins as the one before, yet the provider read 10 % of it from its cache, 7 minutes after the request before',
    );
  });
});

describe('prompts', () => {
  test('of subagents have their task paths, and stand where they were sent', async () => {
    const script = scripted(
      [
        send([
          { id: 'a', task: 'first' },
          { id: 'b', task: 'second' },
        ]),
        { text: 'Done.' },
      ],
      () => ({ text: 'Answer.' }),
    );
    await using server = await startModelServer({ script });
    const turns = new Turns(server);
    const make: typeof begin = (on, world) => team(on, {}, world);
    await turns.turn('Hello.', {}, make, (talk) => talk.send('Go.'));
    const places = turns.prompts.map(({ subagent, request, turn }) => [subagent, request, turn]);
    assert.deepEqual(places.slice(1, 3).sort(), [
      ['a', 1, 0],
      ['b', 1, 0],
    ]);
    assert.deepEqual(
      [places[0], places[3]],
      [
        [undefined, 1, 0],
        [undefined, 2, 0],
      ],
    );
    const fork = await forkSession(turns.session ?? assert.fail());
    const again = await new PromptReader(turns.store).read(fork);
    const { id = assert.fail() } = turns.session ?? {};
    const ofFork = (one: Prompt) => ({ ...one, session: one.session.replace(id, fork.id) });
    assert.deepEqual(again, turns.prompts.map(ofFork));
  });

  test('of subagents of subagents have the whole path', async () => {
    const script = scripted(
      [send([{ id: 'a', task: 'lead' }]), { text: 'Done.' }],
      ({ task, step }) =>
        task === 'lead' && step === 0
          ? send([{ id: 'x', task: 'leaf' }], {}, 'toolu_inner')
          : { text: 'Ok.' },
    );
    await using server = await startModelServer({ script });
    const turns = new Turns(server);
    const make: typeof begin = (on, world) => team(on, { depth: 2 }, world);
    await turns.turn('Go.', {}, make);
    const places = turns.prompts.map(({ subagent, request }) => [subagent, request]);
    assert.deepEqual(places, [
      [undefined, 1],
      ['a', 1],
      ['a/x', 1],
      ['a', 2],
      [undefined, 2],
    ]);
  });

  test('belong to the turn that shows them, also where the user writes during a turn', async () => {
    const calls = [{ name: 'ask', arguments: { question: 'Really?' } }];
    let sent = 0;
    const script = (): Reply => (sent++ === 0 ? { calls } : { text: 'Ok.' });
    await using server = await startModelServer({ script });
    const turns = new Turns(server);
    await turns.turn('One.', {}, begin, async function* (talk) {
      for await (const event of talk.send('One.')) {
        if (event.type === 'call') talk.send('And that.', { when: 'now' });
        yield event;
      }
    });
    await turns.turn('Two.');
    assert.deepEqual(
      turns.prompts.map(({ turn }) => turn),
      [0, 1, 2],
    );
  });

  test('that have not changed are the same objects, and an entry is read once', async () => {
    await using server = await startModelServer({ script: answers });
    const turns = new Turns(server);
    for (const words of ['One.', 'Two.', 'Three.']) await turns.turn(words);
    const before = turns.prompts;
    const { session = assert.fail() } = turns;
    let taken = 0;
    const entries = new Proxy(session.entries as Entry[], {
      get(target, key) {
        if (key !== 'slice') return Reflect.get(target, key);
        return (from: number) => {
          const rest = target.slice(from);
          taken += rest.length;
          return rest;
        };
      },
    });
    assert.equal(await turns.reader.read({ id: session.id, entries }), before);
    assert.equal(taken, 0);
    const after = await turns.turn('Four.');
    assert.equal(after.length, 4);
    for (const [at, prompt] of before.entries()) assert.equal(after[at], prompt);
  });

  test('of another session begin anew', async () => {
    await using server = await startModelServer({ script: answers });
    const turns = new Turns(server);
    await turns.turn('One.');
    await turns.turn('Two.');
    const other = await createSession(turns.store, {});
    assert.deepEqual(await turns.reader.read(other), []);
    assert.equal((await turns.reader.read(turns.session ?? assert.fail())).length, 2);
  });

  test('in parts have their texts, and what differs from the request before', async () => {
    await using server = await startModelServer({ script: answers });
    const turns = new Turns(server);
    await turns.turn('One.');
    await turns.turn('Two.', eager(changedGroups('describe')));
    const [first, second] = turns.prompts.map((one) => turns.reader.sent(one) ?? assert.fail());
    assert.ok(first && second);
    const before = await promptParts(first, turns.store);
    assert.ok(before.parts.every(({ isNew, text, diff }) => isNew && text && !diff));
    const { parts, total } = await promptParts(second, turns.store);
    assert.equal(total, second.prompt.total);
    const [tools, system, said] = parts;
    assert.deepEqual([tools?.isNew, system?.isNew, said?.isNew], [true, false, false]);
    const changed = tools?.diff
      ?.filter(({ mark }) => mark !== ' ')
      .map(({ mark, line }) => mark + line.trim());
    assert.deepEqual(changed, [
      '-"description": "create_issue in github.",',
      '+"description": "Other.",',
    ]);
    assert.match(parts.at(-1)?.text ?? '', /Two\./);
    assert.deepEqual(
      await promptParts({ ...second, before: [] }, { text: async () => undefined }),
      {
        ...{ session: turns.session?.id, request: 2, total },
        parts: parts.map(({ text: _, diff: __, ...part }) => ({ ...part, isNew: true })),
      },
    );
  });
});
