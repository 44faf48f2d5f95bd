import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fakeGroup } from '@toolfold/testing/internal/doubles/fake-group.ts';
import { createToolLayer } from '../../src/session/layer.ts';
import type { StrategyChoice } from '../../src/tool/strategies.ts';
import type { TranscriptMessage } from '../../src/transcript/transcript.ts';
import { simpleTools } from '../conversation.test-support.ts';

const small = fakeGroup({ groupId: 'mcp:small', count: 3 });
const large = fakeGroup({ groupId: 'mcp:large', count: 60 });

/** A conversation whose messages keep their notes, as a host keeps them. */
function talk(strategy: StrategyChoice = 'auto', groups = [small]) {
  const layer = createToolLayer({ tools: simpleTools('own'), groups, strategy });
  const messages: TranscriptMessage[] = [];
  const ask = async () => {
    messages.push({ role: 'user' });
    const session = layer.session();
    await session.prepare(messages);
    const turn = session.turn(messages);
    const { note, tools, system, inserts } = turn.presentation;
    messages.push({ role: 'assistant', ...(note ? { notes: [note] } : {}) });
    const { strategy, fingerprint } = turn.epoch;
    return { strategy: strategy.name, fingerprint, reason: turn.reason, tools, system, inserts };
  };
  return { layer, ask };
}

describe('promise 34: where the list of tools is sent anew, `auto` chooses again', () => {
  test('what was declared while servers started is not declared for ever', async () => {
    for (const before of [[], [small]]) {
      const { layer, ask } = talk('auto', before);
      assert.equal((await ask()).strategy, 'eager');
      layer.update([small, large]);
      const next = await ask();
      assert.equal(next.strategy, 'dispatch');
      assert.match(next.reason, /list is sent anew; deferring is cheaper/);
      const again = await ask();
      assert.deepEqual(
        [again.tools, again.system, again.inserts],
        [next.tools, next.system, next.inserts],
      );
    }
  });

  test('a list that stays small stays declared', async () => {
    const { layer, ask } = talk('auto', []);
    await ask();
    layer.update([small]);
    const next = await ask();
    assert.equal(next.strategy, 'eager');
    assert.ok(next.tools.some(({ name }) => name.startsWith('small__')));
    assert.equal((await ask()).fingerprint, next.fingerprint);
  });

  test('frozen bytes stay, and the change stands at the tail, in both directions', async () => {
    const { layer, ask } = talk('auto', [large]);
    const first = await ask();
    for (const groups of [[large, small], [small], [large]]) {
      layer.update(groups);
      const next = await ask();
      assert.deepEqual(
        [next.fingerprint, next.tools, next.system],
        [first.fingerprint, first.tools, first.system],
      );
      assert.ok(next.inserts.length > 0);
    }
  });

  test('a strategy that was named stays', async () => {
    for (const named of ['eager', 'dispatch', 'bridge'] as const) {
      const { layer, ask } = talk(named, [small]);
      assert.equal((await ask()).strategy, named);
      layer.update([small, large]);
      assert.equal((await ask()).strategy, named);
    }
  });

  test('a session without notes chooses again too', async () => {
    const layer = createToolLayer({ tools: simpleTools('own'), groups: [small] });
    const session = layer.session();
    const present = async () => {
      await session.prepare();
      return session.present();
    };
    await present();
    assert.equal(session.explain().strategy, 'eager');
    session.update([small, large]);
    const { tools } = await present();
    assert.equal(session.explain().strategy, 'dispatch');
    session.update([small]);
    assert.deepEqual((await present()).tools, tools);
  });
});
