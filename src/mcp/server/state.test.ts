import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ConnectionInput, type ConnectionState, nextState, transitions } from './state.ts';

const failure = { reason: 'why', remedy: 'what to do' };
const inputs: readonly ConnectionInput[] = [
  { kind: 'start' },
  { kind: 'opened' },
  { kind: 'login-needed', ...failure },
  { kind: 'login-needed', ...failure, url: 'https://example.com/login' },
  { kind: 'broke', ...failure, retryAt: 5 },
  { kind: 'stop' },
  { kind: 'close' },
];
const sequence = fc.array(fc.constantFrom(...inputs), { maxLength: 40 });

test('any sequence of inputs: ready only after connecting, and closed for good', () => {
  fc.assert(
    fc.property(sequence, (given) => {
      let state: ConnectionState = { kind: 'idle' } as ConnectionState;
      for (const input of given) {
        const next = nextState(state, input);
        assert.equal(next.kind, transitions[state.kind][input.kind] ?? state.kind);
        if (transitions[state.kind][input.kind] === undefined) assert.equal(next, state);
        if (next.kind === 'ready' && next !== state) assert.equal(state.kind, 'connecting');
        if (state.kind === 'closed') assert.equal(next, state);
        if (input.kind === 'close') assert.equal(next.kind, 'closed');
        if (input.kind === 'stop') assert.ok(['idle', 'closed'].includes(next.kind));
        const isBad = next.kind === 'failed' || next.kind === 'needs-auth';
        assert.deepEqual(isBad && { reason: next.reason, remedy: next.remedy }, isBad && failure);
        state = next;
      }
      // From every state but closed, a start or a stop and a start lead to connecting.
      const started = nextState(nextState(state, { kind: 'stop' }), { kind: 'start' });
      assert.equal(started.kind, state.kind === 'closed' ? 'closed' : 'connecting');
    }),
    { numRuns: 2000 },
  );
});
