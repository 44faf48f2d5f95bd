import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createToolLayer } from '../../src/session/layer.ts';
import type { Session } from '../../src/session/session.ts';
import type { TranscriptMessage } from '../../src/transcript/transcript.ts';

const LIMIT_OF_FAILURES = 1_000;

function sessionOf(
  strategy: 'dispatch' | 'inject' | 'lazy' | 'bridge',
  toolNames = ['read', 'write'],
) {
  const tools = toolNames.map((name) => ({
    name,
    description: `${name} a file`,
    inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    execute: () => 'done',
  }));
  const layer = createToolLayer({
    strategy,
    groups: [{ groupId: 'mcp:fs', description: 'Files', toolNames, loader: async () => tools }],
  });
  return { layer, session: layer.session() };
}

let calls = 0;

/** What a gateway does with each call: route it, run it, answer, record. */
async function call(session: Session, name: string, input: unknown): Promise<unknown> {
  const made = { id: `call-${++calls}`, name, input };
  const route = await session.route(made);
  const [output, isError] = route.kind === 'run' ? ['done', false] : [route.result, route.isError];
  session.record(made, { output, isError });
  return output;
}

const load = (session: Session) => call(session, 'load_tools', { group_id: 'mcp:fs' });

suite('a session without messages', () => {
  test('promise 28: what was loaded is remembered, in its state and when it is resumed elsewhere', async () => {
    const { layer, session } = sessionOf('dispatch');
    await call(session, 'load_tools', { group_id: 'mcp:fs', tool_names: ['read'] });
    assert.deepEqual(session.state().expandedGroups, { 'mcp:fs': ['read'] });
    await load(session);
    assert.deepEqual(session.state().expandedGroups, { 'mcp:fs': null });
    const resumed = layer.session({ state: JSON.parse(JSON.stringify(session.state())) });
    assert.deepEqual(resumed.state().expandedGroups, { 'mcp:fs': null });
  });

  test('declares what was loaded where the strategy declares loaded tools', async () => {
    const declared = (session: Session) => session.present().tools.map(({ name }) => name);
    const { session } = sessionOf('inject');
    assert.ok(!declared(session).includes('fs__read'));
    await load(session);
    assert.ok(declared(session).includes('fs__read') && declared(session).includes('fs__write'));
    const lazy = sessionOf('lazy').session;
    await call(lazy, 'request_tool', { name: 'fs__read' });
    assert.ok(declared(lazy).includes('fs__read') && !declared(lazy).includes('fs__write'));
  });

  test('gives the same failing call another answer, until it succeeds', async () => {
    const { session } = sessionOf('dispatch');
    const wrong = { tool_name: 'fs__read', arguments: { path: 1 } };
    const first = await call(session, 'deferred_tool_call', wrong);
    const second = await call(session, 'deferred_tool_call', wrong);
    assert.notDeepEqual(second, first);
    assert.match(JSON.stringify(second), /2/);
  });

  test('shares with a fork what was recorded before it, and nothing after', async () => {
    const { session } = sessionOf('dispatch');
    await call(session, 'load_tools', { group_id: 'mcp:fs', tool_names: ['read'] });
    const fork = session.fork();
    await load(fork);
    assert.deepEqual(session.state().expandedGroups, { 'mcp:fs': ['read'] });
    assert.deepEqual(fork.state().expandedGroups, { 'mcp:fs': null });
  });

  test('says that searches go on without a call', async () => {
    const { session } = sessionOf('bridge');
    const answers = [];
    for (let time = 0; time < 5; time++)
      answers.push(await call(session, 'tool_search', { query: 'file' }));
    assert.match(JSON.stringify(answers.at(-1)), /5 searches in a row/);
  });

  test('stays small however long it goes on', async () => {
    const { session } = sessionOf('dispatch');
    await load(session);
    const before = JSON.stringify(session.turn([]).conversation);
    for (let time = 0; time < 50; time++) await load(session);
    const { conversation } = session.turn([]);
    assert.equal(JSON.stringify(conversation), before);
    for (let time = 0; time < LIMIT_OF_FAILURES + 10; time++) {
      const made = { id: `failing-${time}`, name: 'fs__read', input: { path: time } };
      session.record(made, { output: 'no', isError: true });
    }
    assert.equal(session.turn([]).conversation.failures.size, LIMIT_OF_FAILURES);
  });

  test('takes results of real tools for no load, whatever they say', async () => {
    const { session } = sessionOf('dispatch');
    const output = { group_id: 'mcp:fs', expanded: true, tool_names: ['read'], remaining: 0 };
    session.record({ id: 'a', name: 'fs__read', input: {} }, { output, isError: false });
    session.record({ id: 'b', name: 'load_tools', input: {} }, { output, isError: true });
    assert.deepEqual(session.state().expandedGroups, {});
  });
});

suite('reading messages', () => {
  /** Messages that count how often somebody looks at their notes and calls. */
  function counted(): { messages: TranscriptMessage[]; reads: () => number } {
    let reads = 0;
    const assistant = {
      role: 'assistant' as const,
      get calls() {
        reads++;
        return [];
      },
    };
    return { messages: [{ role: 'user' }, assistant], reads: () => reads };
  }

  for (const strategy of ['dispatch', 'inject', 'lazy', 'bridge'] as const) {
    test(`promise 28: a request reads its transcript once: ${strategy}`, async () => {
      const { session } = sessionOf(strategy);
      const { messages, reads } = counted();
      await session.prepare(messages);
      session.present(messages);
      assert.equal(reads(), 1);
      // The next request reads them again: a host may have changed them in place.
      session.present(messages);
      assert.equal(reads(), 2);
    });
  }

  test('a call that is recorded in between counts, though the list of messages is the same', async () => {
    const { session } = sessionOf('inject');
    const none: TranscriptMessage[] = [];
    await session.prepare(none);
    await load(session);
    const names = session.present(none).tools.map(({ name }) => name);
    assert.ok(names.includes('fs__read'));
  });

  test('messages that came in between are read', async () => {
    const { session } = sessionOf('inject');
    const messages: TranscriptMessage[] = [{ role: 'user' }];
    await session.prepare(messages);
    const input = { group_id: 'mcp:fs' };
    const made = { id: 'x', name: 'load_tools', input };
    const route = await session.route(made);
    assert.ok(route.kind === 'answer');
    messages.push({ role: 'assistant', calls: [made] });
    messages.push({ role: 'tool', results: [{ id: 'x', output: route.result, isError: false }] });
    const names = session.present(messages).tools.map(({ name }) => name);
    assert.ok(names.includes('fs__read'));
  });
});
