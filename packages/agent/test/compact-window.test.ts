import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { resultsOn } from '@toolfold/ai-sdk/test/wire.test-support.ts';
import { estimateTokens } from '@toolfold/core/internal/tool/tokens.ts';
import { countBody } from '@toolfold/testing/internal/audit/count-body.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import type { RecordedRequest } from '@toolfold/testing/internal/wire/recorded-request.ts';
import type { AgentEvent } from '../src/events/events.ts';
import { collect, ended } from './agent.test-support.ts';
import {
  beginWay,
  compactionIn,
  hasSummary,
  isSummaryRequest,
  reading,
  WAYS,
} from './compact.test-support.ts';

const SUMMARY = 'A and B were read.';
const WAY = WAYS[0] ?? assert.fail();

/** The settings of every model of these tests. */
const windowOf = (contextWindow: number) => ({
  models: { 'claude-sonnet-4-5': { contextWindow } },
});

const tokensOf = (request: RecordedRequest) => countBody(request, estimateTokens).total;

const typesOf = (events: readonly AgentEvent[]) =>
  events.map(({ type }) => type).filter((type) => ['compaction', 'start', 'end'].includes(type));

describe('a compaction when the window is full', () => {
  test('comes before the first request of a turn, and the new message is not summarized', async () => {
    const replies: Reply[] = [...reading(WAY), { text: SUMMARY }, { text: 'C it is.' }];
    await using server = await startModelServer({ script: () => replies.shift() ?? assert.fail() });
    const { talk } = await beginWay(server, WAY, { agent: windowOf(24_000) });
    await collect(talk.send('Read a.txt and b.txt.'));
    const events = await collect(talk.send(`What is next? ${'Say more. '.repeat(2_000)}`));
    assert.deepEqual(typesOf(events), ['compaction', 'start', 'end']);
    const { cause, before, after } = compactionIn(events);
    assert.equal(cause, 'window');
    assert.ok(after < before);
    assert.equal(events.filter(({ type }) => type === 'request').length, 2);
    assert.equal(events.filter(({ type }) => type === 'usage').length, 2);
    const [asked, answered] = server.requests.slice(-2) as [RecordedRequest, RecordedRequest];
    assert.ok(isSummaryRequest(asked) && !asked.raw.includes('What is next?'));
    assert.ok(answered.raw.includes('What is next?') && answered.raw.includes(SUMMARY));
    assert.equal(ended(events).text, 'C it is.');
  });

  test('comes between two steps of a turn, and the turn goes on', async () => {
    const paths = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    let read = 0;
    const script = (request: RecordedRequest): Reply => {
      if (isSummaryRequest(request)) return { text: `Read so far: ${read} files.` };
      const path = `${paths[read] ?? ''}.txt`;
      if (paths[read++] === undefined) return { text: 'I have read all of them.' };
      return { calls: [WAY.call('files__read', { path })] };
    };
    await using server = await startModelServer({ script });
    const { talk, session } = await beginWay(server, WAY, {
      agent: { ...windowOf(24_000), maxRounds: 20 },
    });
    const events = await collect(talk.send('Read all eight files.'));
    assert.equal(ended(events).reason, 'done');
    assert.equal(ended(events).text, 'I have read all of them.');
    const compactions = events.filter(({ type }) => type === 'compaction');
    assert.ok(compactions.length >= 2, `${compactions.length}`);
    assert.deepEqual(
      events.flatMap((event) => (event.type === 'result' ? [event.name] : [])),
      paths.map(() => 'files__read'),
    );
    for (const request of server.requests) {
      assert.ok(tokensOf(request) < 24_000, `${tokensOf(request)}`);
      assert.ok(request.raw.includes('Read all eight files.'));
    }
    const last = server.requests.at(-1) ?? assert.fail();
    assert.ok(hasSummary(last));
    // What was read last is there in full.
    assert.match(resultsOn(last).at(-1)?.text ?? '', /h\.txt, line 399/);
    assert.equal(
      session.entries.filter(({ kind }) => kind === 'compaction').length,
      compactions.length,
    );
  });

  test('counts the rounds of the turn before it', async () => {
    let calls = 0;
    const script = (request: RecordedRequest): Reply => {
      if (isSummaryRequest(request)) return { text: SUMMARY };
      if (request.raw.includes('no rounds of tools are left')) return { text: 'Enough.' };
      return { calls: [WAY.call('files__read', { path: `${calls++}.txt` })] };
    };
    await using server = await startModelServer({ script });
    const agent = { ...windowOf(24_000), maxRounds: 6 };
    const { talk } = await beginWay(server, WAY, { agent });
    const events = await collect(talk.send('Read.'));
    assert.ok(events.some(({ type }) => type === 'compaction'));
    assert.equal(ended(events).reason, 'rounds');
    assert.equal(calls, 6);
  });

  test('one result that is larger than the window becomes a digest', async () => {
    const replies: Reply[] = [
      { calls: [WAY.call('files__read', { path: 'a.txt' })] },
      { text: 'That is long.' },
    ];
    await using server = await startModelServer({ script: () => replies.shift() ?? assert.fail() });
    const { talk } = await beginWay(server, WAY, { agent: windowOf(8_000) });
    const events = await collect(talk.send('Read a.txt.'));
    assert.equal(ended(events).text, 'That is long.');
    const { summary } = compactionIn(events);
    assert.equal(summary, '');
    const last = server.requests.at(-1) ?? assert.fail();
    assert.match(
      resultsOn(last)[0]?.text ?? '',
      /"digest":"a\.txt, line 0.*"recall":"recall_result"/,
    );
    assert.ok(last.raw.includes('recall_result'));
  });

  test('is not made without a context window, or where the conversation fits', async () => {
    for (const agent of [{}, windowOf(200_000)]) {
      const replies: Reply[] = [...reading(WAY), { text: 'Welcome.' }];
      await using server = await startModelServer({
        script: () => replies.shift() ?? assert.fail(),
      });
      const { talk } = await beginWay(server, WAY, { agent });
      await collect(talk.send('Read a.txt and b.txt.'));
      const events = await collect(talk.send('Thanks.'));
      assert.deepEqual(typesOf(events), ['start', 'end']);
    }
  });
});
