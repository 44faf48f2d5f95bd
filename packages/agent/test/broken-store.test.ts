import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOpenAI } from '@ai-sdk/openai';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { simulateReadableStream, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { z } from 'zod';
import { createAgent } from '../src/agent/agent.ts';
import type { StampedEvent } from '../src/options/options.ts';
import { createSession, memoryStore, openSession, type SessionStore } from '../src/sessions.ts';

type Append = SessionStore['append'];
type Fail = (kinds: readonly string[], session: string) => Error | undefined;

/** A store that fails before it has taken certain entries. */
function failing(fail: Fail): SessionStore {
  const store = memoryStore();
  const append: Append = async (entries, options) => {
    const error = fail(
      entries.map(({ kind }) => kind),
      options.lease.session,
    );
    if (error) throw error;
    await store.append(entries, options);
  };
  return { ...store, retryTimeout: 0, append };
}

const ofDriver = () => new Error('connect ECONNREFUSED /home/ada/db');

async function talk(store: SessionStore, script: readonly Reply[] | ((raw: string) => Reply)) {
  const server = await startModelServer({
    script: typeof script === 'function' ? ({ raw }) => script(raw) : script,
  });
  const openai = createOpenAI({ apiKey: 'none', baseURL: server.baseUrl('openai-chat') });
  const begin = (session: Awaited<ReturnType<typeof openSession>>) =>
    createAgent({
      model: openai.chat('gpt-5.4'),
      session,
      subagents: true,
      approvals: { mode: 'never' },
      tools: { note: tool({ inputSchema: z.object({}), execute: () => 'noted' }) },
    });
  const { id } = await createSession(store, { id: 's' });
  return { server, begin, agent: begin(await openSession(store, id)), id };
}

async function eventsIn(turn: AsyncIterable<StampedEvent>): Promise<StampedEvent[]> {
  const events: StampedEvent[] = [];
  for await (const event of turn) events.push(event);
  return events;
}

const NOTE: Reply = { text: 'One moment.', calls: [{ name: 'note', arguments: {} }] };

test('an answer that the store does not take is withdrawn', async () => {
  const store = failing((kinds) => (kinds.includes('model') ? ofDriver() : undefined));
  const { server, agent } = await talk(store, [NOTE]);
  await using _ = server;
  const events = await eventsIn(agent.send('Go.'));
  const withdrawn = events.filter(({ type }) => type === 'discarded');
  assert.equal(withdrawn.length, 1);
  assert.partialDeepStrictEqual(withdrawn[0], { text: 'One moment.', calls: [{ name: 'note' }] });
  assert.partialDeepStrictEqual(events.at(-1), { reason: 'error', code: 'session-unavailable' });
});

test('an outcome that is dropped is not shown, and one that is kept for later is', async () => {
  for (const [code, isShown] of [
    ['session-lost', false],
    ['session-unavailable', true],
  ] as const) {
    let hasFailed = false;
    const store = failing((kinds) => {
      if (hasFailed || !kinds.includes('result')) return;
      hasFailed = true;
      return new ToolfoldError(code, 'No.', 'Wait.');
    });
    const { server, agent } = await talk(store, [NOTE, { text: 'Done.' }]);
    await using _ = server;
    const events = await eventsIn(agent.send('Go.'));
    assert.equal(
      events.some(({ type }) => type === 'result'),
      isShown,
      code,
    );
    assert.partialDeepStrictEqual(events.at(-1), { reason: 'error', code });
  }
});

test('the model reads nothing of the error of a store of a subagent', async () => {
  const errors = [
    ofDriver(),
    new ToolfoldError('session-damaged', 'The file /home/ada/db.', 'Look.'),
  ];
  for (const error of errors) {
    const store = failing((kinds, session) =>
      session !== 's' && kinds.includes('model') ? error : undefined,
    );
    const { server, agent } = await talk(store, (raw) => {
      if (raw.includes('Look it up.') && !raw.includes('"subagents"')) return { text: 'Found.' };
      const tasks = [{ id: 'a', task: 'Look it up.' }];
      const isFirst = !raw.includes('"role":"tool"');
      return isFirst ? { calls: [{ name: 'subagents', arguments: { tasks } }] } : { text: 'Done.' };
    });
    await using _ = server;
    await eventsIn(agent.send('Go.'));
    const last = server.requests.at(-1)?.raw ?? '';
    assert.match(last, /Its session cannot be used/);
    assert.doesNotMatch(last, /ada/);
  }
});

test('an outcome of a subagent that is not written is not shown: nobody writes it later', async () => {
  const store = failing((kinds, session) =>
    session !== 's' && kinds.includes('result') ? ofDriver() : undefined,
  );
  const { server, agent } = await talk(store, (raw) => {
    if (raw.includes('Look it up.') && !raw.includes('"subagents"')) return NOTE;
    const tasks = [{ id: 'a', task: 'Look it up.' }];
    const isFirst = !raw.includes('"role":"tool"');
    return isFirst ? { calls: [{ name: 'subagents', arguments: { tasks } }] } : { text: 'Done.' };
  });
  await using _ = server;
  const events = await eventsIn(agent.send('Go.'));
  const types = events.flatMap((one) => (one.type === 'subagent' ? [one.event.type] : []));
  assert.ok(types.includes('tool-start'));
  assert.ok(!types.includes('result'));
});

test('an end of a turn that was written counts, although the store says that it was not', async () => {
  const store = failing(() => undefined);
  const append: Append = async (entries, options) => {
    await store.append(entries, options);
    if (JSON.stringify(entries).includes('"type":"end"'))
      throw new ToolfoldError('session-unavailable', 'No.', 'Wait.');
  };
  const { server, agent } = await talk({ ...store, append }, [NOTE, { text: 'Done.' }]);
  await using _ = server;
  assert.equal((await eventsIn(agent.send('Go.'))).at(-1)?.type, 'end');
  assert.equal(agent.canResume, false);
  assert.throws(() => agent.resume(), { code: 'invalid-option' });
});

test('a stream without an end is an interrupted answer: its text is kept with a mark', async () => {
  const chunks = [
    { type: 'stream-start' as const, warnings: [] },
    { type: 'text-start' as const, id: '1' },
    { type: 'text-delta' as const, id: '1', delta: 'Half an' },
  ];
  const model = new MockLanguageModelV4({
    doStream: async () => ({ stream: simulateReadableStream({ chunks }) }),
  });
  const agent = createAgent({ model, tools: {} });
  const events = await eventsIn(agent.send('Go.'));
  assert.partialDeepStrictEqual(events.at(-1), { type: 'end', reason: 'error', text: 'Half an' });
  assert.match(JSON.stringify(agent.messages.at(-1)), /Half an.*interrupted/);
  assert.ok(agent.canResume);
});
