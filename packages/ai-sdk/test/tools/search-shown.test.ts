// test: slow
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Tool } from '@toolfold/core/internal/tool/tool.ts';
import {
  type Reply,
  type ReplyCall,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import { selection } from '@toolfold/testing/test/combinations.test-support.ts';
import type { ToolSet } from 'ai';
import { createFold, type Fold, type SdkToolGroup } from '../../src/index.ts';
import type { ChoosePreload } from '../../src/request/tail.ts';
import { Conversation } from '../conversation.test-support.ts';
import { modelOn } from '../endpoints.test-support.ts';
import { type LoadsRow, loadsRows, WAYS, type Way } from '../rounds/rounds.test-support.ts';

const NAME = 'desk__create_issue';
/** Stands in the definition of the tool, once. */
const MARK = /Headline of the ticket/g;
/** The message of the user for which the definition is preloaded. */
const PRELOADING = 'Go.';
const count = (raw = '') => raw.match(MARK)?.length ?? 0;

const ROWS = loadsRows(WAYS);
/** The strategies in which a search answers with schemas that stay in the messages. */
const ANSWERED = ROWS.filter(({ way }) => way.dispatches);

const parameters = (title: string) => ({
  type: 'object' as const,
  properties: { title: { type: 'string' as const, description: title } },
  required: ['title'],
});

/** A group of a tool to find, and many others, so that the catalog cannot name all. */
function groupOf(title: string): SdkToolGroup {
  const others = Array.from({ length: 20 }, (_, at) => ({
    name: `water_garden_${at}`,
    description: `Waters garden ${at}.`,
    inputSchema: parameters('Which plants.'),
  }));
  const found = { name: 'create_issue', description: 'Opens a ticket.' };
  const tools: Tool[] = [{ ...found, inputSchema: parameters(title) }, ...others];
  const toolNames = tools.map(({ name }) => name);
  return { groupId: 'mcp:desk', description: 'The desk.', toolNames, loader: async () => tools };
}

type Script = readonly (keyof typeof STEPS)[];

const find = (request: string): ReplyCall => ({
  // Some forms of `native` name their loader so, and the search in another way.
  name: request.includes('"search_listed_tools"') ? 'search_listed_tools' : 'tool_search',
  arguments: { query: 'create issue' },
});

const STEPS = {
  load: (way: Way): Reply => ({ calls: [way.load('mcp:desk', ...namesFor(way))] }),
  search: (_: Way, request: string): Reply => ({ calls: [find(request)] }),
  two: (_: Way, request: string): Reply => ({ calls: [find(request), find(request)] }),
  use: (way: Way): Reply => ({ calls: [way.call(NAME, { title: 'It broke.' })] }),
  end: (): Reply => ({ text: 'Done.' }),
};

const namesFor = ({ strategy }: Way) =>
  strategy === 'bridge' ? [NAME] : strategy === 'lazy' ? [] : ['create_issue'];

interface Talk {
  readonly script: Script;
  /** What the user says. Default: a text for which nothing is preloaded. */
  readonly says?: readonly string[];
  /** What an app does to the messages before the second text. */
  readonly between?: (conversation: Conversation) => void;
  /** The titles in the definitions of the first process and of the later ones. */
  readonly titles?: readonly [string, string];
  /** The strategy of the later processes. */
  readonly later?: 'dispatch';
}

/** Requests of a conversation, each as it was sent. */
async function play({ way, mode, route, loads }: LoadsRow, talk: Talk): Promise<readonly string[]> {
  const { endpoint, strategy } = way;
  let next = 0;
  await using server = await startModelServer({
    script: ({ raw }) => STEPS[talk.script[next++] ?? 'end'](way, raw),
    strict: true,
  });
  let folds = 0;
  const [first, later] = talk.titles ?? [TITLE, TITLE];
  const make = () =>
    createFold({
      groups: [groupOf(folds === 0 ? first : later)],
      strategy: folds++ === 0 ? strategy : (talk.later ?? strategy),
      ...{ loads, onWarning: false as const, catalog: { budget: 60 } },
      ...(endpoint.capabilities ? { capabilities: endpoint.capabilities } : {}),
    }) as unknown as Fold<ToolSet>;
  const preload: ChoosePreload = ({ user }) => (user === PRELOADING ? [NAME] : []);
  const conversation = new Conversation({
    ...{ mode, route, fold: make, model: modelOn(server, endpoint), with: { preload } },
    settings: { ...endpoint.settings },
  });
  for (const [at, text] of (talk.says ?? ['Hello.']).entries()) {
    if (at > 0) talk.between?.(conversation);
    await conversation.say(text);
  }
  return server.requests.map(({ raw }) => raw);
}

const TITLE = 'Headline of the ticket.';
const TWO_TURNS = ['Hello.', 'And once more.'];

/** Where the last request has the definition once. */
const ONCE: Readonly<Record<string, Talk>> = {
  'a preload': { script: ['search'], says: [PRELOADING] },
  'a preload, and another search': { script: ['search', 'search'], says: [PRELOADING] },
  'a preload and a call': { script: ['use', 'search'], says: [PRELOADING] },
  'a preload of an earlier turn': {
    script: ['end', 'search'],
    says: [PRELOADING, 'And once more.'],
  },
  'a load': { script: ['load', 'search'] },
  'a load and a call': { script: ['load', 'use', 'search'] },
  'a load of an earlier turn': { script: ['load', 'end', 'search'], says: TWO_TURNS },
  'a search': { script: ['search', 'search'] },
  'two searches': { script: ['search', 'search', 'search'] },
  'a search of an earlier turn': { script: ['search', 'end', 'search'], says: TWO_TURNS },
};

const dropped = (conversation: Conversation) =>
  Object.assign(conversation, { messages: [], ui: [] });

/** Where the definition is sent again, and how often the last request has it. */
const AGAIN: Readonly<Record<string, Talk & { readonly times: number }>> = {
  'a preload was dropped with its messages': {
    ...{ script: ['use', 'end', 'search'], says: [PRELOADING, 'And once more.'] },
    ...{ between: dropped, times: 1 },
  },
  'a load was dropped with its messages': {
    ...{ script: ['load', 'end', 'search'], says: TWO_TURNS, between: dropped, times: 1 },
  },
  'a search was dropped with its messages': {
    ...{ script: ['search', 'end', 'search'], says: TWO_TURNS, between: dropped, times: 1 },
  },
  'it has changed since a preload': {
    ...{
      script: ['use', 'end', 'search', 'search'],
      says: [PRELOADING, 'And once more.'],
      times: 2,
    },
    titles: [TITLE, `${TITLE} In one line.`],
  },
  'it has changed since a load': {
    ...{ script: ['load', 'end', 'search', 'search'], says: TWO_TURNS, times: 2 },
    titles: [TITLE, `${TITLE} In one line.`],
  },
  'it has changed since a search': {
    ...{ script: ['search', 'end', 'search', 'search'], says: TWO_TURNS, times: 2 },
    titles: [TITLE, `${TITLE} In one line.`],
  },
  'two searches are made at once': { script: ['two'], times: 2 },
};

suite(`a search for what the conversation has, ${selection}`, () => {
  for (const [name, talk] of Object.entries(ONCE)) {
    test(`behind ${name}: the definition is sent once`, async () => {
      for (const row of ROWS) {
        const where = `${row.way.name}, ${row.mode}, ${row.route}, ${row.loads}`;
        const requests = await play(row, talk);
        const raw = requests.at(-1) ?? '';
        // What only declares tools shows a tool when it is asked for, never in a search.
        const isDeclared = row.way.strategy === 'lazy' || row.way.strategy === 'inject';
        const isAsked = talk.says?.[0] === PRELOADING || talk.script.includes('load');
        const least = isDeclared && !isAsked ? 0 : 1;
        // Some forms of `native` declare it for the provider alone from the start.
        assert.equal(count(raw), Math.max(least, count(requests[0])), where);
        if (row.way.dispatches) assert.match(raw, /shown_before/, where);
        else assert.doesNotMatch(raw, /shown_before/, where);
      }
    });
  }

  for (const [name, { times, ...talk }] of Object.entries(AGAIN)) {
    test(`where ${name}: it is sent`, async () => {
      for (const row of ANSWERED) {
        if (talk.titles && row.route === 'live') continue;
        const where = `${row.way.name}, ${row.mode}, ${row.route}, ${row.loads}`;
        const raw = (await play(row, talk)).at(-1) ?? '';
        assert.equal(count(raw), times, where);
      }
    });
  }

  for (const first of ['load', 'search'] as const) {
    test(`behind a ${first} whose schema was appended in an earlier epoch: it is sent once`, async () => {
      const natives = ROWS.filter(({ way }) => way.strategy === 'native');
      for (const row of natives.filter(({ route }) => route !== 'live')) {
        const where = `${row.way.name}, ${row.mode}, ${row.route}, ${row.loads}`;
        const script = [first, 'end', 'search'] as const;
        const raw = (await play(row, { script, says: TWO_TURNS, later: 'dispatch' })).at(-1) ?? '';
        assert.equal(count(raw), 1, where);
        assert.match(raw, /deferred_tool_call/);
        assert.match(raw, /shown_before/, where);
      }
    });
  }

  test('in eager there is no search', async () => {
    const [row] = ANSWERED;
    assert.ok(row);
    await using server = await startModelServer({ script: [{ text: 'Done.' }] });
    const fold = createFold({ groups: [groupOf(TITLE)], strategy: 'eager' });
    const made = () => fold as unknown as Fold<ToolSet>;
    const model = modelOn(server, row.way.endpoint);
    const conversation = new Conversation({ mode: 'generate', route: 'live', fold: made, model });
    await conversation.say(PRELOADING);
    const raw = server.requests.at(-1)?.raw ?? '';
    assert.equal(count(raw), 1);
    assert.doesNotMatch(raw, /tool_search/);
  });
});
