import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AgentEvent } from '../events/events.ts';
import { UnreadEvents } from './event-queue.ts';

const of = (child: string, event: AgentEvent): AgentEvent => ({
  type: 'subagent',
  child,
  task: child,
  event,
});
const text = (said: string): AgentEvent => ({ type: 'text', text: said });

const rest = (events: UnreadEvents<AgentEvent>): AgentEvent[] => {
  const all: AgentEvent[] = [];
  for (let event = events.shift(); event; event = events.shift()) all.push(event);
  return all;
};

describe('unread events', () => {
  test('join the text of each child, with parallel and nested children', () => {
    const events = new UnreadEvents<AgentEvent>();
    for (let n = 0; n < 1_000; n++) {
      events.push(of('a', text('x')));
      events.push(of('b', of('b/c', text('y'))));
    }
    const told = rest(events);
    assert.deepEqual(told, [
      of('a', text('x'.repeat(1_000))),
      of('b', of('b/c', text('y'.repeat(1_000)))),
    ]);
  });

  test('keep the order of one child: an event between two texts keeps them separate', () => {
    const events = new UnreadEvents<AgentEvent>();
    const call: AgentEvent = { type: 'call', id: '1', name: 'x', arguments: {} };
    const told = [
      text('one'),
      call,
      text('two'),
      { ...text('hm'), type: 'reasoning' } as AgentEvent,
    ];
    for (const event of told) events.push(of('a', event));
    assert.deepEqual(
      rest(events),
      told.map((event) => of('a', event)),
    );
    events.push(of('a', text('new')));
    assert.deepEqual(events.shift(), of('a', text('new')));
    events.push(of('a', text('newer')));
    assert.deepEqual(rest(events), [of('a', text('newer'))]);
  });

  test('of progress: only the last one of a call, unless another event is between', () => {
    const events = new UnreadEvents<AgentEvent>();
    const step = (id: string, progress: number) =>
      ({ type: 'tool-progress', id, name: 'work', progress }) as const;
    for (const event of [step('1', 1), step('1', 2), step('2', 1), step('1', 3)])
      events.push(event);
    events.push({ type: 'warning', text: 'between' });
    events.push(step('1', 4));
    events.push(step('1', 5));
    const warning = { type: 'warning', text: 'between' };
    const left = [step('1', 2), step('2', 1), step('1', 3), warning, step('1', 5)];
    assert.deepEqual(rest(events), left);
  });
});
