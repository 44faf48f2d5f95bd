import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type FakeGroup, fakeGroup } from '@toolfold/testing/internal/doubles/fake-group.ts';
import fc from 'fast-check';
import { ToolfoldError } from '../src/errors.ts';
import { measure } from '../src/estimate.ts';
import type { ToolState } from '../src/request/state.ts';
import { createToolLayer } from '../src/session/layer.ts';
import type { SessionOptions, ToolLayerOptions } from '../src/session/options.ts';
import type { DeferredToolGroup } from '../src/tool/group.ts';
import { type StrategyChoice, type StrategyName, strategyNames } from '../src/tool/strategies.ts';
import { Conversation, inlineTools, simpleTools, text } from './conversation.test-support.ts';

const a = (...names: string[]) => fakeGroup({ groupId: 'mcp:a', tools: simpleTools(...names) });
const b = (...names: string[]) => fakeGroup({ groupId: 'mcp:b', tools: simpleTools(...names) });

function layerOf(groups: readonly DeferredToolGroup[], options: ToolLayerOptions = {}) {
  return createToolLayer({ tools: simpleTools('own'), groups, strategy: 'dispatch', ...options });
}

function talk(groups: readonly DeferredToolGroup[], options?: { keepsNotes?: boolean }) {
  const layer = layerOf(groups);
  return { layer, conversation: new Conversation(layer.session(), options) };
}

/** The conversation so far, continued by another session. */
function continued(
  conversation: Conversation,
  groups: readonly DeferredToolGroup[],
  options: SessionOptions = {},
) {
  const next = new Conversation(
    layerOf(groups, { strategy: options.strategy ?? 'dispatch' }).session(options),
  );
  next.messages.splice(0, 1, ...conversation.messages);
  return next;
}

const bytes = ({ last }: Conversation) => text([last.system, last.tools, last.inserts]);

suite('promise 2: bytes', () => {
  test('promise 2: do not depend on the order of registration, of loading, or of names', async () => {
    const names = ['x', 'Y', 'ä', '1', 'z_z', '中'];
    const order = fc.tuple(
      fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
      fc.shuffledSubarray(names, { minLength: 6 }),
      fc.boolean(),
    );
    const strategy = fc.constantFrom<StrategyName>('eager', 'lazy', 'inject', 'dispatch', 'bridge');
    await fc.assert(
      fc.asyncProperty(order, strategy, async ([groups, tools, loadsFirst], name) => {
        const rendered = async (order: number[], tools: string[], preload: boolean) => {
          const made = order.map((i) =>
            fakeGroup({ groupId: `mcp:${'cab'[i]}`, tools: simpleTools(...tools) }),
          );
          const layer = layerOf(made, { strategy: name });
          if (preload) await measure(layer);
          const session = layer.session();
          await session.prepare();
          return text(session.present([]));
        };
        assert.equal(
          await rendered(groups, tools, loadsFirst),
          await rendered([0, 1, 2], names, false),
        );
      }),
      { numRuns: 60 },
    );
  });

  test('promise 2: inline tools keep the order of the app', () => {
    const tools = inlineTools('zebra', 'apple', 'mango');
    const { tools: sent } = createToolLayer({ tools, groups: [a('x')], strategy: 'dispatch' })
      .session()
      .present([]);
    assert.deepEqual(
      sent.slice(0, 3).map(({ name }) => name),
      ['zebra', 'apple', 'mango'],
    );
  });

  test('promise 2: do not depend on what unlisted groups revealed', async () => {
    const unlisted = fakeGroup({ groupId: 'mcp:u', tools: simpleTools('x', 'y'), names: false });
    const layer = layerOf([unlisted, a('z')], { strategy: 'auto' });
    const before = text(layer.session().present([]));
    await measure(layer);
    assert.equal(text(layer.session().present([])), before);
  });
});

