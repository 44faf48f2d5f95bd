import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ToolState } from '../../src/request/state.ts';
import { createToolLayer } from '../../src/session/layer.ts';
import type { ToolLayerOptions } from '../../src/session/options.ts';
import type { TranscriptMessage } from '../../src/transcript/transcript.ts';
import { Conversation, inlineTools, simpleTools } from '../conversation.test-support.ts';

const names = Array.from({ length: 30 }, (_, number) => `tool_${number + 10}`);
const [gone = '', ...kept] = names;

interface Stored {
  readonly state: ToolState;
  readonly messages: readonly TranscriptMessage[];
}

/** What an app stores, as JSON. */
function stored({ session, messages }: Conversation): Stored {
  return JSON.parse(JSON.stringify({ state: session.state(), messages }));
}

/** The conversation with a layer of its own, as in another process. */
function resumed({ state, messages }: Stored, options: ToolLayerOptions): Conversation {
  const conversation = new Conversation(createToolLayer(options).session({ state }));
  conversation.messages.splice(0, Infinity, ...structuredClone(messages));
  return conversation;
}

async function begun(options: ToolLayerOptions): Promise<Conversation> {
  const conversation = new Conversation(createToolLayer(options).session());
  await conversation.step();
  return conversation;
}

const texts = ({ last }: Conversation) => last.inserts.map(({ text }) => text);

suite('own tools that differ from those of the state', () => {
  for (const strategy of ['dispatch', 'bridge', 'inject', 'lazy', 'native'] as const)
    test(`promise 3: ${strategy} keeps the prefix and announces them once`, async () => {
      const first = await begun({ tools: simpleTools(...names), strategy });
      const changed = { tools: simpleTools(...kept, 'fresh'), strategy };
      const second = resumed(stored(first), changed);
      assert.equal((await second.answer(gone, { issue_id: '1' })).error, 'tool_removed');
      assert.equal(second.last.system, first.last.system);
      assert.deepEqual(second.last.tools, first.last.tools);
      assert.deepEqual(texts(second), [
        `[Notice from the application, not from the user: the list of tools has changed.]
- added to app:
  fresh: Does fresh
- removed from app: ${gone}; do not call them`,
      ]);
      const route = await second.call('fresh', { issue_id: '1' });
      if (strategy === 'dispatch') assert.equal(route.kind, 'run');
      for (const { state } of [stored(first), stored(second)]) {
        const third = resumed({ ...stored(second), state }, changed);
        await third.step();
        assert.equal(third.last.system, first.last.system);
        assert.deepEqual(third.last.inserts, second.sent[0]?.inserts);
        assert.equal(third.last.note, undefined);
        assert.equal((await third.answer(gone, {})).error, 'tool_removed');
      }
      const back = resumed(stored(second), { tools: simpleTools(...names), strategy });
      await back.step();
      assert.match(
        texts(back).at(-1) ?? '',
        /the list of tools is again the one shown at the start/,
      );
    });

  test('a tool that is there under another name is not called removed', async () => {
    const tools = simpleTools(...names);
    const first = await begun({ tools, strategy: 'dispatch' });
    for (const name of [`app__${gone}`, 'app'])
      assert.equal((await first.answer(name, { issue_id: '1' })).error, 'unknown_tool');
  });

  test('many added tools are cut; without hints names alone are shown', async () => {
    const first = await begun({ tools: simpleTools('a'), strategy: 'dispatch' });
    const tools = simpleTools('a', ...names);
    const hinted = resumed(stored(first), { tools, strategy: 'dispatch' });
    await hinted.step();
    const lines = texts(hinted)[0]?.split('\n') ?? [];
    assert.equal(lines[2], `  ${gone}: Does ${gone}`);
    assert.equal(lines.at(-1), '  and 10 more');
    assert.equal(lines.length, 23);
    const bare = resumed(stored(first), { tools, strategy: 'dispatch', catalog: { hints: false } });
    await bare.step();
    assert.equal(texts(bare)[0]?.split('\n')[2], `  ${gone}`);
  });

  test('a tool that has to be declared begins a new epoch', async () => {
    const first = await begun({ tools: simpleTools(...names), strategy: 'dispatch' });
    const must = simpleTools('must').map((tool) => ({ ...tool, inlineBecause: 'it has a reason' }));
    const tools = [...simpleTools(...names), ...must];
    const second = resumed(stored(first), { tools, strategy: 'dispatch' });
    await second.step();
    assert.ok(second.last.tools.some(({ name }) => name === 'must'));
    assert.deepEqual(second.last.inserts, []);
  });

  test('an added tool that is marked as declared is announced, and the bytes stay', async () => {
    const own = simpleTools(...names);
    const first = await begun({ tools: own, strategy: 'dispatch' });
    const tools = [...own, ...inlineTools('open')];
    const second = resumed(stored(first), { tools, strategy: 'dispatch' });
    const route = await second.call('deferred_tool_call', {
      tool_name: 'open',
      arguments: { issue_id: '1' },
    });
    assert.equal(route.kind, 'run');
    assert.deepEqual(second.last.tools, first.last.tools);
    assert.match(texts(second)[0] ?? '', /added to app:\n {2}open: Does open$/);
  });
});
