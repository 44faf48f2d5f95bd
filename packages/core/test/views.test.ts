import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fakeGroup } from '@toolfold/testing/internal/doubles/fake-group.ts';
import { fakeTool } from '@toolfold/testing/internal/doubles/fake-tools.ts';
import fc from 'fast-check';
import { ToolfoldError } from '../src/errors.ts';
import { measure } from '../src/estimate.ts';
import type { ExposureRules, Role } from '../src/registry/view.ts';
import { createToolLayer } from '../src/session/layer.ts';
import type { SessionOptions, ToolLayerOptions } from '../src/session/options.ts';
import type { ToolSummary } from '../src/tool/group.ts';
import type { StrategyName } from '../src/tool/strategies.ts';
import { Conversation, simpleTools, text } from './conversation.test-support.ts';

const strategyNames = ['lazy', 'inject', 'dispatch', 'bridge'] as const;
const SECRET = 'delete_everything';

function layerOf(roles: Record<string, Role>, options: ToolLayerOptions = {}) {
  return createToolLayer({
    tools: simpleTools('own_tool'),
    groups: [
      fakeGroup({ groupId: 'mcp:a', tools: simpleTools('read', 'write', SECRET) }),
      fakeGroup({ groupId: 'mcp:hidden', tools: simpleTools(`${SECRET}_too`) }),
      fakeGroup({ groupId: 'mcp:unlisted', names: false, tools: simpleTools(`${SECRET}_three`) }),
    ],
    roles,
    strategy: 'dispatch',
    ...options,
  });
}

/** Two ways to keep the same tools from the same run. */
const ways: readonly (readonly [
  string,
  ToolLayerOptions & { roles?: Record<string, Role> },
  string | undefined,
])[] = [
  ['a role', { roles: { user: { tools: ['own_tool', 'a__read', 'a__write'] } } }, 'user'],
  [
    'exposure',
    { exposure: { [`*__${SECRET}*`]: 'hidden', 'mcp:hidden': 'hidden', 'mcp:unlisted': 'hidden' } },
    undefined,
  ],
];

