import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentEvent } from '@toolfold/agent/internal/events/events.ts';
import { screenOf } from '@toolfold/agent/internal/events/screen.ts';
import { decisionText, leftCalls } from './editor-questions.ts';

const call = (id: string, given: object = {}): AgentEvent => ({
  ...{ type: 'call', id, name: 'pay', arguments: given },
});
const lost = (id: string): AgentEvent => ({
  ...{ type: 'failure', id, name: 'pay', error: 'Nobody knows.', isUnknown: true },
});
const said = (text: string): AgentEvent => ({ type: 'user', text });
const left = (events: readonly AgentEvent[]) =>
  [...leftCalls(screenOf(events).turns).values()].flat();

for (const choice of ['again', 'happened'] as const)
  test(`calls that were left unknown, until the user decides about them: ${choice}`, () => {
    const events = [
      ...[said('Pay.'), call('a', { to: 'Ada' }), call('b'), lost('a')],
      { type: 'result', id: 'b', name: 'pay', output: 'Paid.', duration: 1 } as const,
      ...[call('c', { to: 'Ada' }), lost('c')],
    ];
    const [a, c] = [
      { id: 'a', name: 'pay', arguments: { to: 'Ada' } },
      { id: 'c', name: 'pay', arguments: { to: 'Ada' } },
    ];
    assert.deepEqual(left(events), [a, c]);
    assert.deepEqual(left([...events, said('What now?')]), [a, c]);
    events.push(said(decisionText(choice, a)));
    // The other one is the same payment, but another call.
    assert.deepEqual(left(events), [c]);
    // An endpoint uses the id again.
    events.push(call('a', { to: 'Eve' }), lost('a'));
    assert.deepEqual(left(events), [c, { ...a, arguments: { to: 'Eve' } }]);
  });

test('what was said before a call decides nothing about it', () => {
  const early = said(decisionText('happened', { id: 'a', name: 'pay', arguments: {} }));
  assert.equal(left([early, call('a'), lost('a')]).length, 1);
});

test('calls of subagents have their path', () => {
  const turns = (id: string, children: readonly object[]) => [
    { blocks: [{ kind: 'call', id, name: 'pay', arguments: {}, status: 'unknown', children }] },
  ];
  const inner = [{ child: 'inner', turns: turns('c', []) }];
  const outer = [{ child: 'outer', turns: turns('b', inner) }];
  assert.deepEqual(
    [...leftCalls(turns('a', outer) as never).values()]
      .flat()
      .map(({ id, subagent }) => [id, subagent]),
    [
      ['a', undefined],
      ['outer/b', 'outer'],
      ['outer/inner/c', 'outer/inner'],
    ],
  );
});
