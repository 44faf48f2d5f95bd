import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  dialectOf,
  ENDPOINTS,
  type Endpoint,
  NATIVE_ENDPOINTS,
} from '@toolfold/ai-sdk/test/endpoints.test-support.ts';
import { BRIDGE, DISPATCH, type Dialect } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import type { AgentEvent } from '../../src/events/events.ts';
import { assertHeld, begin, collect, type World } from '../agent.test-support.ts';

const LIST = 'github__list_issues';

const broken = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === 'prefix-broken' ? [event] : []));

/** Two turns with loads, calls that run, fail and are refused, and an answer that breaks off. */
const script = ({ load, call }: Dialect): Reply[] => [
  { calls: [load('mcp:github')] },
  { text: 'One.', calls: [call(LIST, {}), call('github__explode', {}), call('nobody', {})] },
  { text: 'Done.' },
  { text: 'This breaks off in its middle.', chunkSize: 5, abortAfter: 4 },
  { calls: [call(LIST, {})] },
  { text: 'Done again.' },
];

async function talkOn(endpoint: Endpoint, dialect: Dialect, world: World): Promise<AgentEvent[]> {
  await using server = await startModelServer({ script: script(dialect) });
  const { talk } = begin(server, { ...world, endpoint });
  const events: AgentEvent[] = [];
  for (const words of ['github list_issues', 'Go on.', 'And again.'])
    events.push(...(await collect(talk.send(words))));
  assertHeld(server);
  return events;
}

describe('a prefix that holds on the wire is never told as broken', () => {
  for (const endpoint of ENDPOINTS)
    for (const [strategy, dialect] of [
      ['dispatch', DISPATCH],
      ['bridge', BRIDGE],
    ] as const)
      for (const routing of ['off', 'preload'] as const)
        test(`${strategy} with routing ${routing} on ${endpoint.name}`, async () => {
          const agent = { routing, instructions: 'Be kind.' };
          const events = await talkOn(endpoint, dialect, { fold: { strategy }, agent });
          assert.deepEqual(broken(events), []);
        });
  for (const endpoint of NATIVE_ENDPOINTS)
    test(`native, ${endpoint.form}`, async () => {
      const { capabilities, form, settings } = endpoint;
      const events = await talkOn(endpoint, dialectOf(form), {
        fold: { strategy: 'native', capabilities },
        agent: { routing: 'preload', settings: { ...settings, maxRetries: 0 } },
      });
      assert.deepEqual(broken(events), []);
    });
});

describe('a prefix that breaks', () => {
  test('is told with its cause where routing narrows the tools', async () => {
    await using server = await startModelServer({ script: () => ({ text: 'Ok.' }) });
    const { talk } = begin(server, {
      agent: {
        routing: 'narrow',
        categories: { code: { words: ['issue'], tools: ['github__*'] } },
      },
    });
    const events: AgentEvent[] = [];
    for (const words of ['List the issues.', 'What is the weather?', 'Send an email.'])
      events.push(...(await collect(talk.send(words))));
    for (const { cause, segment } of broken(events)) {
      assert.match(cause, /new epoch|tools changed|role or the model/);
      assert.equal(segment.index, 0);
    }
    const epochs = events.filter(({ type }) => type === 'epoch');
    assert.equal(broken(events).length, epochs.length - 1);
  });

  test('is told in `eager` where the groups change', async () => {
    await using server = await startModelServer({ script: () => ({ text: 'Ok.' }) });
    const { talk, fold } = begin(server, { fold: { strategy: 'eager' } });
    const events = await collect(talk.send('Go.'));
    fold.update([]);
    events.push(...(await collect(talk.send('Go.'))));
    const [one, ...more] = broken(events);
    assert.deepEqual([one?.request, one?.segment, more], [2, { index: 0, kind: 'tools' }, []]);
    assert.match(one?.cause ?? '', /tools changed/);
  });

  test('names the strategy that was given up', async () => {
    const [endpoint] = NATIVE_ENDPOINTS;
    assert.ok(endpoint);
    const refused: Reply = { error: { status: 400, body: 'tool_addition: not supported.' } };
    await using server = await startModelServer({ script: [refused, { text: 'One.' }] });
    const { talk } = begin(server, {
      endpoint,
      fold: { strategy: 'native', capabilities: endpoint.capabilities },
      agent: { settings: { ...endpoint.settings, maxRetries: 0 } },
    });
    const [one] = broken(await collect(talk.send('Go.')));
    assert.match(one?.cause ?? '', /strategy changed from native to dispatch: .*tool_addition/);
  });
});
