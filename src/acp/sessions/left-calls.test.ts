import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AgentEvent, screenOf } from '../../agent/index.ts';
import { LeftCalls } from './left-calls.ts';

const call = (id: string, given: object = {}): AgentEvent => ({
  ...{ type: 'call', id, name: 'pay', arguments: given },
});
const lost = (id: string): AgentEvent => ({
  ...{ type: 'failure', id, name: 'pay', error: 'Nobody knows.', isUnknown: true },
});

test('calls that were left unknown, until the user decides about them', async () => {
  const events: AgentEvent[] = [
    ...[{ type: 'user', text: 'Pay.' } as const, call('a', { to: 'Ada' }), call('b')],
    ...[lost('a'), { type: 'result', id: 'b', name: 'pay', output: 'Paid.', duration: 1 } as const],
  ];
  const left = new LeftCalls(async () => screenOf(events));
  const known = async () => [...(await left.read()).values()].flat();
  const first = { id: 'a', name: 'pay', arguments: { to: 'Ada' } };
  assert.deepEqual(await known(), [first]);
  left.decide('a', await known());
  assert.deepEqual(await known(), []);
  // An endpoint uses the id again.
  events.push({ type: 'user', text: 'Again.' }, call('a', { to: 'Eve' }), lost('a'));
  assert.deepEqual(await known(), [{ ...first, arguments: { to: 'Eve' } }]);
});

test('calls of subagents have their path', async () => {
  const turns = (id: string, children: readonly object[]) => [
    { blocks: [{ kind: 'call', id, name: 'pay', arguments: {}, status: 'unknown', children }] },
  ];
  const inner = [{ child: 'inner', turns: turns('c', []) }];
  const outer = [{ child: 'outer', turns: turns('b', inner) }];
  const left = new LeftCalls(async () => ({ turns: turns('a', outer) }) as never);
  assert.deepEqual(
    [...(await left.read()).values()].flat().map(({ id, subagent }) => [id, subagent]),
    [
      ['a', undefined],
      ['outer/b', 'outer'],
      ['outer/inner/c', 'outer/inner'],
    ],
  );
});
