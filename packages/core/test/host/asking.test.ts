import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type ApprovalRequester,
  askerOf,
  type Setting,
  UNKNOWN_ASKER,
} from '../../src/host/records.ts';
import type { CallVerdict } from '../../src/host/verdict.ts';
import { type Made, Stand, type StandOptions } from './life.test-support.ts';

const SETTINGS: readonly Setting[] = [
  { type: 'not-applicable' },
  { type: 'approved' },
  { type: 'user-approval', reason: 'it costs money' },
];

/** Who asks about a call, with and without an arrival of the call. */
async function askers(options: StandOptions): Promise<readonly ApprovalRequester[]> {
  const found: ApprovalRequester[] = [];
  for (const arrives of [true, false]) {
    const stand = await new Stand(options).load();
    const metadata = {};
    const call: Made = arrives ? await stand.arrive({ metadata }) : { metadata };
    assert.equal((await stand.approve(call)).type, 'user-approval');
    found.push(askerOf(metadata));
  }
  return found;
}

describe('who asks about a call', () => {
  test('promise 64: is the hook, whatever the setting says', async () => {
    const verdicts: readonly (readonly [CallVerdict, ApprovalRequester])[] = [
      [{ ask: true }, { by: 'hook' }],
      [
        { ask: true, askKey: 'k' },
        { by: 'hook', key: 'k' },
      ],
    ];
    for (const setting of SETTINGS)
      for (const [verdict, expected] of verdicts) {
        const found = await askers({ setting, verdict: () => verdict });
        assert.deepEqual(found, [expected, expected]);
      }
  });

  test('promise 64: is the setting, if no hook asks', async () => {
    const setting: Setting = { type: 'user-approval' };
    for (const verdict of [undefined, () => undefined])
      assert.deepEqual(await askers({ setting, verdict }), [{ by: 'setting' }, { by: 'setting' }]);
  });

  test('promise 64: is the hook of another view, if that has asked', async () => {
    const asking = await new Stand({ verdict: () => ({ ask: true, askKey: 'k' }) }).load();
    const ours = new Stand({ verdict: () => undefined, beside: asking });
    const call = await asking.arrive({ metadata: {} });
    assert.equal((await ours.approve(call)).type, 'user-approval');
    assert.deepEqual(askerOf(call.metadata), { by: 'hook', key: 'k' });
  });

  test('promise 64: counts as a hook, if it is not known', () => {
    assert.deepEqual([askerOf({}), askerOf(undefined)], [UNKNOWN_ASKER, UNKNOWN_ASKER]);
  });
});
