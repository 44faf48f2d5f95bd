import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { resultsOn, toolsOn } from '@toolfold/ai-sdk/test/wire.test-support.ts';
import { auditPrefix, formatAuditReport } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import { fakeGroup } from '@toolfold/testing/internal/doubles/fake-group.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import type { RecordedRequest } from '@toolfold/testing/internal/wire/recorded-request.ts';
import { type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { screenOf } from '../src/events/screen.ts';
import { eventsOf } from '../src/state/rebuilt-events.ts';
import { createSubagents } from '../src/tasks/tool.ts';
import { begin, collect, ended } from './agent.test-support.ts';
import {
  beginWay,
  compactionIn,
  GROUPS,
  isSummaryRequest,
  reading,
  WAYS,
  type Way,
} from './compact.test-support.ts';

const WAY = WAYS[0] ?? assert.fail();

/** An agent that has read two files, and replies for what comes next. */
async function hasRead(server: Parameters<typeof beginWay>[0], way: Way = WAY, given = {}) {
  const begun = await beginWay(server, way, given);
  await collect(begun.talk.send('Read a.txt and b.txt.'));
  await collect(begun.talk.send('Thanks.'));
  return begun;
}

/** A server that answers as the test goes on. */
async function startServer(way: Way = WAY) {
  const replies: Reply[] = [...reading(way), { text: 'Welcome.' }];
  const script = () => replies.shift() ?? assert.fail('no reply');
  return { server: await startModelServer({ script }), replies };
}

describe('the request for a summary', () => {
  for (const way of WAYS.filter(({ strategy }) =>
    ['dispatch', 'native', 'eager'].includes(String(strategy)),
  )) {
    test(`runs no call, and is made at most twice: ${way.name}`, async () => {
      const { server, replies } = await startServer(way);
      await using _ = server;
      const { talk, session } = await hasRead(server, way);
      const call = { calls: [way.call('files__read', { path: 'c.txt' })] };
      const results = () => session.entries.filter(({ kind }) => kind === 'result').length;
      const before = [results(), server.requests.length];
      replies.push(call, { text: 'A and B were read.' });
      const { summary } = compactionIn(await collect(talk.compact()));
      assert.equal(results(), before[0]);
      // OpenAI is told that no tool may be called. Then the SDK accepts no call.
      const isForbidden = /openai (responses|chat)|openai-/.test(way.name);
      if (isForbidden && !way.name.includes('compatible')) {
        assert.match(summary, /The model gave no summary.*files__read \(2 calls\)/s);
      } else {
        assert.equal(summary, 'A and B were read.');
        assert.equal(server.requests.length, (before[1] ?? 0) + 2);
        const last = server.requests.at(-1) ?? assert.fail();
        assert.match(resultsOn(last).at(-1)?.text ?? '', /no tool was run/);
      }
    });
  }

  test('a model that gives no text: the summary is made from the messages', async () => {
    const { server, replies } = await startServer();
    await using _ = server;
    const { talk } = await hasRead(server);
    const count = server.requests.length;
    const call = { calls: [WAY.call('files__read', { path: 'c.txt' })] };
    replies.push(call, call, { text: 'Go on.' });
    const { summary } = compactionIn(await collect(talk.compact()));
    assert.equal(server.requests.length, count + 2);
    assert.match(summary, /The model gave no summary.*- Read a\.txt and b\.txt\.\n- Thanks\./s);
    assert.equal(ended(await collect(talk.send('Go on?'))).text, 'Go on.');
    assert.match(server.requests.at(-1)?.raw ?? '', /The model gave no summary/);
  });

  test('a request that is refused for its length: the summary is made from the messages', async () => {
    const { server, replies } = await startServer();
    await using _ = server;
    const { talk } = await hasRead(server);
    replies.push({ error: { status: 400, body: 'prompt is too long' } });
    const events = await collect(talk.compact());
    assert.match(compactionIn(events).summary, /The model gave no summary/);
    assert.equal(ended(events).reason, 'done');
  });

  test('a request that fails otherwise, or is cancelled, changes nothing', async () => {
    const { server, replies } = await startServer();
    await using _ = server;
    const { talk, session } = await hasRead(server);
    const messages = JSON.stringify(talk.messages);
    replies.push({ error: { status: 529, body: 'overloaded' } });
    assert.equal(ended(await collect(talk.compact())).reason, 'error');
    assert.equal(JSON.stringify(talk.messages), messages);
    const stop = new AbortController();
    const { promise: hold, resolve } = Promise.withResolvers<void>();
    // The script reads this when the request has come.
    replies.push({
      text: 'Never.',
      get hold() {
        stop.abort();
        return hold;
      },
    });
    const cancelled = await collect(talk.compact({ signal: stop.signal }));
    resolve();
    assert.equal(ended(cancelled).reason, 'cancelled');
    assert.equal(JSON.stringify(talk.messages), messages);
    assert.ok(!session.entries.some(({ kind }) => kind === 'compaction'));
    replies.push({ text: 'Still here.' });
    assert.equal(ended(await collect(talk.send('And now?'))).text, 'Still here.');
  });

  for (const reason of ['error', 'cancelled', 'done'] as const)
    test(`leaves the turn before as it has ended, also where it ends with ${reason}`, async () => {
      const { server, replies } = await startServer();
      await using _ = server;
      const { talk, session } = await beginWay(server, WAY);
      const live = await collect(talk.send('Read a.txt and b.txt.'));
      replies.splice(0, 1, { text: 'Cut', finishReason: 'length' });
      live.push(...(await collect(talk.send('Thanks.'))));
      const stop = new AbortController();
      const { promise: hold, resolve } = Promise.withResolvers<void>();
      const never = {
        text: 'Never.',
        get hold() {
          stop.abort();
          return hold;
        },
      };
      const failed = { error: { status: 529, body: 'overloaded' } };
      replies.push({ error: failed, cancelled: never, done: { text: 'A summary.' } }[reason]);
      const events = await collect(talk.compact({ signal: stop.signal }));
      resolve();
      assert.equal(ended(events).reason, reason);
      for (const all of [[...live, ...events], eventsOf(session.entries)])
        assert.deepEqual(
          screenOf(all).turns.map(({ end }) => end?.reason),
          ['done', 'length'],
        );
    });

  test('in another process with other tools it has the bytes of the old epoch', async () => {
    const { server, replies } = await startServer();
    await using _ = server;
    const { session } = await hasRead(server);
    const more = fakeGroup({ groupId: 'mcp:tracker', count: 5 });
    const fold = { groups: [...GROUPS, more] };
    const again = await beginWay(server, WAY, { session, fold });
    const count = server.requests.length;
    replies.push({ text: 'A and B were read.' }, { text: 'Yes.' });
    compactionIn(await collect(again.talk.compact()));
    const report = auditPrefix(server.requests.slice(count - 1));
    assert.ok(report.held, formatAuditReport(report));
    await collect(again.talk.send('Is there a tracker?'));
    const catalogs = server.requests.slice(-2).map(({ body }) => JSON.stringify(body.system));
    assert.deepEqual(
      catalogs.map((catalog) => catalog.includes('mcp:tracker')),
      [false, true],
    );
  });

  test('a short conversation has none', async () => {
    const replies: Reply[] = [{ text: 'Hello.' }];
    await using server = await startModelServer({ script: () => replies.shift() ?? assert.fail() });
    const { talk } = await beginWay(server, WAY);
    assert.equal(ended(await collect(talk.compact())).reason, 'done');
    await collect(talk.send('Hi.'));
    const events = await collect(talk.compact());
    assert.deepEqual(
      events.map(({ type }) => type),
      ['end'],
    );
    assert.equal(server.requests.length, 1);
  });

  test('without tools in the conversation it has none either', async () => {
    const long = 'Some words about it. '.repeat(2_000);
    const replies: Reply[] = [
      { text: long },
      { text: 'Fine.' },
      { text: 'Words.' },
      { text: 'Ok.' },
    ];
    await using server = await startModelServer({ script: () => replies.shift() ?? assert.fail() });
    const way = WAYS.find(({ name }) => name === 'dispatch on openai chat') ?? assert.fail();
    const { talk } = await beginWay(server, way);
    talk.setTools(false);
    await collect(talk.send('Tell me a lot.'));
    await collect(talk.send('Thanks.'));
    assert.equal(compactionIn(await collect(talk.compact())).summary, 'Words.');
    await collect(talk.send('And?'));
    assert.deepEqual(server.requests.flatMap(toolsOn), []);
  });
});

describe('a compaction', () => {
  test('keeps approvals that wait, and sends no call without a result', async () => {
    const replies: Reply[] = [
      ...reading(WAY),
      { calls: [WAY.call('files__read', { path: 'c.txt' })] },
      { text: 'A and B were read.' },
      { text: 'C is long too.' },
    ];
    await using server = await startModelServer({ script: () => replies.shift() ?? assert.fail() });
    const { talk } = await beginWay(server, WAY, {
      agent: { approvals: { mode: 'always' } },
    });
    let events = await collect(talk.send('Read.'));
    while (replies.length > 2) {
      const approved = talk.pending.map(({ approvalId }) => [approvalId, { approved: true }]);
      events =
        approved.length > 0
          ? await collect(talk.answer(Object.fromEntries(approved)))
          : await collect(talk.send('Now c.txt.'));
    }
    assert.equal(ended(events).reason, 'approval');
    const [waiting] = talk.pending;
    compactionIn(await collect(talk.compact()));
    const asked = server.requests.at(-1) ?? assert.fail();
    assert.ok(isSummaryRequest(asked) && !asked.raw.includes('c.txt'));
    assert.deepEqual(talk.pending, [waiting]);
    const id = waiting?.approvalId ?? assert.fail();
    const done = await collect(talk.answer({ [id]: { approved: true } }));
    assert.equal(ended(done).text, 'C is long too.');
    assert.match(server.requests.at(-1)?.raw ?? '', /c\.txt, line 399/);
  });

  test('reads results again without approval', async () => {
    const { server, replies } = await startServer();
    await using _ = server;
    const { talk, session } = await hasRead(server);
    replies.push({ text: 'Read.' });
    await collect(talk.compact());
    const { id } = session.entries.findLast(({ kind }) => kind === 'result')?.body ?? {};
    replies.push({ calls: [{ name: 'recall_result', arguments: { id } }] }, { text: 'I see.' });
    const again = await beginWay(server, WAY, {
      session,
      agent: { approvals: { mode: 'always' } },
    });
    assert.equal(ended(await collect(again.talk.send('Again.'))).reason, 'done');
    assert.match(
      resultsOn(server.requests.at(-1) ?? assert.fail())[0]?.text ?? '',
      /b\.txt, line 0/,
    );
  });

  test('without a session nothing can be read again, and the model is not told so', async () => {
    const { server, replies } = await startServer();
    await using _ = server;
    const { talk } = await hasRead(server, WAY, { agent: { session: undefined } });
    replies.push({ text: 'Read.' }, { text: 'Fine.' });
    compactionIn(await collect(talk.compact()));
    await collect(talk.send('And?'));
    const last = server.requests.at(-1) ?? assert.fail();
    assert.ok(last.raw.includes('a.txt, line 0') && !last.raw.includes('recall_result'));
  });

  test('a role that does not allow it has no recall_result', async () => {
    const { server, replies } = await startServer();
    await using _ = server;
    const roles = { reader: { tools: ['mcp:files/*'] } };
    const { talk } = await hasRead(server, WAY, { fold: { roles }, agent: { role: 'reader' } });
    replies.push({ text: 'Read.' }, { text: 'Fine.' });
    compactionIn(await collect(talk.compact()));
    await collect(talk.send('And?'));
    const last = server.requests.at(-1) ?? assert.fail();
    assert.ok(last.raw.includes('a.txt, line 0') && !last.raw.includes('recall_result'));
  });

  test('a tool of the app with that name stays the tool of the app', async () => {
    const { server, replies } = await startServer();
    await using _ = server;
    const own = tool({
      description: 'Recalls what the user did.',
      deferLoading: false,
      inputSchema: z.object({}),
      execute: () => 'The user slept.',
    });
    const tools = { recall_result: own } as unknown as ToolSet;
    const { talk } = await hasRead(server, WAY, { fold: { tools } });
    assert.ok(toolsOn(server.requests[0] ?? assert.fail()).includes('recall_result'));
    replies.push({ text: 'Read.' });
    compactionIn(await collect(talk.compact()));
    replies.push({ calls: [{ name: 'recall_result', arguments: {} }] }, { text: 'I see.' });
    await collect(talk.send('And?'));
    const last = server.requests.at(-1) ?? assert.fail();
    assert.match(resultsOn(last).at(-1)?.text ?? '', /The user slept/);
    assert.ok(!/\\"recall\\":/.test(last.raw));
  });

  test('subagents have no recall_result', async () => {
    const subagents = createSubagents();
    const { server, replies } = await startServer();
    await using _ = server;
    const { createRecall } = await import('../src/compaction/recall.ts');
    const tools = { ...createRecall().tools, ...subagents.tools } as unknown as ToolSet;
    const given = { fold: { tools }, agent: { subagents } };
    const { talk } = await hasRead(server, WAY, given);
    replies.push({ text: 'Read.' });
    compactionIn(await collect(talk.compact()));
    const tasks = [{ id: 'a', task: 'Look.' }];
    replies.push({ calls: [{ name: 'subagents', arguments: { tasks } }] });
    replies.push({ text: 'Looked.' }, { text: 'Done.' });
    await collect(talk.send('Use one.'));
    const [parent, child] = server.requests.slice(-3) as [RecordedRequest, RecordedRequest];
    assert.ok(toolsOn(parent).includes('recall_result'));
    assert.match(child.raw, /# Your task/);
    assert.ok(!child.raw.includes('recall_result'));
  });

  test('an agent without a fold brings recall_result with a session', async () => {
    const replies: Reply[] = [{ text: 'Hi.' }];
    await using server = await startModelServer({ script: () => replies.shift() ?? assert.fail() });
    const { talk } = begin(server);
    const { session } = await beginWay(server, WAY);
    const { createAgent } = await import('../src/agent/agent.ts');
    const model = WAY.endpoint.model(server.baseUrl(WAY.endpoint.provider));
    assert.equal(talk.fold.layer.fingerprintOf('recall_result'), undefined);
    const agent = createAgent({ model, session });
    assert.ok(agent.fold.layer.fingerprintOf('recall_result'));
    assert.equal(createAgent({ model }).fold.layer.fingerprintOf('recall_result'), undefined);
    await collect(agent.send('Hello.'));
    assert.deepEqual(toolsOn(server.requests[0] ?? assert.fail()), []);
    const tools = { recall_result: tool({ inputSchema: z.object({}) }) } as unknown as ToolSet;
    assert.throws(() => createAgent({ model, session, tools }), /"tools\.recall_result"/);
  });
});