suite('promise 3: a changed tool list', () => {
  for (const keepsNotes of [true, false]) {
    test(`promise 3: is announced once, at the tail, and edits nothing, ${keepsNotes ? 'with' : 'without'} notes`, async () => {
      const { layer, conversation } = talk([a('x', 'y')], { keepsNotes });
      await conversation.call('load_tools', { group_id: 'mcp:a' });
      const [first] = conversation.sent;
      layer.update([a('x'), b('new')]);
      conversation.messages.push({ role: 'user' });
      const at = conversation.messages.length;
      await conversation.step();
      const [insert] = conversation.last.inserts;
      assert.equal(conversation.last.inserts.length, 1);
      assert.equal(insert?.position, at);
      assert.match(insert?.text ?? '', /removed from mcp:a: y; do not call them/);
      assert.match(insert?.text ?? '', /group mcp:b was added: new/);
      const gone = await conversation.answer('deferred_tool_call', { tool_name: 'a__y' });
      assert.equal(gone.error, 'tool_removed');
      assert.equal((await conversation.answer('y', {})).error, 'tool_removed');
      assert.equal((await conversation.call('b__new', { issue_id: '1' })).kind, 'run');
      layer.update([a('x'), b('new', 'newer')]);
      await conversation.step();
      await conversation.step();
      assert.deepEqual(conversation.last.inserts[0], insert);
      assert.equal(conversation.last.inserts.length, 2);
      assert.match(conversation.last.inserts[1]?.text ?? '', /added to mcp:b: newer/);
      for (const { system, tools } of conversation.sent)
        assert.equal(text([system, tools]), text([first?.system, first?.tools]));
    });
  }

  test('promise 3: never stands between a call and its result, and an unchanged list says nothing', async () => {
    const { layer, conversation } = talk([a('x')]);
    await conversation.step();
    layer.update([a('x')]);
    conversation.messages.push({ role: 'assistant', calls: [] });
    layer.update([a('x', 'y')]);
    assert.deepEqual(conversation.session.present(conversation.messages).inserts, []);
    conversation.messages.push({ role: 'user' });
    assert.equal(conversation.session.present(conversation.messages).inserts.length, 1);
    layer.update([a('x')]);
    assert.equal(conversation.session.present(conversation.messages).inserts.length, 0);
  });

  test('promise 3: after a restart, a list that went back to the one of the epoch is told once', async () => {
    const { layer, conversation } = talk([a('x')]);
    await conversation.step();
    layer.update([a('x'), b('y')]);
    await conversation.step();
    const next = continued(conversation, [a('x')]);
    await next.step();
    assert.equal(next.last.system, conversation.last.system);
    assert.equal(next.last.inserts.length, 2);
    assert.deepEqual(next.last.inserts[0], conversation.last.inserts[0]);
    assert.match(next.last.inserts[1]?.text ?? '', /again the one shown at the start/);
    const again = continued(next, [a('x')]);
    await again.step();
    await again.step();
    assert.equal(bytes(again), bytes(next));
    again.session.update([a('x'), b('y')]);
    await again.step();
    assert.match(again.last.inserts[2]?.text ?? '', /group mcp:b was added: y/);
  });

  test('promise 3: load_tools of a group that is gone says that it was removed', async () => {
    const { layer, conversation } = talk([a('x'), b('y')]);
    await conversation.step();
    layer.update([a('x')]);
    for (const group_id of ['mcp:b', 'b']) {
      const answer = await conversation.answer('load_tools', { group_id });
      assert.match(String(answer.error), /removed/);
      assert.doesNotMatch(text(answer), /Use a group id/);
    }
    const never = await conversation.answer('load_tools', { group_id: 'mcp:c' });
    assert.match(
      text(never),
      /There is no group.*Use a group id from the list of tools \(2 groups\)/,
    );
  });

  test('promise 3: a removed group that listed nothing, and one that comes back', async () => {
    const unlisted = fakeGroup({ groupId: 'mcp:u', tools: simpleTools('x'), names: false });
    const { layer, conversation } = talk([unlisted, a('y')]);
    assert.equal((await conversation.call('u__x', { issue_id: '1' })).kind, 'run');
    assert.equal((await conversation.answer('u__nope', {})).error, 'unknown_tool');
    layer.update([a('y')]);
    assert.equal((await conversation.answer('u__x', {})).error, 'tool_removed');
    layer.update([fakeGroup({ groupId: 'mcp:u', tools: simpleTools('x'), names: false }), a('y')]);
    assert.equal((await conversation.call('u__x', { issue_id: '2' })).kind, 'run');
  });

  test('promise 3: becoming available, or not, is a notice; a version alone too', async () => {
    const { layer, conversation } = talk([
      { ...a('x'), unavailable: { reason: 'no token' } },
      b('y'),
    ]);
    await conversation.step();
    assert.match(conversation.last.system, /unavailable: no token/);
    layer.update([a('x'), { ...b('y'), fingerprint: '2' }]);
    await conversation.step();
    const [notice] = conversation.last.inserts;
    assert.match(notice?.text ?? '', /group mcp:a is available now: x/);
    assert.match(notice?.text ?? '', /tools of mcp:b have changed; load them again/);
  });

  test('groups that the epoch has no bridge to reach begin a new one, which says why', async () => {
    const layer = createToolLayer({ tools: inlineTools('own'), strategy: 'dispatch' });
    const conversation = new Conversation(layer.session());
    await conversation.step();
    layer.update([a('x')]);
    await conversation.step();
    assert.match(conversation.last.system, /mcp:a/);
    assert.match(conversation.session.explain().reason, /new epoch: groups appeared/);
  });
});

