// test: slow
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { selection } from '@toolfold/testing/test/combinations.test-support.ts';
import { generateText, isStepCount, type ToolSet } from 'ai';
import { createFold, type Fold, type FoldOptions, type LoadsIn } from '../../src/index.ts';
import type { ChoosePreload } from '../../src/request/tail.ts';
import { Conversation } from '../conversation.test-support.ts';
import { modelOn } from '../endpoints.test-support.ts';
import { foldOptions, groups } from '../folds.test-support.ts';
import {
  BUG,
  CREATE,
  DISPATCH_WAY,
  GITHUB,
  type LoadsRow,
  loadsRows,
  WAYS,
  type Way,
} from '../rounds/rounds.test-support.ts';

/** The strategies in which a load adds to the messages. `bridge` has no load, the others declare what is loaded. */
const LOADING = WAYS.filter(({ strategy }) => strategy === 'dispatch' || strategy === 'native');

/** Stands in the definition of `CREATE`. */
const MARK = /Headline\./g;
/** The message of the user for which the definition is preloaded. */
const PRELOADING = 'Go.';
const count = (raw = '') => raw.match(MARK)?.length ?? 0;

const ROWS = loadsRows(LOADING);

interface Talk {
  readonly replies: (way: Way) => readonly Reply[];
  readonly run: (conversation: Conversation) => Promise<void>;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Where loads are answered. Default: everywhere. */
  readonly loads?: readonly LoadsIn[];
  /** The groups of each fold, by its number. */
  readonly groupsOf?: (fold: number) => FoldOptions<ToolSet>['groups'];
}

const load = (way: Way, ...names: string[]): Reply => ({ calls: [way.load(GITHUB, ...names)] });
const used = (way: Way): Reply => ({ calls: [way.call(CREATE, BUG)] });
const end: Reply = { text: 'Done.' };
const twice = async (conversation: Conversation) => {
  await conversation.say(PRELOADING);
  await conversation.say('And once more.');
};

const TALKS: Readonly<Record<string, Talk>> = {
  'in the response to the request that preloads': {
    replies: (way) => [load(way), used(way), end],
    run: (conversation) => conversation.say(PRELOADING),
  },
  'of this tool alone, twice in one response': {
    replies: (way) => [
      { calls: [way.load(GITHUB, 'create_issue'), way.load(GITHUB, 'create_issue')] },
      used(way),
      end,
    ],
    run: (conversation) => conversation.say(PRELOADING),
  },
  'behind a call in the same response': {
    replies: (way) => [{ calls: [way.call(CREATE, BUG), way.load(GITHUB)] }, end],
    run: (conversation) => conversation.say(PRELOADING),
  },
  'in a later response of the turn': {
    replies: (way) => [used(way), load(way), end],
    run: (conversation) => conversation.say(PRELOADING),
  },
  'in a later turn': {
    replies: (way) => [used(way), end, load(way), end],
    run: twice,
  },
  'that the user approves, in another process': {
    replies: (way) => [load(way), used(way), end],
    settings: { toolApproval: { load_tools: 'user-approval', tool_search: 'user-approval' } },
    loads: ['steps'],
    run: async (conversation) => {
      await conversation.say(PRELOADING);
      await conversation.answer(() => ({ approved: true }));
    },
  },
  'after a request that forces a call and shows its definition': {
    replies: (way) => [used(way), load(way), end],
    run: async (conversation) => {
      const toolChoice = { type: 'tool', toolName: CREATE };
      await conversation.say('Now.', { toolChoice, stopWhen: isStepCount(1) });
      await conversation.say('And once more.');
    },
  },
  'in two conversations that go on from the same point': {
    replies: (way) => [used(way), end, load(way), end, load(way), end],
    run: async (conversation) => {
      await conversation.say(PRELOADING);
      const [messages, ui] = [[...conversation.messages], structuredClone(conversation.ui)];
      await conversation.say('And once more.');
      Object.assign(conversation, { messages, ui });
      await conversation.say('And in another way.');
    },
  },
};

/** The groups with another headline in the schema. */
const changed = () =>
  groups([]).map((group) => ({
    ...group,
    loader: async (options: Parameters<typeof group.loader>[0]) => {
      const tools = await group.loader(options);
      return JSON.parse(JSON.stringify(tools).replaceAll('Headline.', 'Title. Headline.'));
    },
  }));

