import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ENDPOINTS } from '@toolfold/ai-sdk/test/endpoints.test-support.ts';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import type { AgentEvent } from '../../src/events/events.ts';
import { screenOf } from '../../src/events/screen.ts';
import { plainEvent } from '../../src/events/turn-error.ts';
import { begin, collect } from '../agent.test-support.ts';

const { call, load } = DISPATCH;
const LIST = 'github__list_issues';
const TRANSIENT = new Set(['call-delta', 'tool-progress', 'tool-log']);

/** The events as a file may keep them: plain data, whole texts, nothing that is only shown meanwhile. */
function stored(events: readonly AgentEvent[]): AgentEvent[] {
  const kept: AgentEvent[] = [];
  for (const event of events) {
    if (TRANSIENT.has(event.type)) continue;
    const last = kept.at(-1);
    const isText = event.type === 'text' || event.type === 'reasoning';
    if (isText && last?.type === event.type)
      kept[kept.length - 1] = { ...last, text: last.text + event.text };
    else kept.push(JSON.parse(JSON.stringify(plainEvent(event))));
  }
  return kept;
}

const SCRIPTS: Readonly<Record<string, readonly Reply[]>> = {
  'loads, runs, fails and is refused': [
    { calls: [load('mcp:github')] },
    { reasoning: 'Hm, well.', text: 'One moment.', calls: [call(LIST, {}), call('nobody', {})] },
    { calls: [call('github__explode', {}), call('github__create_issue', { title: 1 })] },
    { text: 'Done, and this is all of it.' },
  ],
  'breaks off': [
    { text: 'This will break off.', calls: [call(LIST, {})], abortAfter: 6 },
    { text: 'Done.' },
  ],
  'is sent again': [{ error: { status: 529, body: 'Busy.' } }, { text: 'Here it is.' }],
  fails: [{ error: { status: 401, body: 'No.' } }, { text: 'Now.' }],
};

describe('the screen of a live turn is the one of its stored events', () => {
  for (const [at, endpoint] of ENDPOINTS.entries())
    for (const [name, replies] of Object.entries(SCRIPTS)) {
      // The SDK waits two seconds before it sends a request again: on one endpoint only.
      if (name === 'is sent again' && at > 0) continue;
      test(`that ${name}, on ${endpoint.name}`, async () => {
        const script = replies.map((reply) => ({ ...reply, chunkSize: 3 }));
        await using server = await startModelServer({ script });
        const { talk } = begin(server, {
          endpoint,
          agent: { settings: { maxRetries: name === 'is sent again' ? 1 : 0 } },
        });
        const events: AgentEvent[] = await collect(talk.send('Go.'));
        events.push(...(await collect(talk.send('Go on.'))));
        const live = screenOf(events);
        assert.deepEqual(screenOf(stored(events)), JSON.parse(JSON.stringify(live)));
        assert.deepEqual(
          live.turns.map(({ user }) => user),
          ['Go.', 'Go on.'],
        );
        for (const { blocks } of live.turns)
          for (const block of blocks)
            if (block.kind === 'call') assert.match(block.status, /^(done|failed|withdrawn)$/);
      });
    }

  test('that waits for approval', async () => {
    const script = [{ calls: [call(LIST, {}), call('github__explode', {})] }, { text: 'Done.' }];
    await using server = await startModelServer({ script });
    const { talk } = begin(server, { agent: { approvals: { mode: 'always' } } });
    const events: AgentEvent[] = await collect(talk.send('Go.'));
    const cards = () =>
      screenOf(events).turns.flatMap(({ blocks }) =>
        blocks.flatMap((block) => (block.kind === 'call' ? block.status : [])),
      );
    assert.deepEqual(cards(), ['asked', 'asked']);
    const [first, second] = talk.pending.map(({ approvalId }) => approvalId);
    const answers = { [first ?? '']: { approved: true }, [second ?? '']: { approved: false } };
    events.push(...(await collect(talk.answer(answers))));
    assert.deepEqual(cards(), ['done', 'denied']);
    assert.deepEqual(screenOf(stored(events)), JSON.parse(JSON.stringify(screenOf(events))));
    assert.equal(screenOf(events).turns.length, 1);
  });
});
