import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type FakeGroup, fakeGroup } from '@toolfold/testing/internal/doubles/fake-group.ts';
import { fakeTool } from '@toolfold/testing/internal/doubles/fake-tools.ts';
import { createToolLayer, type ToolLayer } from '../../src/session/layer.ts';
import type { ToolLayerOptions } from '../../src/session/options.ts';
import { isStrategyName, type StrategyName, strategies } from '../../src/tool/strategies.ts';
import { Conversation, text } from '../conversation.test-support.ts';

interface World {
  readonly strategy: StrategyName;
  readonly layer: ToolLayer;
  readonly groups: readonly FakeGroup[];
  readonly conversation: Conversation;
}

interface Case {
  readonly title: string;
  /** Strategies for which the case says nothing, and why. */
  readonly skip?: Partial<Record<StrategyName, string>>;
  readonly run: (world: World) => Promise<void>;
}

const named = (...names: string[]) => names.map((name, n) => fakeTool(n, { name }));

function world(strategy: StrategyName, options: Partial<ToolLayerOptions> = {}): World {
  const groups = [
    fakeGroup({ groupId: 'mcp:linear', tools: named('create_issue', 'list_teams') }),
    fakeGroup({
      groupId: 'mcp:github',
      displayName: 'GitHub',
      tools: named('create_issue', 'get_repo', 'merge'),
    }),
  ];
  const tools = named('calculator');
  const layer = createToolLayer({ tools, groups, strategy, ...options });
  return { strategy, layer, groups, conversation: new Conversation(layer.session()) };
}

const declaredFirst: Record<StrategyName, readonly string[]> = {
  eager: [
    'calculator',
    'github__create_issue',
    'github__get_repo',
    'github__merge',
    'linear__create_issue',
    'linear__list_teams',
  ],
  lazy: ['request_tool'],
  inject: ['load_tools'],
  dispatch: ['load_tools', 'deferred_tool_call'],
  bridge: ['tool_search', 'tool_describe', 'tool_call'],
  native: ['load_tools'],
};

/** How each strategy is asked to bring a tool's schema into sight. */
const reach: Record<Exclude<StrategyName, 'eager'>, readonly [name: string, input: object]> = {
  lazy: ['request_tool', { name: 'github__merge' }],
  inject: ['load_tools', { group_id: 'mcp:github', tool_names: ['merge'] }],
  dispatch: ['load_tools', { group_id: 'mcp:github', tool_names: ['merge'] }],
  bridge: ['tool_describe', { name: 'github__merge' }],
  native: ['load_tools', { group_id: 'mcp:github', tool_names: ['merge'] }],
};

const noCatalog = { eager: 'everything is declared' };
const good = { issue_id: '7' };