/** What is not above is sent. */
const AGAIN: Readonly<Record<string, Talk>> = {
  'the messages with the definition were dropped': {
    replies: (way) => [used(way), end, load(way), end],
    run: async (conversation) => {
      await conversation.say(PRELOADING);
      Object.assign(conversation, { messages: [], ui: [] });
      await conversation.say('And once more.');
    },
  },
  'only the notes were dropped, as a compaction does': {
    replies: (way) => [used(way), end, load(way), end],
    run: async (conversation) => {
      await conversation.say(PRELOADING);
      conversation.messages = conversation.messages.map((message) =>
        message.role === 'assistant' && Array.isArray(message.content)
          ? { ...message, content: message.content.filter(({ type }) => type !== 'custom') }
          : message,
      );
      for (const message of conversation.ui)
        message.parts = message.parts.filter(({ type }) => type !== 'custom');
      await conversation.say('And once more.');
    },
  },
  'the definition has changed': {
    replies: (way) => [used(way), end, load(way), end],
    groupsOf: (fold) => (fold === 0 ? groups([]) : changed()),
    run: twice,
  },
};

async function play({ way, mode, route, loads }: LoadsRow, talk: Talk) {
  const { endpoint, strategy } = way;
  await using server = await startModelServer({ script: talk.replies(way), strict: true });
  let folds = 0;
  const make = () =>
    createFold({
      ...foldOptions([]),
      ...{ strategy, loads, onWarning: false as const },
      ...(talk.groupsOf ? { groups: talk.groupsOf(folds++) } : {}),
      ...(endpoint.capabilities ? { capabilities: endpoint.capabilities } : {}),
    }) as unknown as Fold<ToolSet>;
  const preload: ChoosePreload = ({ user }) => (user === PRELOADING ? [CREATE] : []);
  const conversation = new Conversation({
    ...{ mode, route, fold: make, model: modelOn(server, endpoint), with: { preload } },
    settings: { ...endpoint.settings, ...talk.settings },
  });
  await talk.run(conversation);
  return server.requests.map(({ raw }) => raw);
}

suite(`a load of what was preloaded, ${selection}`, () => {
  for (const [name, talk] of Object.entries(TALKS)) {
    test(`${name}: the definition is sent once`, async () => {
      for (const row of ROWS) {
        if (talk.loads && !talk.loads.includes(row.loads)) continue;
        const where = `${row.way.name}, ${row.mode}, ${row.route}, ${row.loads}`;
        const raw = await play(row, talk);
        assert.ok(count(raw[0]) > 0, where);
        assert.equal(count(raw.at(-1)), count(raw[0]), where);
        if (row.way.strategy === 'dispatch') assert.match(raw.at(-1) ?? '', /shown_before/, where);
      }
    });
  }

  for (const [name, talk] of Object.entries(AGAIN)) {
    test(`${name}: it is sent`, async () => {
      for (const row of ROWS.filter(({ way }) => way.strategy === 'dispatch')) {
        if (talk.groupsOf && row.route === 'live') continue;
        const where = `${row.way.name}, ${row.mode}, ${row.route}, ${row.loads}`;
        const raw = (await play(row, talk)).at(-1) ?? '';
        assert.doesNotMatch(raw, /shown_before/, where);
        assert.equal(count(raw), talk.groupsOf ? 2 : 1, where);
      }
    });
  }

  test('another conversation of the same fold, at the same time, gets its own', async () => {
    await using server = await startModelServer({
      script: ({ raw }) =>
        raw.includes('tool_result') ? end : { calls: [DISPATCH_WAY.load(GITHUB)] },
    });
    const fold = createFold({ ...foldOptions([]), onWarning: false });
    const preload: ChoosePreload = ({ user }) => (user === PRELOADING ? [CREATE] : []);
    const fields = fold.with(modelOn(server, DISPATCH_WAY.endpoint), { preload });
    await Promise.all(
      [PRELOADING, 'Another.', PRELOADING, 'Another.'].map((prompt) =>
        generateText({ ...fields, prompt, stopWhen: isStepCount(2) }),
      ),
    );
    const loaded = server.requests.map(({ raw }) => raw).filter((raw) => /tool_result/.test(raw));
    assert.equal(loaded.length, 4);
    for (const raw of loaded) {
      assert.equal(count(raw), 1);
      assert.equal(raw.includes('shown_before'), raw.includes(`"${PRELOADING}"`));
    }
  });
});