suite('promise 20: one filter', () => {
  for (const [way, options, role] of ways) {
    for (const strategy of strategyNames) {
      test(`promise 20: by ${way}, hidden tools are in no catalog, hit, load, description, count or suggestion in ${strategy}`, async () => {
        const layer = layerOf(options.roles ?? {}, { ...options, strategy });
        const session = layer.session(role === undefined ? {} : { role });
        const conversation = new Conversation(session);
        const seen: unknown[] = [];
        for (const loadsFirst of [false, true]) {
          if (loadsFirst) await measure(layer);
          for (const [name, input] of [
            ['tool_search', { query: 'delete everything' }],
            ['tool_search', { query: 'read write' }],
            ['tool_search', {}],
            ['load_tools', { group_id: 'mcp:a' }],
            ['load_tools', { group_id: 'mcp:hid' }],
            ['load_tools', {}],
            ['tool_describe', { names: ['read', 'delete_evrything'] }],
            ['nope', {}],
            ['delete_everythin', {}],
          ] as const) {
            const route = await conversation.call(name, input);
            seen.push(route.kind === 'answer' ? route.result : route);
          }
        }
        const shown = text([conversation.last.system, conversation.last.tools, seen]);
        assert.doesNotMatch(shown, /delete_everything|hidden|unlisted/);
        const counts = [...shown.matchAll(/"total_available":(\d+)/g)].map(([, count]) =>
          Number(count),
        );
        assert.ok(counts.length > 0 && counts.every((count) => count <= 3), String(counts));
        assert.doesNotMatch(text(conversation.last.tools), /delete/);
      });
    }

    test(`promise 20: by ${way}, hidden and unknown answer alike, byte for byte apart from the name`, async () => {
      const twin = 'delete_everythinq';
      const asks = (name: string): (readonly [string, unknown])[] => [
        [`a__${name}`, {}],
        [name, {}],
        [`mcp:a/${name}`, {}],
        ['deferred_tool_call', { tool_name: `a__${name}`, arguments: {} }],
        ['tool_describe', { name: `a__${name}` }],
        ['load_tools', { group_id: 'mcp:a', tool_names: [name] }],
        ['load_tools', { group_id: 'mcp:a', tool_names: ['read', name] }],
        ['load_tools', { group_id: 'mcp:nowhere', tool_names: [name] }],
        ['request_tool', { name }],
      ];
      const groups: (readonly [string, string])[] = [
        ['mcp:hidden', 'mcp:hiddem'],
        ['mcp:unlisted', 'mcp:unliszed'],
      ];
      for (const loadsFirst of [false, true]) {
        const ask = async (call: readonly [string, unknown]) => {
          const layer = layerOf(options.roles ?? {}, options);
          if (loadsFirst) await measure(layer);
          return text(
            await new Conversation(layer.session(role === undefined ? {} : { role })).answer(
              ...call,
            ),
          );
        };
        for (const [i, call] of asks(SECRET).entries()) {
          const unknown = await ask(asks(twin)[i] ?? call);
          assert.equal((await ask(call)).replaceAll(SECRET, twin), unknown, text(call));
        }
        for (const [hidden, unknown] of groups) {
          const there = await ask(['load_tools', { group_id: hidden }]);
          assert.equal(
            there.replaceAll(hidden, unknown),
            await ask(['load_tools', { group_id: unknown }]),
          );
          const slug = hidden.slice(4);
          const direct = await ask([`${slug}__x`, {}]);
          assert.equal(
            direct.replaceAll(slug, unknown.slice(4)),
            await ask([`${unknown.slice(4)}__x`, {}]),
          );
        }
      }
    });
  }

  test('promise 20: names that are hidden take no place among the near ones that are shown', async () => {
    const many = Array.from({ length: 60 }, (_, i) => `get_item_${i}`);
    const groups = [fakeGroup({ groupId: 'mcp:a', tools: simpleTools(...many) })];
    const layer = createToolLayer({
      groups,
      strategy: 'dispatch',
      roles: { one: { tools: ['a__get_item_59'] } },
    });
    const answer = await new Conversation(layer.session({ role: 'one' })).answer('get_item', {});
    assert.deepEqual(answer.did_you_mean, ['a__get_item_59']);
  });

  test('promise 20: a server cannot bring its tools out of a group the user hid or deferred', () => {
    const toolSummaries: ToolSummary[] = [
      { name: 'pushy', meta: { 'anthropic/alwaysLoad': true } },
      { name: 'internal', meta: { ui: { visibility: ['app'] } } },
    ];
    const group = (exposure?: 'hidden' | 'deferred' | 'inline') => ({
      groupId: 'mcp:a',
      toolSummaries,
      loader: async () => simpleTools('pushy', 'internal'),
      ...(exposure ? { exposure } : {}),
    });
    const sent = async (exposure?: 'hidden' | 'deferred' | 'inline') => {
      const session = createToolLayer({
        groups: [group(exposure)],
        strategy: 'dispatch',
      }).session();
      await session.prepare();
      const { tools, system } = session.present([]);
      return [
        tools.map(({ name }) => name).filter((name) => name.startsWith('a__')),
        /pushy/.test(system),
        /internal/.test(system),
      ];
    };
    return Promise.all([sent(), sent('hidden'), sent('deferred'), sent('inline')]).then((all) => {
      assert.deepEqual(all, [
        [['a__pushy'], false, false],
        [[], false, false],
        [[], true, false],
        [['a__pushy'], false, false],
      ]);
    });
  });

  test('promise 20: two roles at the same time never see each other', async () => {
    const roles = { left: { groups: ['mcp:left'] }, right: { groups: ['mcp:right'] } };
    const groups = ['left', 'right'].map((side) =>
      fakeGroup({ groupId: `mcp:${side}`, tools: simpleTools(`${side}_1`, `${side}_2`) }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom('left', 'right'), fc.nat(4)), { maxLength: 12 }),
        async (steps) => {
          const layer = createToolLayer({ groups, roles, strategy: 'dispatch' });
          const talks = {
            left: new Conversation(layer.session({ role: 'left' })),
            right: new Conversation(layer.session({ role: 'right' })),
          };
          const answers = { left: [] as unknown[], right: [] as unknown[] };
          await Promise.all(
            steps.map(async ([side, what], i) => {
              if (i % 4 === 3)
                layer.update(
                  groups.map((group, n) => ({
                    ...group,
                    loader: group.loader,
                    fingerprint: `${i}${n}`,
                  })),
                );
              const calls = [
                ['load_tools', { group_id: 'mcp:left' }],
                ['load_tools', { group_id: 'mcp:right' }],
                ['tool_search', { query: 'left right' }],
                ['left__left_1', { issue_id: '1' }],
                ['right__right_1', { issue_id: '1' }],
              ] as const;
              const talk = talks[side as 'left' | 'right'];
              talk.session.present(talk.messages);
              const call = calls[what];
              const made = { id: String(i), name: call?.[0] ?? '', input: call?.[1] };
              const route = await talk.session.route(made);
              const echoed = text(made.input) + made.name;
              if (!echoed.includes(side === 'left' ? 'right' : 'left'))
                answers[side as 'left' | 'right'].push(route);
              else assert.ok(route.kind === 'answer' && (what === 2 || route.isError));
            }),
          );
          for (const [side, other] of [
            ['left', 'right'],
            ['right', 'left'],
          ] as const) {
            const { session, messages } = talks[side];
            assert.ok(
              !text([session.present(messages), session.state(), answers[side]]).includes(other),
            );
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  test('promise 22: a role with the dispatcher alone can call nothing; denial is on the target by every route', async () => {
    const layer = layerOf({
      none: { tools: ['deferred_tool_call', 'load_tools', 'tool_call'] },
      user: { tools: ['a__read'] },
    });
    for (const role of ['none', 'user']) {
      const conversation = new Conversation(layer.session({ role }));
      for (const [name, input] of [
        ['a__write', { issue_id: '1' }],
        ['write', { issue_id: '1' }],
        ['deferred_tool_call', { tool_name: 'a__write', arguments: { issue_id: '1' } }],
        ['tool_call', { name: 'mcp:a/write', arguments: { issue_id: '1' } }],
        ['own_tool', { issue_id: '1' }],
        ['deferred_tool_call', { tool_name: 'own_tool', arguments: { issue_id: '1' } }],
        ['request_tool', { name: 'write' }],
      ] as const) {
        const route = await conversation.call(name, input);
        assert.ok(route.kind === 'answer' && route.isError, `${role} ${text(input)}`);
      }
      assert.deepEqual(
        conversation.last.tools.filter(({ name }) => name === 'own_tool'),
        [],
      );
    }
    const allowed = await new Conversation(layer.session({ role: 'user' })).call('a__read', {
      issue_id: '1',
    });
    assert.equal(allowed.kind, 'run');
  });

  test('promise 22: a slash in the name of a tool neither wins a role nor slips past a denial', () => {
    const layer = createToolLayer({
      groups: [
        fakeGroup({ groupId: 'mcp:acme', tools: simpleTools('b/delete_all') }),
        fakeGroup({ groupId: 'mcp:acme/b', tools: simpleTools('read') }),
      ],
      roles: { b: { tools: ['mcp:acme/b/*'] } },
      strategy: 'dispatch',
    });
    const bareNames = (options: SessionOptions, of = layer) => {
      const { tools } = of.session(options).explain();
      const shown = tools.filter(({ status }) => status !== 'hidden');
      return shown.map(({ name }) => of.addressOf(name).bare);
    };
    assert.deepEqual(bareNames({}).sort(), ['b/delete_all', 'read']);
    assert.deepEqual(bareNames({ role: 'b' }), ['read']);
    assert.deepEqual(bareNames({ only: ['mcp:acme/b/*'] }), ['read']);
    assert.deepEqual(bareNames({ without: ['mcp:acme/b/*'] }), []);
    assert.deepEqual(bareNames({ without: ['mcp:acme/b/delete_all'] }), ['read']);
    const group = fakeGroup({ groupId: 'mcp:acme', tools: simpleTools('b/delete_all') });
    const exposed = (exposure: ExposureRules) =>
      bareNames({}, createToolLayer({ groups: [group], exposure, strategy: 'dispatch' }));
    assert.deepEqual(exposed({ 'mcp:acme/b/*': 'hidden' }), []);
    assert.deepEqual(exposed({ 'mcp:acme': 'hidden', 'mcp:acme/b/*': 'inline' }), []);
  });

  test('promise 21: a missing list means all; a list those; [] and false mean none; an empty intersection none', () => {
    const layer = layerOf({
      all: {},
      some: { tools: ['a__read'] },
      empty: { tools: [] },
      none: { tools: false },
      others: { tools: ['a__write'] },
    });
    const names = (strategy: StrategyName, role: string, only?: string[]) => {
      const session = layer.session({ role, strategy, ...(only ? { only } : {}) });
      const { tools } = session.explain();
      return tools.filter(({ status }) => status !== 'hidden').map(({ name }) => name);
    };
    assert.equal(names('dispatch', 'all').length, 5);
    assert.deepEqual(names('dispatch', 'some'), ['a__read']);
    assert.deepEqual(names('dispatch', 'empty'), []);
    assert.deepEqual(names('dispatch', 'none'), []);
    assert.deepEqual(names('dispatch', 'some', ['a__write']), []);
    assert.deepEqual(names('dispatch', 'all', ['a__write']), ['a__write']);
    const unknown = (error: unknown) =>
      error instanceof ToolfoldError && error.code === 'unknown-role';
    assert.throws(() => layer.session({ role: 'constructor' }), unknown);
  });
});

suite('promise 23: subagents', () => {
  const groups = [
    fakeGroup({
      groupId: 'mcp:github',
      tools: [fakeTool(1, { name: 'read' }), fakeTool(2, { name: 'write' })],
    }),
    fakeGroup({ groupId: 'mcp:mail', tools: [fakeTool(3, { name: 'send' })] }),
  ];
  const roles = {
    careful: { tools: ['github__*'] },
    postman: { tools: ['mail__*'] },
    reader: { tools: ['*__read', 'mail__*'] },
    mute: { tools: false as const },
    vanished: { tools: ['mcp:gone/*'] },
    grouped: { groups: ['mcp:gone'] },
  };
  const child = (parent: string, role: string) =>
    createToolLayer({ groups, roles, strategy: 'dispatch' })
      .session({ role: parent })
      .child({ role });

  test('promise 23: a child has its own role under the parent, and its bridges work', async () => {
    const session = child('careful', 'reader');
    const { system, tools } = session.present([{ role: 'user' }]);
    assert.match(system, /mcp:github/);
    assert.ok(!/write|mail/.test(system.replace(/parameters|written/g, '')));
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['load_tools', 'deferred_tool_call'],
    );
    const ran = await session.route({
      id: '1',
      name: 'deferred_tool_call',
      input: { tool_name: 'github__read', arguments: { issue_id: '1' } },
    });
    assert.notEqual(JSON.stringify(ran).includes('unknown_tool'), true);
    for (const name of ['github__write', 'mail__send']) {
      const refused = await session.route({
        id: name,
        name: 'deferred_tool_call',
        input: { tool_name: name, arguments: {} },
      });
      assert.match(JSON.stringify(refused), /unknown_tool/);
    }
  });

  test('promise 23: a role that asks for tools and gets none is an error; one that asks for none is not', () => {
    assert.throws(() => child('careful', 'postman'), { code: 'empty-role' });
    assert.throws(() => child('mute', 'reader'), { code: 'empty-role' });
    assert.throws(() => child('careful', 'vanished'), { code: 'empty-role' });
    assert.throws(() => child('careful', 'grouped'), { code: 'empty-role' });
    assert.doesNotThrow(() => child('careful', 'mute'));
  });

  test("what is denied by glob is denied to it and to its own children, as the parent's narrowing is", () => {
    const layer = createToolLayer({ groups, roles, strategy: 'dispatch' });
    const namesOf = (session: ReturnType<typeof layer.session>) =>
      session.explain().tools.flatMap(({ name, status }) => (status === 'hidden' ? [] : [name]));
    const denied = layer.session().child({ without: ['mail__*'] });
    assert.deepEqual(namesOf(denied), ['github__read', 'github__write']);
    assert.deepEqual(namesOf(denied.child({ role: 'reader' })), ['github__read']);
    assert.deepEqual(namesOf(denied.fork()), namesOf(denied));
    const narrowed = layer.session({ only: ['github__*'], without: ['github__write'] });
    assert.deepEqual(namesOf(narrowed.child()), ['github__read']);
    assert.throws(() => denied.child({ role: 'postman' }), { code: 'empty-role' });
    assert.throws(() => layer.session().child({ role: 'postman', without: ['mail__*'] }), {
      code: 'empty-role',
    });
    assert.throws(() => layer.session({ without: 'mail' as never }), { code: 'invalid-option' });
  });

  test('what one session is given, nobody can change for another', () => {
    const layer = createToolLayer({
      groups,
      tools: [{ ...fakeTool(9, { name: 'own' }), exposure: 'inline' }],
      strategy: 'dispatch',
    });
    const [own] = layer.session().present([]).tools;
    assert.throws(() => Object.assign(own?.parameters ?? {}, { properties: {} }), TypeError);
    assert.deepEqual(layer.session().present([]).tools[0], own);
  });
});