const cases: readonly Case[] = [
  {
    title: 'declares what the table of strategies says, in a fixed order',
    run: async ({ strategy, conversation }) => {
      await conversation.step();
      assert.deepEqual(
        conversation.last.tools.map(({ name }) => name),
        declaredFirst[strategy],
      );
    },
  },
  {
    title: 'builds a request without touching a loader',
    skip: { eager: 'it has to declare everything' },
    run: async ({ conversation, groups }) => {
      await conversation.step();
      assert.deepEqual(
        groups.map(({ loads }) => loads),
        [0, 0],
      );
    },
  },
  {
    title: 'catalogues each deferred tool by name, groups and names by code point',
    skip: noCatalog,
    run: async ({ conversation }) => {
      await conversation.step();
      const { system } = conversation.last;
      const order = ['mcp:github', 'create_issue', 'get_repo', 'merge', 'mcp:linear', 'list_teams'];
      const places = order.map((name) => system.lastIndexOf(name));
      assert.ok(
        places.every((place) => place > 0),
        system,
      );
      assert.ok(system.indexOf('mcp:github') < system.indexOf('mcp:linear'));
      assert.match(system, /^- app .*\n.*calculator/m);
      const bridges = conversation.last.tools.map(({ name }) => name);
      for (const kind of [
        'load_tools',
        'deferred_tool_call',
        'tool_search',
        'request_tool',
        'tool_call',
      ]) {
        if (new RegExp(`\\b${kind}\\b`).test(system))
          assert.ok(bridges.includes(kind), `${kind} is spoken of, not declared`);
      }
    },
  },
  {
    title: 'sends no catalog where nothing is deferred',
    run: async ({ strategy }) => {
      const session = createToolLayer({ strategy }).session();
      assert.deepEqual([session.present([]).system, session.present([]).tools], ['', []]);
    },
  },
  {
    title: 'promise 12: runs a direct call of a tool that is not declared',
    run: async ({ conversation }) => {
      const route = await conversation.call('github__get_repo', good);
      assert.ok(
        route.kind === 'run' && route.via === 'native' && route.tool.groupId === 'mcp:github',
      );
    },
  },
  {
    title:
      'promise 27: what was asked for is callable in the same step, and declared next where it is declared at all',
    skip: noCatalog,
    run: async ({ strategy, conversation }) => {
      const [name, input] = reach[strategy as keyof typeof reach];
      const before = conversation.session.present(conversation.messages).tools.length;
      const [shown, ran] = await conversation.step([
        [name, input],
        ['github__merge', good],
      ]);
      assert.ok(shown?.kind === 'answer' && !shown.isError && ran?.kind === 'run');
      await conversation.step();
      const { delivers } = strategies[strategy];
      const tools = conversation.last.tools.map((tool) => tool.name);
      assert.equal(tools.length, delivers === 'tools' ? before + 1 : before);
      assert.equal(tools.at(-1) === 'github__merge', delivers === 'tools');
      const [delivered] = conversation.last.deliveries;
      assert.equal(delivered?.tools[0]?.name, delivers === 'append' ? 'github__merge' : undefined);
      const read = text(delivered?.result ?? shown.result);
      assert.equal(read.includes('"parameters"'), delivers === 'result');
    },
  },
  {
    title: 'promise 3: a load leaves what was sent alone, or adds to its end',
    run: async ({ strategy, conversation }) => {
      const steps = strategy === 'eager' ? (['github__merge', good] as const) : reach[strategy];
      await conversation.step([[...steps]]);
      const [first] = conversation.sent;
      await conversation.call('linear__list_teams', good);
      await conversation.step();
      for (const { tools, system } of conversation.sent) {
        assert.equal(system, first?.system);
        assert.equal(text(tools.slice(0, first?.tools.length)), text(first?.tools));
        if (strategies[strategy].keepsPrefix) assert.equal(text(tools), text(first?.tools));
      }
    },
  },
  {
    title: 'promise 16: an unknown name gets near ones and a way on, and runs nothing',
    run: async ({ conversation }) => {
      const answer = await conversation.answer('github__create_isue', {});
      assert.equal(answer.error, 'unknown_tool');
      assert.deepEqual(answer.did_you_mean, ['github__create_issue']);
      assert.match(String(answer.message), /No tool was run/);
    },
  },
  {
    title: 'promise 14: invalid arguments are answered with the schema',
    run: async ({ conversation }) => {
      const answer = await conversation.answer('github__merge', { nonsense: 1 });
      assert.equal(answer.error, 'invalid_arguments');
      assert.match(text(answer.problems), /issue_id/);
      assert.ok(text(answer.schema).includes('issue_id'));
    },
  },
  {
    title: 'answers bridges of the other strategies too: an older transcript may have taught them',
    run: async ({ conversation }) => {
      const loaded = await conversation.answer('load_tools', { group_id: 'mcp:github' });
      assert.equal(loaded.expanded, true);
      const found = await conversation.answer('tool_search', { query: 'merge' });
      assert.ok(Array.isArray(found.matches));
      const described = await conversation.answer('tool_describe', { name: 'github__merge' });
      assert.match(text(described.tools), /"github__merge"/);
      const requested = await conversation.answer('request_tool', { name: 'github__merge' });
      assert.equal(requested.name, 'github__merge');
      const called = await conversation.call('tool_call', {
        name: 'github__merge',
        arguments: good,
      });
      assert.ok(called.kind === 'run' && called.via === 'bridge');
    },
  },
  {
    title: 'promise 28: messages alone, in a new process, give the same bytes',
    run: async ({ strategy, conversation }) => {
      if (strategy !== 'eager') await conversation.step([[...reach[strategy]]]);
      await conversation.step();
      await conversation.step();
      const elsewhere = world(strategy).layer.session();
      const messages = conversation.messages.slice(0, -2);
      await elsewhere.prepare(messages);
      const { note, ...again } = elsewhere.present(messages);
      const { note: _, ...first } = conversation.last;
      assert.equal(text(again), text(first));
      assert.equal(note, undefined);
    },
  },
  {
    title: 'promise 39: no tools at all, and loaders that all fail, are answered in words',
    run: async ({ strategy }) => {
      const groups = [fakeGroup({ groupId: 'mcp:a', failures: Number.POSITIVE_INFINITY })];
      const layer = createToolLayer({ groups, strategy, onWarning: () => {} });
      const conversation = new Conversation(layer.session());
      const answer = await conversation.answer('a__list_issue', {});
      assert.match(String(answer.message), /mcp:a failed to load/);
      const nothing = new Conversation(createToolLayer({ strategy }).session());
      assert.equal((await nothing.answer('anything', {})).error, 'unknown_tool');
    },
  },
];

for (const strategy of Object.keys(strategies).filter(isStrategyName)) {
  suite(`the strategy ${strategy}`, () => {
    for (const { title, skip, run } of cases) {
      test(title, { skip: skip?.[strategy] ?? false }, () => run(world(strategy)));
    }
  });
}

test('the search bridge joins where the catalog had to drop names', () => {
  const declared = (strategy: StrategyName) => {
    const { layer } = world(strategy, { catalog: { budget: 20 } });
    return layer
      .session()
      .present([])
      .tools.map(({ name }) => name);
  };
  for (const strategy of ['lazy', 'inject', 'dispatch', 'native'] as const) {
    assert.equal(declared(strategy).at(-1), 'tool_search');
  }
});