suite('promise 28: the epoch of a conversation', () => {
  test('promise 28: messages alone, in another process, give the same bytes and the same notices', async () => {
    const { layer, conversation } = talk([a('x', 'y')]);
    await conversation.call('load_tools', { group_id: 'mcp:a', tool_names: ['y'] });
    layer.update([a('x', 'y'), b('z')]);
    await conversation.step();
    await conversation.step();
    // The catalog as it was is rendered anew; what was announced since is in the messages.
    const resumed = continued(conversation, [a('x', 'y')]);
    await resumed.step();
    await conversation.step();
    const [system, tools, inserts] = JSON.parse(bytes(resumed));
    assert.equal(text([system, tools]), text([conversation.last.system, conversation.last.tools]));
    assert.deepEqual(inserts.slice(0, 1), conversation.last.inserts);
    assert.equal(resumed.session.explain().reason, 'resumed from the messages');
  });

  test('promise 28: where the catalog has changed, the state gives the same bytes; with neither, a new epoch', async () => {
    const { conversation } = talk([a('x', 'y')]);
    await conversation.call('load_tools', { group_id: 'mcp:a', tool_names: ['y'] });
    const state: ToolState = JSON.parse(text(conversation.session.state()));
    const before = bytes(conversation);
    const changed = [a('x', 'y', 'z')];
    const byState = continued(conversation, changed, { state });
    await byState.step();
    const [system, tools] = JSON.parse(before);
    assert.equal(text([byState.last.system, byState.last.tools]), text([system, tools]));
    assert.match(byState.last.inserts[0]?.text ?? '', /added to mcp:a: z/);
    const byNeither = continued(conversation, changed);
    await byNeither.step();
    assert.match(byNeither.last.system, /z/);
    assert.deepEqual(byNeither.last.inserts, []);
    assert.match(
      byNeither.session.explain().reason,
      /new epoch: the catalog these messages were made with/,
    );
  });

  test("promise 28: an app's own tools are part of what the messages were made with", async () => {
    const { conversation } = talk([a('x')]);
    await conversation.step();
    const layer = createToolLayer({
      tools: simpleTools('own', 'another'),
      groups: [a('x')],
      strategy: 'dispatch',
    });
    const session = layer.session();
    session.present(conversation.messages);
    assert.match(session.explain().reason, /new epoch/);
  });

  test('promise 28: another role, model or strategy begins a new epoch', async () => {
    const { conversation } = talk([a('x')]);
    await conversation.step();
    for (const options of [{ modelId: 'other' }, { strategy: 'bridge' as const }]) {
      const next = continued(conversation, [a('x')], options);
      await next.step();
      assert.match(next.session.explain().reason, /new epoch: strategy, role or model changed/);
      await next.step();
      assert.equal(next.last.note, undefined);
    }
  });

  test('promise 28: a new epoch leaves notices behind that its catalog has overtaken', async () => {
    const { layer, conversation } = talk([a('x'), b('y')]);
    await conversation.step();
    layer.update([a('x')]);
    await conversation.step();
    assert.match(conversation.last.inserts[0]?.text ?? '', /mcp:b was removed/);
    const next = continued(conversation, [a('x'), b('y')], { modelId: 'other' });
    await next.step();
    await next.step();
    assert.deepEqual(next.last.inserts, []);
  });

  test('promise 28: junk in the notes of messages that went through a browser is passed over', async () => {
    const { conversation } = talk([a('x')]);
    await conversation.step();
    const notes = [
      null,
      7,
      { epoch: 'x', inserts: 'y', announced: 3 },
      { epoch: { strategy: '__proto__', fingerprint: '', scope: '' } },
    ];
    conversation.messages.push({ role: 'assistant', notes: notes as never });
    conversation.messages.push({ role: 'user' });
    await conversation.step();
    assert.match(conversation.last.system, /mcp:a/);
  });
});

