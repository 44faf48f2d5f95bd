import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ENDPOINTS } from '@toolfold/ai-sdk/test/endpoints.test-support.ts';
import { estimateTokens } from '@toolfold/core/internal/tool/tokens.ts';
import { countBody } from '@toolfold/testing/internal/audit/count-body.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import type { AgentEvent } from '../src/events/events.ts';
import type { Agent } from '../src/options/options.ts';
import { begin, collect, ended } from './agent.test-support.ts';
import { Sessions } from './rebuilt-screen.test-support.ts';

type Of<TYPE extends AgentEvent['type']> = Extract<AgentEvent, { type: TYPE }>;

function of<TYPE extends AgentEvent['type']>(
  events: readonly AgentEvent[],
  type: TYPE,
): Of<TYPE>[] {
  return events.filter((event): event is Of<TYPE> => event.type === type);
}

async function all(talk: Agent, ...words: string[]): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for (const text of words) for await (const event of talk.send(text)) events.push(event);
  return events;
}

const script = () => ({ text: 'Ok.' });
const instructions = 'Be kind.';
const categories = [{ name: 'code', words: ['issue'], tools: ['github__*'] }];

describe('a request without tools', () => {
  for (const endpoint of ENDPOINTS)
    test(`has an event with what was sent: ${endpoint.name}`, async () => {
      await using server = await startModelServer({ script });
      const { talk } = begin(server, { endpoint, agent: { instructions } });
      talk.setTools(false);
      const events = await all(talk, 'Go.', 'And?');
      const requests = of(events, 'request');
      assert.deepEqual(
        requests.map(({ request, strategy }) => [request, strategy]),
        [
          [1, 'none'],
          [2, 'none'],
        ],
      );
      for (const [at, { tokens, segments, texts }] of requests.entries()) {
        const labels = segments.map(({ label }) => label);
        assert.deepEqual(labels, ['system-text', ...Array(1 + 2 * at).fill('history')]);
        assert.equal(
          segments.reduce((sum, segment) => sum + segment.tokens, 0),
          tokens.total,
        );
        assert.equal(tokens.eager, tokens.total);
        const sent = server.requests[at] ?? assert.fail();
        const { total } = countBody(sent, estimateTokens);
        assert.equal(tokens.total, total);
        assert.deepEqual([...(texts?.() ?? [])].length, new Set(segments.map((s) => s.hash)).size);
      }
      assert.deepEqual(
        of(events, 'usage').map(({ request }) => request),
        [1, 2],
      );
      assert.deepEqual(of(events, 'prefix-broken'), []);
      assert.deepEqual(of(events, 'epoch'), []);
    });

  test('keeps its number in the session, and the screen is rebuilt', async () => {
    await using sessions = new Sessions();
    const session = await sessions.create();
    await using server = await startModelServer({ script });
    const { talk } = begin(server, { agent: { session, instructions } });
    talk.setTools(false);
    const live = await all(talk, 'Go.', 'And?');
    talk.setTools(true);
    live.push(...(await all(talk, 'Now with tools.')));
    await sessions.assertRebuilt(session.id, live);
    const entries = await sessions.entries(session.id);
    const answers = entries.filter(({ kind }) => kind === 'model');
    assert.deepEqual(
      answers.map(({ body }) => Reflect.get(Object(body), 'request')),
      [1, 2, 3],
    );
    const types = (events: readonly AgentEvent[]) =>
      events.flatMap(({ type }) => (/^(request|text)$/.test(type) ? type : []));
    assert.deepEqual(types(await sessions.events(session.id)), types(live));
    const { talk: later } = begin(server, {
      agent: { session: await sessions.open(session.id), instructions },
    });
    assert.equal(of(await all(later, 'Go on.'), 'request')[0]?.request, 4);
  });

  test('is compared with the next one, which may have tools', async () => {
    await using server = await startModelServer({ script });
    const agent = { routing: 'narrow' as const, categories, instructions };
    const { talk } = begin(server, { agent });
    const events = await all(talk, 'What is the weather?', 'Thanks.', 'List the issues.');
    assert.deepEqual(
      of(events, 'request').map(({ request, strategy }) => [request, strategy === 'none']),
      [
        [1, true],
        [2, true],
        [3, false],
      ],
    );
    const [broken, ...more] = of(events, 'prefix-broken');
    assert.deepEqual([broken?.request, broken?.segment.index, more], [3, 0, []]);
    assert.equal(broken?.cause, 'tools are sent now');
  });

  test('has an event too where the fold has no tools', async () => {
    await using server = await startModelServer({ script });
    const { talk } = begin(server, { fold: { groups: [], tools: {} as never } });
    const events = await all(talk, 'Go.');
    assert.deepEqual(
      of(events, 'request').map(({ request, tokens }) => [request, tokens.inline]),
      [[1, 0]],
    );
  });

  test('has the next number when it is sent again', async () => {
    const busy = { error: { status: 529, body: 'Overloaded.' } };
    await using server = await startModelServer({ script: [busy, { text: 'Here.' }] });
    const { talk } = begin(server, { agent: { settings: { maxRetries: 1 } } });
    talk.setTools(false);
    const events = await all(talk, 'Go.');
    assert.deepEqual(
      of(events, 'request').map(({ request }) => request),
      [1, 2],
    );
    assert.deepEqual(
      of(events, 'usage').map(({ request }) => request),
      [2],
    );
  });

  test('for a summary has an event, and one beside the conversation has none', async () => {
    const long = 'word '.repeat(3_000);
    await using server = await startModelServer({ script: () => ({ text: long }) });
    const { talk } = begin(server, { agent: { instructions } });
    talk.setTools(false);
    await all(talk, 'Go.', 'And?', 'More.');
    const { usage } = await talk.ask('What is it about?');
    assert.equal(usage?.request, undefined);
    const events = await collect(talk.compact());
    assert.equal(ended(events).reason, 'done');
    assert.equal(of(events, 'compaction').length, 1);
    assert.deepEqual(
      of(events, 'request').map(({ request, strategy }) => [request, strategy]),
      [[4, 'none']],
    );
    assert.equal(of(events, 'usage')[0]?.request, 4);
    const next = await all(talk, 'Go on.');
    assert.deepEqual(
      of(next, 'prefix-broken').map(({ request, cause }) => [request, cause]),
      [[5, 'the conversation was compacted']],
    );
  });
});
