import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fakeGroup } from '@toolfold/testing/internal/doubles/fake-group.ts';
import { fakeTools } from '@toolfold/testing/internal/doubles/fake-tools.ts';
import { estimate } from '../src/estimate.ts';
import { createToolLayer } from '../src/session/layer.ts';
import type { ToolLayerOptions } from '../src/session/options.ts';
import { type StrategyName, strategies } from '../src/tool/strategies.ts';
import type { Tool } from '../src/tool/tool.ts';
import { Conversation, inlineTools, simpleTools, text } from './conversation.test-support.ts';

const DEFERRING = Object.keys(strategies).filter((name) => name !== 'eager') as StrategyName[];
/** Own tools with more than 4,000 tokens of schemas, and with fewer. */
const LARGE = fakeTools(60);
const SMALL = fakeTools(5);
const MANY = [fakeGroup({ groupId: 'mcp:many', count: 60 })];

const explained = (options: ToolLayerOptions) => createToolLayer(options).session().explain();
const statusOf = (options: ToolLayerOptions, name: string) =>
  explained(options).tools.find((tool) => tool.name === name);
const deferred = (options: ToolLayerOptions) =>
  explained(options)
    .tools.filter(({ status }) => status === 'deferred')
    .map(({ name }) => name);
const named = (name: string, more: Partial<Tool>): Tool => ({
  ...(simpleTools(name)[0] as Tool),
  ...more,
});

test('before a group has loaded, explain says of its tools what the first request will do', () => {
  const of = (options: ToolLayerOptions) =>
    new Set(
      explained({ groups: MANY, ...options }).tools.map(({ status, why }) => `${status}: ${why}`),
    );
  const loaded = 'once its group has loaded';
  assert.deepEqual([...of({ strategy: 'eager' })], [`declared: belongs to a group; ${loaded}`]);
  assert.deepEqual([...of({ strategy: 'dispatch' })], ['deferred: belongs to a group']);
  const inline = { 'mcp:many/*': 'inline' } as const;
  const marked = of({ strategy: 'dispatch', exposure: inline });
  assert.deepEqual([...marked], [`declared: rule "mcp:many/*"; ${loaded}`]);
});

test('explain says of an own tool that nothing marks why it is declared or deferred', () => {
  const why = (strategy: 'eager' | 'dispatch') =>
    statusOf({ tools: simpleTools('a'), strategy }, 'a')?.why;
  assert.equal(why('eager'), "the app's own tool; every schema is sent");
  assert.equal(why('dispatch'), "the app's own tool, which nothing marks: the strategy defers it");
});

