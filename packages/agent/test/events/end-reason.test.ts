import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ENDPOINTS } from '@toolfold/ai-sdk/test/endpoints.test-support.ts';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { endReasonOf } from '../../src/events/end.ts';
import type { AgentEvent } from '../../src/events/events.ts';
import { begin, collect, ended } from '../agent.test-support.ts';

describe('the end of a turn', () => {
  for (const endpoint of ENDPOINTS) {
    test(`reports whether the answer is complete, on ${endpoint.name}`, async () => {
      for (const [finishReason, reason] of [
        ['stop', 'done'],
        ['length', 'length'],
        ['content-filter', 'content-filter'],
      ] as const) {
        const script = [{ text: 'Here is how to', finishReason }];
        await using server = await startModelServer({ script });
        const { talk } = begin(server, { endpoint });
        const end = ended(await collect(talk.send('Go.')));
        assert.deepEqual([end.reason, end.text], [reason, 'Here is how to']);
      }
    });
  }

  test('is `other` if the provider waits or gives an unknown reason', () => {
    assert.equal(endReasonOf('stop', 'end_turn'), 'done');
    assert.equal(endReasonOf('stop', undefined), 'done');
    assert.equal(endReasonOf('stop', 'pause_turn'), 'other');
    assert.equal(endReasonOf('other', 'compaction'), 'other');
    assert.equal(endReasonOf('other', undefined), 'other');
    for (const raw of ['eos', 'eos_token', 'end_turn', 'STOP', 'stop_sequence'])
      assert.equal(endReasonOf('other', raw), 'done');
    assert.equal(endReasonOf('other', 'stopped_by_admin'), 'other');
    assert.equal(endReasonOf('tool-calls', 'tool_use'), 'rounds');
    assert.equal(endReasonOf('error', undefined), 'error');
  });

  for (const endpoint of ENDPOINTS) {
    test(`is rounds if the model keeps calling tools, on ${endpoint.name}`, async () => {
      const again: Reply = { calls: [DISPATCH.call('github__list_issues', {})] };
      let isOver = false;
      const script = () => (isOver ? { text: 'Well.' } : again);
      await using server = await startModelServer({ script });
      const { talk } = begin(server, { endpoint, agent: { maxRounds: 1 } });
      const events = await collect(talk.send('Go.'));
      assert.equal(ended(events).reason, 'rounds');
      const told = events.flatMap((event) => (event.type === 'rounds' ? [event.limit] : []));
      assert.deepEqual(told, [1]);
      isOver = true;
      assert.equal(ended(await collect(talk.send('Go on.'))).reason, 'done');
    });

    test(`emits a limit of 0 rounds if tools are off, on ${endpoint.name}`, async () => {
      const again: Reply = { calls: [DISPATCH.call('github__list_issues', {})] };
      await using server = await startModelServer({ script: () => again });
      const { talk } = begin(server, { endpoint, agent: { maxRounds: 8 } });
      const events: AgentEvent[] = [];
      for await (const event of talk.send('Go.')) {
        events.push(event);
        if (event.type === 'result') talk.setTools(false);
      }
      assert.equal(ended(events).reason, 'rounds');
      const told = events.flatMap((event) => (event.type === 'rounds' ? [event.limit] : []));
      assert.ok(
        told.every((limit) => limit === 0),
        told.join(),
      );
    });
  }
});
