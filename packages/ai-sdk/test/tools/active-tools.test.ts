import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { auditPrefix, formatAuditReport } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import {
  type Reply,
  type ReplyCall,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import type { RecordedRequest } from '@toolfold/testing/internal/wire/recorded-request.ts';
import { combinations, selection } from '@toolfold/testing/test/combinations.test-support.ts';
import type { ToolSet } from 'ai';
import { createFold, type Fold, type FoldOptions } from '../../src/index.ts';
import { Conversation, type Mode, type Route } from '../conversation.test-support.ts';
import { ENDPOINTS, type Endpoint, modelOn, NATIVE_ENDPOINTS } from '../endpoints.test-support.ts';
import { foldOptions, type Runs } from '../folds.test-support.ts';
import { BRIDGE, DISPATCH } from '../scenarios.test-support.ts';
import { addedOn, resultsOn, toolsOn } from '../wire.test-support.ts';

const LIST = 'github__list_issues';
const CREATE = 'github__create_issue';

/** A strategy on an endpoint, and the calls of its bridge tools. */
interface Way {
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly options: Pick<FoldOptions<ToolSet>, 'strategy' | 'capabilities' | 'catalog'>;
  readonly keepsPrefix: boolean;
  /** Loads all of GitHub, or searches for its issues. */
  readonly find: ReplyCall;
  /** Loads the tool that creates issues. */
  readonly ask: ReplyCall;
}

const [anthropic, responses, chat, compatible] = ENDPOINTS as readonly [
  Endpoint,
  Endpoint,
  Endpoint,
  Endpoint,
];
const inline = NATIVE_ENDPOINTS[0] ?? assert.fail();
const reference = NATIVE_ENDPOINTS[1] ?? assert.fail();
const find = DISPATCH.load('mcp:github');
const ask = DISPATCH.load('mcp:github', 'create_issue');
const search = { name: 'tool_search', arguments: { query: 'create list issue', limit: 20 } };
// With a catalog without names, every strategy declares its search tool.
const small = { catalog: { budget: 60 } };

const WAYS: readonly Way[] = [
  { name: 'dispatch', endpoint: anthropic, options: { strategy: 'dispatch' }, find, ask },
  { name: 'dispatch', endpoint: responses, options: { strategy: 'dispatch' }, find, ask },
  {
    name: 'dispatch with search',
    endpoint: chat,
    options: { strategy: 'dispatch', ...small },
    find: search,
    ask,
  },
  {
    name: 'bridge',
    endpoint: compatible,
    options: { strategy: 'bridge' },
    find: search,
    ask: BRIDGE.load('', CREATE),
  },
  {
    name: 'native inline',
    endpoint: inline,
    options: { strategy: 'native', capabilities: inline.capabilities },
    find,
    ask,
  },
  {
    name: 'native by reference',
    endpoint: reference,
    options: { strategy: 'native', capabilities: reference.capabilities },
    find,
    ask,
  },
  { name: 'inject', endpoint: anthropic, options: { strategy: 'inject' }, find, ask },
  {
    name: 'lazy',
    endpoint: chat,
    options: { strategy: 'lazy', ...small },
    find: search,
    ask: { name: 'request_tool', arguments: { name: CREATE } },
  },
].map((way) => ({ ...way, keepsPrefix: !['inject', 'lazy'].includes(way.name) })) as Way[];

const NOTICE = /\[Notice from the application[^\]]*may (?:not )?be used[^\]]*\]/g;

function noticesOn({ raw }: RecordedRequest): string[] {
  return raw.match(NOTICE) ?? [];
}

/** Matches the schema of the tool, which no request may contain while the tool is left out. */
const SCHEMA = /Headline/;

interface Played {
  readonly requests: readonly RecordedRequest[];
  readonly runs: Runs;
  readonly conversation: Conversation;
}