suite("the app's own tools", () => {
  for (const strategy of DEFERRING) {
    test(`promise 61: ${strategy}, named by the app, defers all that are not marked`, async () => {
      const tools = [...simpleTools('a', 'b'), named('c', { exposure: 'inline' })];
      assert.deepEqual(deferred({ tools, strategy }), ['a', 'b']);
      const conversation = new Conversation(createToolLayer({ tools, strategy }).session());
      await conversation.step();
      assert.match(conversation.last.system, /^- app \(2 tools\)/m);
      const sent = conversation.last.tools.map(({ name }) => name);
      assert.ok(sent.includes('c') && !sent.includes('a'), String(sent));
      const route = await conversation.call('a', { issue_id: '1' });
      assert.ok(route.kind === 'run' && route.tool.groupId === undefined);
    });
  }

  test('promise 61: auto defers many and keeps few, alone and beside groups', () => {
    assert.equal(explained({ tools: SMALL }).strategy, 'eager');
    const large = explained({ tools: LARGE });
    assert.equal(large.strategy, 'dispatch');
    assert.match(large.reason, /; 60 tools of the app \([\d,]+ tokens\) are deferred$/);
    assert.equal(deferred({ tools: LARGE }).length, 60);
    const few = explained({ tools: SMALL, groups: MANY });
    assert.equal(few.strategy, 'dispatch');
    assert.match(few.reason, /; 5 tools of the app \([\d,]+ tokens\) stay declared$/);
    assert.deepEqual(few.tools.filter(({ status }) => status === 'declared').length, SMALL.length);
    assert.equal(deferred({ tools: LARGE, groups: MANY }).length, 120);
  });

  test('promise 34: small own tools are deferred too if what else there is would not be worth it', () => {
    // Together they are above the threshold; the group alone costs less than the bridges.
    const own = fakeTools(31);
    const tiny = { ...fakeGroup({ groupId: 'mcp:tiny', count: 1 }), schemaTokens: 60 };
    const { strategy, reason } = explained({ tools: own, groups: [tiny] });
    if (strategy === 'eager') return;
    assert.match(reason, /are deferred$/);
  });

  test('promise 61: without known prices the tokens processed decide', () => {
    const auto = { prices: 'unknown' } as const;
    const large = explained({ tools: fakeTools(25), groups: MANY, auto });
    assert.match(large.reason, /25 tools of the app \([\d,]+ tokens\) are deferred$/);
    // Beside groups the bridges are there anyway, so deferral processes fewer tokens.
    const few = explained({ tools: SMALL, groups: MANY, auto });
    assert.match(few.reason, /5 tools of the app \([\d,]+ tokens\) are deferred$/);
  });

  test('promise 61: a mark makes auto defer, a rule goes over the mark, and a tool that cannot be deferred stays', () => {
    const marked = [...simpleTools('a'), named('b', { exposure: 'deferred' })];
    assert.deepEqual(deferred({ tools: marked }), ['b']);
    assert.match(
      explained({ tools: marked }).reason,
      /^"b" is marked as deferred; 1 tool of the app/,
    );
    assert.deepEqual(deferred({ tools: marked, exposure: { b: 'inline' } }), []);
    assert.equal(explained({ tools: marked, exposure: { b: 'inline' } }).strategy, 'eager');
    assert.deepEqual(deferred({ tools: marked, strategy: 'eager' }), []);
    const must = [named('c', { inlineBecause: 'it has a reason' }), ...simpleTools('d')];
    for (const exposure of [{}, { '*': 'deferred' }] as Record<string, 'deferred'>[]) {
      const given = { tools: must, strategy: 'dispatch', exposure } as const;
      assert.deepEqual(deferred(given), ['d']);
      assert.equal(statusOf(given, 'c')?.why, 'it has a reason');
    }
    const hidden = { tools: must, strategy: 'dispatch', exposure: { c: 'hidden' } } as const;
    assert.equal(statusOf(hidden, 'c')?.status, 'hidden');
    assert.deepEqual(createToolLayer(hidden).session().present([]).tools.at(0)?.name, 'load_tools');
  });

  test('promise 61: load_tools of the group app gives their schemas, and another process knows what was loaded', async () => {
    for (const strategy of ['dispatch', 'inject', 'native'] as const) {
      const layer = () =>
        createToolLayer({ tools: [...simpleTools('a', 'b'), ...inlineTools('c')], strategy });
      const conversation = new Conversation(layer().session());
      const answer = await conversation.answer('load_tools', {
        group_id: 'app',
        tool_names: ['a'],
      });
      assert.match(
        text(answer),
        /"group_id":"app","expanded":true,"tool_names":\["a"\],"remaining":1/,
      );
      await conversation.call('load_tools', { group_id: 'app' });
      await conversation.step();
      assert.equal(text(conversation.session.state().expandedGroups), '{"app":null}');
      const state = JSON.parse(text(conversation.session.state()));
      const { tools } = layer()
        .session({ state })
        .present([{ role: 'user' }]);
      const known = tools.map(({ name }) => name);
      assert.equal(known.includes('a'), strategy === 'inject');
    }
  });

  test('promise 61: the estimate chooses as a session does', async () => {
    const auto = { prices: { write: 1.25, read: 0.1 } };
    for (const options of [{ tools: LARGE }, { tools: SMALL, groups: MANY }, { tools: SMALL }]) {
      const layer = createToolLayer({ ...options, auto });
      const { auto: decision } = await estimate(layer);
      const { strategy } = layer.session().explain();
      assert.equal(decision.strategy, strategy);
      const place = { inline: /stays? declared$/, deferred: /(are|is) deferred$/ };
      if (strategy !== 'eager') assert.match(decision.reason, place[decision.ownTools]);
    }
  });

  test('promise 28: messages of an epoch with own tools declared go on when the app names the strategy', async () => {
    const options = { tools: SMALL, groups: MANY };
    const conversation = new Conversation(createToolLayer(options).session());
    await conversation.step();
    const named = createToolLayer({ ...options, strategy: 'dispatch' }).session();
    const { system, tools } = named.present(conversation.messages);
    assert.equal(text([system, tools]), text([conversation.last.system, conversation.last.tools]));
    assert.equal(named.explain().reason, 'resumed from the messages');
  });
});