suite('promise 29: state', () => {
  test('promise 29: is plain JSON in the explicit form', async () => {
    const { conversation } = talk([a('x', 'y'), b('z')]);
    await conversation.call('load_tools', { group_id: 'mcp:b' });
    await conversation.call('load_tools', { group_id: 'mcp:a', tool_names: ['y'] });
    await conversation.step();
    const state = conversation.session.state();
    assert.equal(state.strategy, 'dispatch');
    assert.match(state.fingerprint, /^[0-9a-f]{16}$/);
    assert.equal(text(state.expandedGroups), '{"mcp:b":null,"mcp:a":["y"]}');
    assert.deepEqual(JSON.parse(text(state)), state);
  });

  for (const strategy of ['lazy', 'inject'] as const) {
    test(`promise 29: in ${strategy} the state alone declares again what was loaded, vanished groups aside`, async () => {
      const layer = layerOf([a('x', 'y'), b('z')], { strategy });
      const conversation = new Conversation(layer.session());
      const asks: [string, object][] =
        strategy === 'lazy'
          ? [
              ['request_tool', { name: 'a__y' }],
              ['request_tool', { name: 'own' }],
              ['request_tool', { name: 'b__z' }],
            ]
          : [
              ['load_tools', { group_id: 'mcp:a', tool_names: ['y'] }],
              ['load_tools', { group_id: 'app' }],
              ['load_tools', { group_id: 'mcp:b' }],
            ];
      for (const [name, input] of asks) await conversation.call(name, input);
      await conversation.step();
      const state: ToolState = JSON.parse(text(conversation.session.state()));
      const session = layerOf([a('x', 'y')], { strategy }).session({ state });
      await session.prepare();
      const names = session.present([{ role: 'user' }]).tools.map(({ name }) => name);
      assert.ok(
        names.includes('a__y') && names.includes('own') && !names.includes('b__z'),
        String(names),
      );
    });
  }

  test('promise 29: tools of groups and tools of the app are told apart in catalog and state', async () => {
    const groups = [fakeGroup({ groupId: 'apps', tools: simpleTools('own', 'x') })];
    const layer = layerOf(groups, { strategy: 'lazy' });
    const conversation = new Conversation(layer.session());
    await conversation.call('request_tool', { name: 'own' });
    await conversation.step();
    assert.match(conversation.last.system, /^- app \(1 tool\)\n[^-]*^- apps \(2 tools\)/m);
    const state: ToolState = JSON.parse(text(conversation.session.state()));
    const names = layer
      .session({ state })
      .present([])
      .tools.map(({ name }) => name);
    assert.deepEqual(names, ['request_tool', 'own']);
    const taken = (error: unknown) =>
      error instanceof ToolfoldError && error.code === 'reserved-name';
    assert.throws(() => layer.update([fakeGroup({ groupId: 'app' })]), taken);
  });

  test('promise 29: a state of another strategy is an error, or a new epoch where asked for', () => {
    const layer = layerOf([a('x')]);
    const state = layer.session().state();
    const mismatch = (error: unknown) =>
      error instanceof ToolfoldError && error.code === 'strategy-mismatch';
    assert.throws(() => layer.session({ state, strategy: 'bridge' }), mismatch);
    const session = layer.session({ state, strategy: 'bridge', onMismatch: 'new-epoch' });
    assert.equal(session.explain().strategy, 'bridge');
    assert.equal(layer.session({ state, strategy: 'auto' }).explain().strategy, 'dispatch');
    const invalid = (error: unknown) =>
      error instanceof ToolfoldError && error.code === 'invalid-option';
    assert.throws(() => layer.session({ strategy: 'fancy' as never }), invalid);
  });

  test('promise 29: switching deferral off, or on again, lets every stored conversation go on, and says it once', async () => {
    await import('../src/session/ignored-settings.ts'); // what warns
    const names = strategyNames.filter((name): name is StrategyName => name !== 'auto');
    const choices: StrategyChoice[] = [...names, 'auto', false];
    for (const made of names) {
      const frozen = layerOf([a('x')], { strategy: made }).session();
      frozen.present([{ role: 'user' }]);
      const state: ToolState = JSON.parse(text(frozen.state()));
      for (const strategy of choices) {
        const wanted = strategy === false ? 'eager' : strategy;
        const isSame = wanted === 'auto' || [state.strategy, state.insteadOf].includes(wanted);
        const isSwitched = [state.strategy, wanted].includes('eager');
        for (const onMismatch of [undefined, 'error', 'new-epoch'] as const) {
          const label = `${made}, then ${strategy}, ${onMismatch}`;
          const warnings: string[] = [];
          const onWarning = (warning: string) => warnings.push(warning);
          const layer = layerOf([a('x')], { strategy, onWarning });
          const given = { state, ...(onMismatch ? { onMismatch } : {}) };
          const isRefused = !isSame && onMismatch !== 'new-epoch' && !(isSwitched && !onMismatch);
          if (isRefused) {
            assert.throws(() => layer.session(given), { code: 'strategy-mismatch' }, label);
            continue;
          }
          layer.session(given);
          const session = layer.session(given);
          const { tools } = session.present([{ role: 'user' }]);
          await new Promise((done) => setTimeout(done));
          const said = warnings.filter((warning) => /sends its prompt uncached once/.test(warning));
          assert.equal(said.length, !isSame && isSwitched && !onMismatch ? 1 : 0, label);
          if (isSame) continue;
          const fresh = layerOf([a('x')], { strategy }).session();
          assert.deepEqual(tools, fresh.present([{ role: 'user' }]).tools, label);
          assert.equal(session.explain().strategy, fresh.explain().strategy, label);
        }
      }
    }
  });

  test('a state that is null is none', () => {
    const layer = layerOf([a('x')]);
    const session = layer.session({ state: null, onMismatch: 'error' });
    const plain = layer.session();
    assert.deepEqual(session.present([]), plain.present([]));
    assert.deepEqual(session.explain(), plain.explain());
    assert.deepEqual(session.state(), plain.state());
  });

  test('promise 30: dropping old results makes nothing uncallable, and keeps the frozen bytes', async () => {
    for (const keepsNotes of [true, false]) {
      const { layer, conversation } = talk([a('x'), b('y')], { keepsNotes });
      await conversation.call('load_tools', { group_id: 'mcp:a' });
      layer.update([a('x')]);
      await conversation.step();
      const before = conversation.last;
      conversation.messages.splice(0, 3);
      await conversation.step();
      assert.equal(conversation.last.system, before.system);
      for (const { position } of conversation.last.inserts)
        assert.ok(position <= conversation.messages.length);
      assert.equal(conversation.last.inserts.length, 1);
      conversation.messages.splice(0, conversation.messages.length, { role: 'user' });
      await conversation.step();
      assert.match(conversation.last.inserts[0]?.text ?? '', /mcp:b was removed/);
      assert.equal(conversation.last.inserts[0]?.position, 1);
      assert.equal(
        (
          await conversation.call('deferred_tool_call', {
            tool_name: 'a__x',
            arguments: { issue_id: '1' },
          })
        ).kind,
        'run',
      );
      assert.equal((await conversation.answer('load_tools', { group_id: 'mcp:a' })).expanded, true);
    }
  });

  test("promise 31: a fork sends the parent's bytes and changes nothing of the parent's", async () => {
    const { layer, conversation } = talk([a('x', 'y')], { keepsNotes: false });
    await conversation.call('load_tools', { group_id: 'mcp:a', tool_names: ['x'] });
    layer.update([a('x', 'y'), b('z')]);
    await conversation.step();
    const state = text(conversation.session.state());
    const fork = new Conversation(conversation.session.fork(), { keepsNotes: false });
    fork.messages.splice(0, 1, ...conversation.messages);
    assert.equal(text(fork.session.state()), state);
    await fork.call('load_tools', { group_id: 'mcp:b' });
    assert.equal(text([fork.last.system, fork.last.tools, fork.last.inserts]), bytes(conversation));
    await fork.step();
    assert.equal(text(conversation.session.state()), state);
    assert.deepEqual(Object.keys(fork.session.state().expandedGroups), ['mcp:a', 'mcp:b']);
  });

  test('a child has the ceiling of its parent, working bridges, and a catalog of its own', async () => {
    const layer = createToolLayer({
      groups: [a('x', 'y'), b('z')],
      strategy: 'dispatch',
      roles: { half: { tools: ['mcp:a'] }, other: { tools: ['a__y', 'b__z'] } },
    });
    const parent = layer.session({ role: 'half' });
    const child = new Conversation(parent.child({ role: 'other' }));
    await child.step();
    assert.match(child.last.system, / {2}y$/);
    assert.equal(
      (await child.call('deferred_tool_call', { tool_name: 'y', arguments: { issue_id: '1' } }))
        .kind,
      'run',
    );
    assert.equal((await child.answer('b__z', {})).error, 'unknown_tool');
    assert.match(parent.present([]).system, /x, y/);
  });
});

function loadCounts(groups: readonly FakeGroup[]): number[] {
  return groups.map(({ loads }) => loads);
}

test('a conversation resumed with a loader cache runs no loader again', async () => {
  const groups = [a('x'), b('y')];
  const { layer, conversation } = talk(groups);
  await conversation.call('load_tools', { group_id: 'mcp:a' });
  const again = createToolLayer({ groups, strategy: 'dispatch', loaderCache: layer.loaderCache() });
  const session = again.session();
  session.present([]);
  assert.equal(
    (await session.route({ id: '1', name: 'a__x', input: { issue_id: '1' } })).kind,
    'run',
  );
  assert.deepEqual(loadCounts(groups), [1, 0]);
});
