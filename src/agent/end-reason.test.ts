import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ENDPOINTS } from '../ai-sdk/endpoints.test-support.ts';
import { startModelServer } from '../testing/index.ts';
import { begin, collect, ended } from './agent.test-support.ts';
import { endReasonOf } from './end-reason.ts';

describe('the end of a turn', () => {
  for (const endpoint of ENDPOINTS) {
    test(`says whether the answer is whole, on ${endpoint.name}`, async () => {
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

  test('is no ordinary one where the provider waits, or says nothing known', () => {
    assert.equal(endReasonOf('stop', 'end_turn'), 'done');
    assert.equal(endReasonOf('stop', undefined), 'done');
    assert.equal(endReasonOf('stop', 'pause_turn'), 'other');
    assert.equal(endReasonOf('other', 'compaction'), 'other');
    assert.equal(endReasonOf('other', undefined), 'other');
    assert.equal(endReasonOf('tool-calls', 'tool_use'), 'rounds');
    assert.equal(endReasonOf('error', undefined), 'error');
  });
});
