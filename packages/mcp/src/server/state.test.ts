import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ConnectionInput, type ConnectionState, nextState, transitions } from './state.ts';

const failure = { reason: 'r', remedy: 'm' };
const inputs: readonly ConnectionInput[] = [
  { kind: 'start' },
  { kind: 'opened' },
  { kind: 'login-needed', ...failure, url: 'http://127.0.0.1/x' },
  { kind: 'broke', ...failure, retryAt: 5 },
  { kind: 'stop' },
  { kind: 'close' },
];
const states: readonly ConnectionState[] = [
  { kind: 'idle' },
  { kind: 'connecting' },
  { kind: 'ready' },
  { kind: 'needs-auth', ...failure },
  { kind: 'failed', ...failure, retryAt: 1 },
  { kind: 'closed' },
];

/** The state after each input, in the order of `inputs`. A dash: nothing changes. */
const expected = {
  idle: ['connecting', '-', '-', '-', '-', 'closed'],
  connecting: ['-', 'ready', 'needs-auth', 'failed', 'idle', 'closed'],
  ready: ['-', '-', 'needs-auth', 'failed', 'idle', 'closed'],
  'needs-auth': ['connecting', '-', '-', '-', 'idle', 'closed'],
  failed: ['connecting', '-', '-', '-', 'idle', 'closed'],
  closed: ['-', '-', '-', '-', '-', '-'],
};

for (const state of states) {
  test(`from ${state.kind}`, () => {
    const after = inputs.map((input) => {
      const next = nextState(state, input);
      return next === state ? '-' : next.kind;
    });
    assert.deepEqual(after, expected[state.kind]);
  });
}

test('a failure and a login keep their words, and nothing else keeps them', () => {
  const [ready] = states.filter(({ kind }) => kind === 'ready');
  assert.ok(ready);
  const [, , login, broke] = inputs;
  assert.ok(login && broke);
  assert.deepEqual(nextState(ready, login), {
    kind: 'needs-auth',
    ...failure,
    url: 'http://127.0.0.1/x',
  });
  assert.deepEqual(nextState(ready, broke), { kind: 'failed', ...failure, retryAt: 5 });
  assert.deepEqual(nextState(nextState(ready, broke), { kind: 'start' }), { kind: 'connecting' });
});

test('any sequence of inputs: ready only after connecting, and closed for good', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...inputs), { maxLength: 40 }), (given) => {
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