async function play(
  way: Way,
  script: readonly Reply[],
  mode: Mode,
  route: Route,
  steps: (conversation: Conversation, fold: Fold<ToolSet>) => Promise<void>,
): Promise<Played> {
  await using server = await startModelServer({ script });
  const runs: Runs = [];
  const model = modelOn(server, way.endpoint);
  const make = () =>
    createFold({
      ...foldOptions(runs),
      ...way.options,
      exposure: { deploy: 'inline' },
    }) as unknown as Fold<ToolSet>;
  const { settings = {} } = way.endpoint as { settings?: Record<string, unknown> };
  const conversation = new Conversation({ mode, route, model, fold: make, settings });
  await steps(conversation, make());
  return { requests: server.requests, runs, conversation };
}

function checkPrefix(way: Way, requests: readonly RecordedRequest[], where: string): void {
  if (!way.keepsPrefix) return;
  const report = auditPrefix(requests);
  assert.ok(report.held, `${where}: ${formatAuditReport(report)}`);
}

const MODES = ['generate', 'stream'] as const;
const FROM_START = combinations({ way: WAYS, mode: MODES, route: ['live', 'json', 'ui'] });
const LATER = combinations({ way: WAYS, mode: MODES, route: ['live', 'json'] });

for (const way of WAYS) {
  describe(`promise 49: activeTools in ${way.name}, ${way.endpoint.name}, ${selection}`, () => {
    const bridges = createFold(way.options as FoldOptions<ToolSet>).bridgeNames(
      way.endpoint.model('http://127.0.0.1:9'),
    );
    const active = { activeTools: ['ask', LIST, ...bridges] };
    const call = { calls: [{ name: CREATE, arguments: { title: 'a' } }] };

    test('promise 49: left out from the start: unreachable by every route, also in another process; then active', async () => {
      for (const { mode, route } of FROM_START.filter((row) => row.way === way)) {
        const where = `${mode}, ${route}`;
        const script: Reply[] = [
          { calls: [way.find] },
          { calls: [way.ask] },
          call,
          { text: 'Done.' },
          { text: 'Still.' },
          { calls: [way.ask] },
          call,
          { text: 'Bye.' },
        ];
        const { requests, runs } = await play(way, script, mode, route, async (conversation) => {
          await conversation.say('Go.', active);
          await conversation.say('And?', active);
          await conversation.say('Now?');
        });
        const [first, , , fourth, fifth, sixth] = requests;
        assert.ok(first && fourth && fifth && sixth);
        assert.ok(!first.raw.includes('linear'), `${where}: ${first.raw}`);
        assert.ok(!/create_issue|explode/.test(first.raw), `${where}: ${first.raw}`);
        assert.ok(!SCHEMA.test(fifth.raw), where);
        const [found, asked, called] = resultsOn(fourth).map(({ text }) => text);
        assert.ok(!/create_issue|explode|linear/.test(found ?? ''), `${where}: ${found}`);
        if (way.find === find) assert.match(found ?? '', /list_issues|"remaining":0/, where);
        assert.match(asked ?? '', /unknown|not_active|has none of these/, where);
        assert.match(called ?? '', /tool_not_active/, where);
        // Declared tools stay declared, and one notice says that the tool is not active.
        assert.equal(noticesOn(fifth).length, 1, `${where}: ${fifth.raw}`);
        const last = requests.at(-1) ?? assert.fail();
        assert.equal(noticesOn(last).length, noticesOn(fifth).length + 1, where);
        assert.match(noticesOn(last).at(-1) ?? '', /github__create_issue/, where);
        assert.deepEqual(
          runs.map(({ tool }) => tool),
          [CREATE],
          where,
        );
        checkPrefix(way, requests, where);
      }
    });

    test('promise 49: left out later: one notice at the tail, and no earlier message changes', async () => {
      for (const { mode, route } of LATER.filter((row) => row.way === way)) {
        const where = `${mode}, ${route}`;
        const script: Reply[] = [
          { text: 'Hi.' },
          { calls: [way.find] },
          { calls: [way.ask] },
          call,
          { text: 'Done.' },
          { text: 'None.' },
          { text: 'All.' },
        ];
        const { requests, runs } = await play(way, script, mode, route, async (conversation) => {
          await conversation.say('Go.');
          await conversation.say('And?', active);
          await conversation.say('None?', { activeTools: [] });
          await conversation.say('All?');
        });
        const [first, second, , , fifth, sixth, seventh] = requests;
        assert.ok(first && second && fifth && sixth && seventh);
        assert.deepEqual(noticesOn(first), []);
        assert.equal(noticesOn(fifth).length, 1, where);
        assert.match(
          noticesOn(fifth)[0] ?? '',
          /may not be used now: .*github__create_issue|only these tools/,
        );
        const [found, asked, called] = resultsOn(fifth).map(({ text }) => text);
        assert.ok(!/create_issue|explode|linear/.test(found ?? ''), `${where}: ${found}`);
        assert.match(asked ?? '', /unknown|not_active|has none of these/, where);
        assert.match(called ?? '', /tool_not_active/, where);
        assert.match(noticesOn(sixth).at(-1) ?? '', /no tool may be used now/, where);
        assert.match(noticesOn(seventh).at(-1) ?? '', /all tools .* may be used now/, where);
        assert.equal(noticesOn(seventh).length, 3, where);
        assert.deepEqual(runs, [], where);
        checkPrefix(way, requests, where);
      }
    });

    test('promise 49: phases of prepareStep', async () => {
      for (const mode of ['generate', 'stream'] as const) {
        const script: Reply[] = [
          { calls: [way.find] },
          { calls: [way.ask] },
          call,
          { text: 'Done.' },
        ];
        const prepareStep = ({ stepNumber }: { stepNumber: number }) =>
          stepNumber === 0 ? active : { activeTools: ['deploy', CREATE, ...bridges] };
        const inSteps = { ...way, options: { ...way.options, loads: 'steps' as const } };
        const { requests, runs } = await play(inSteps, script, mode, 'live', (conversation) =>
          conversation.say('Go.', { prepareStep }),
        );
        const last = requests.at(-1) ?? assert.fail();
        const [found, asked, called] = resultsOn(last).map(({ text }) => text);
        assert.ok(!/create_issue/.test(found ?? ''), found);
        assert.ok(!/not_active|unknown_tool/.test(asked ?? ''), asked);
        assert.match(called ?? '', /"done":"create_issue"/);
        assert.deepEqual(
          runs.map(({ tool }) => tool),
          [CREATE],
        );
        assert.ok(!addedOn(last).includes(LIST) || way.find === find);
        checkPrefix(way, requests, mode);
      }
    });

    test('promise 49: only own tools are active: a call of a bridge tool gets an answer', async () => {
      const script: Reply[] = [
        { calls: [way.find, { name: 'ask', arguments: { question: 'why' } }] },
        { text: 'Done.' },
        { calls: [way.ask] },
        { text: 'Bye.' },
      ];
      const { requests, runs } = await play(way, script, 'stream', 'json', async (conversation) => {
        await conversation.say('Go.', { activeTools: ['ask'] });
        await conversation.say('And?');
      });
      const last = requests.at(-1) ?? assert.fail();
      const [found, , asked] = resultsOn(last).map(({ text }) => text);
      assert.match(found ?? '', /tool_not_active|cannot be used|can be used|"total_available":0/);
      assert.ok(!/Available tools|NoSuchTool/.test(last.raw));
      assert.ok(!/not_active/.test(asked ?? ''), asked);
      assert.deepEqual(
        runs.map(({ tool }) => tool),
        ['ask'],
      );
      checkPrefix(way, requests, 'json');
      // The declared tools do not depend on the active tools.
      assert.ok(requests.every((request) => toolsOn(request).length >= 1));
    });
  });
}
