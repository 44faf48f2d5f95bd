import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AgentEvent } from '../events/events.ts';
import { TurnEvents } from './turn-events.ts';

const of = (child: string, event: AgentEvent): AgentEvent => ({
  type: 'subagent',
  child,
  task: child,
  event,
});
const text = (said: string): AgentEvent => ({ type: 'text', text: said });

describe('unread events', () => {
  test('join the text of each child, with parallel and nested children', () => {
    const events = new TurnEvents();
    for (let n = 0; n < 1_000; n++) {
      events.push(of('a', text('x')));
      events.push(of('b', of('b/c', text('y'))));
    }
    const told = [...events.rest()];
    assert.deepEqual(told, [
      of('a', text('x'.repeat(1_000))),
      of('b', of('b/c', text('y'.repeat(1_000)))),
    ]);
  });

  test('keep the order of one child: an event between two texts keeps them separate', () => {
    const events = new TurnEvents();
    const call: AgentEvent = { type: 'call', id: '1', name: 'x', arguments: {} };
    const told = [
      text('one'),
      call,
      text('two'),
      { ...text('hm'), type: 'reasoning' } as AgentEvent,
    ];
    for (const event of told) events.push(of('a', event));
    assert.deepEqual(
      [...events.rest()],
      told.map((event) => of('a', event)),
    );
    events.push(of('a', text('new')));
    assert.deepEqual(events.shift(), of('a', text('new')));
    events.push(of('a', text('newer')));
    assert.deepEqual([...events.rest()], [of('a', text('newer'))]);
  });

  test('wait for the events before them, and later events wait with them', () => {
    const events = new TurnEvents();
    let isDue = false;
    events.push(text('first'), () => isDue);
    events.push(text('second'));
    assert.equal(events.shift(), undefined);
    isDue = true;
    assert.deepEqual([events.shift(), events.shift()], [text('first'), text('second')]);
    assert.equal(events.shift(), undefined);
  });

  test('of progress: only the last one of a call, unless another event is between', () => {
    const events = new TurnEvents();
    const step = (id: string, progress: number) =>
      ({ type: 'tool-progress', id, name: 'work', progress }) as const;
    for (const event of [step('1', 1), step('1', 2), step('2', 1), step('1', 3)])
      events.push(event);
    events.push({ type: 'warning', text: 'between' });
    events.push(step('1', 4));
    events.push(step('1', 5));
    const warning = { type: 'warning', text: 'between' };
    const left = [step('1', 2), step('2', 1), step('1', 3), warning, step('1', 5)];
    assert.deepEqual([...events.rest()], left);
  });
});
