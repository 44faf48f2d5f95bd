import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { AgentEvent } from './events.ts';
import { createScreen, screenOf } from './screen.ts';
import type { ScreenCall, ScreenTurn } from './screen-view.ts';

type Of<TYPE extends AgentEvent['type']> = Extract<AgentEvent, { type: TYPE }>;

const said = (text: string): AgentEvent => ({ type: 'text', text });
const thought = (text: string): AgentEvent => ({ type: 'reasoning', text });
const end: AgentEvent = { type: 'end', reason: 'done', text: '', roundsLeft: 3 };
const user: AgentEvent = { type: 'user', text: 'Go.' };
const tokens = {
  inline: 1,
  bridges: 2,
  loaded: 3,
  later: 3,
  system: 4,
  catalog: 1,
  messages: 5,
  total: 15,
  eager: 15,
};
const request = (number: number): AgentEvent => ({
  type: 'request',
  request: number,
  strategy: 'dispatch',
  tokens,
  cache: { marks: [] },
  segments: [],
});
const call = (id: string, more: Partial<Of<'call'>> = {}): AgentEvent => ({
  type: 'call',
  id,
  name: 'work__now',
  arguments: { id },
  ...more,
});
const about = (id: string) => ({ id, name: 'work__now' });
const result = (id: string): AgentEvent => ({
  type: 'result',
  ...about(id),
  output: 'ok',
  duration: 5,
});
const failure = (id: string, more: Partial<Of<'failure'>> = {}): AgentEvent => ({
  type: 'failure',
  ...about(id),
  error: 'no',
  ...more,
});

const turnOf = (events: readonly AgentEvent[]): ScreenTurn => {
  const { turns } = screenOf(events);
  assert.equal(turns.length, 1);
  return turns[0] ?? assert.fail();
};
const blocksOf = (events: readonly AgentEvent[]) =>
  turnOf(events).blocks.map((block) =>
    block.kind === 'call' ? `${block.id} ${block.status}` : `${block.kind} ${block.text}`,
  );
const cardOf = (events: readonly AgentEvent[]): ScreenCall => {
  const block = turnOf(events).blocks.find(({ kind }) => kind === 'call');
  return block?.kind === 'call' ? block : assert.fail();
};

describe('the blocks of a turn', () => {
  test('are texts, reasoning and calls in order, apart for each request', () => {
    const events = [
      user,
      request(1),
      thought('Hm'),
      thought('.'),
      said('Let '),
      said('me see.'),
      call('1'),
      call('2'),
      result('2'),
      request(2),
      said('Done.'),
      end,
    ];
    assert.deepEqual(blocksOf(events), [
      'reasoning Hm.',
      'text Let me see.',
      '1 waiting',
      '2 done',
      'text Done.',
    ]);
    const turn = turnOf(events);
    assert.deepEqual([turn.user, turn.step, turn.request?.request], ['Go.', 2, 2]);
    assert.deepEqual(turn.end, { reason: 'done', roundsLeft: 3 });
    assert.deepEqual(
      turn.blocks.map(({ step }) => step),
      [1, 1, 1, 1, 2],
    );
  });

  test('lose what is withdrawn', () => {
    const events = [user, request(1), thought('Hm.'), said('Half'), said(' of'), call('1')];
    const withdrawn = { text: 'Half of', reasoning: 'Hm.', calls: [about('1')] };
    const after = [...events, { type: 'discarded' as const, ...withdrawn }, end];
    assert.deepEqual(blocksOf(after), ['1 withdrawn']);
    // The same as if the answer had never been shown.
    const stored = [user, request(1), { type: 'discarded' as const, ...withdrawn }, end];
    assert.deepEqual(screenOf(after), screenOf(stored));
  });

  test('lose the text of an attempt that failed, and keep the text of the next one', () => {
    const discarded = (text: string): AgentEvent => ({ type: 'discarded', text });
    const retry: AgentEvent = { type: 'retry', attempt: 2, status: 529 };
    for (const half of ['Half', 'All'])
      assert.deepEqual(
        blocksOf([
          user,
          request(1),
          said(half),
          retry,
          request(2),
          said('All of'),
          discarded(half),
        ]),
        ['text All of'],
      );
    // A slow reader gets the request first.
    assert.deepEqual(
      blocksOf([user, request(1), request(2), said('Half'), said('All'), discarded('Half')]),
      ['text All'],
    );
    assert.deepEqual(
      blocksOf([request(1), said('Ha'), request(2), said('lf'), said('All'), discarded('Half')]),
      ['text All'],
    );
    assert.deepEqual(blocksOf([said('Kept.'), discarded('Never shown')]), ['text Kept.']);
  });
});

describe('the card of a call', () => {
  const approval: AgentEvent = {
    type: 'approval',
    approvalId: 'a',
    ...about('1'),
    arguments: {},
    reason: 'it writes',
    askedBy: 'setting',
  };
  const decision = (approved: boolean): AgentEvent => ({
    type: 'decision',
    ...about('1'),
    approved,
    approvalId: 'a',
    scope: 'session',
    source: 'user',
  });
  const STATES: readonly (readonly [string, readonly AgentEvent[]])[] = [
    ['waiting', []],
    ['asked', [approval]],
    ['waiting', [approval, decision(true)]],
    ['denied', [approval, decision(false)]],
    ['denied', [approval, decision(false), failure('1')]],
    ['running', [{ type: 'tool-progress', ...about('1'), progress: 1 }]],
    ['running', [{ type: 'tool-log', ...about('1'), server: 'a', level: 'info', text: 'x' }]],
    ['done', [result('1')]],
    ['failed', [failure('1')]],
    ['unknown', [failure('1', { isUnknown: true })]],
    ['withdrawn', [{ type: 'discarded', calls: [about('1')] }]],
  ];
  for (const [status, events] of STATES)
    test(`is ${status} after ${events.map(({ type }) => type).join(', ') || 'the call'}`, () => {
      assert.equal(cardOf([user, call('1'), ...events]).status, status);
    });

  test('holds how the call came, what was decided and what came of it', () => {
    const how = { schema: 'loaded', wireName: 'deferred_tool_call', raw: '{' } as const;
    assert.deepEqual(cardOf([call('1', how), approval, decision(true), result('1')]), {
      kind: 'call',
      step: 0,
      id: '1',
      name: 'work__now',
      arguments: { id: '1' },
      ...how,
      status: 'done',
      approval: {
        approvalId: 'a',
        reason: 'it writes',
        askedBy: 'setting',
        decision: { approved: true, scope: 'session', source: 'user' },
      },
      output: 'ok',
      duration: 5,
      children: [],
    });
  });

  test('shows progress, log and questions only until the call has an outcome', () => {
    const elicitation = {
      type: 'elicitation',
      elicitationId: 'e',
      ...about('1'),
      server: 'a',
      message: 'Who?',
      fields: [],
    } as const;
    const events: AgentEvent[] = [
      call('1'),
      { type: 'tool-progress', ...about('1'), progress: 1, total: 2, message: 'half' },
      { type: 'tool-log', ...about('1'), server: 'a', level: 'info', text: 'x' },
      elicitation,
    ];
    assert.deepEqual(cardOf(events).live, {
      progress: { progress: 1, total: 2, message: 'half' },
      log: { server: 'a', level: 'info', text: 'x' },
      elicitations: [elicitation],
    });
    const answered = {
      type: 'elicitation-answered',
      elicitationId: 'e',
      ...about('1'),
      action: 'accept',
    } as const;
    assert.deepEqual(cardOf([...events, answered]).live?.elicitations, []);
    assert.deepEqual(cardOf([...events, result('1')]), cardOf([call('1'), result('1')]));
    const late = [call('1'), result('1'), ...events.slice(1)];
    assert.deepEqual(cardOf(late), cardOf([call('1'), result('1')]));
  });

  test('is of the latest call where an endpoint uses an id again', () => {
    const events = [user, call('1'), result('1'), request(2), call('1'), failure('1')];
    assert.deepEqual(blocksOf(events), ['1 done', '1 failed']);
  });

  test('shows its arguments while the model writes them', () => {
    const delta = (text: string): AgentEvent => ({ type: 'call-delta', ...about('1'), text });
    const events = [user, delta('{"a'), delta('": 1')];
    assert.deepEqual(turnOf(events).writing, [{ ...about('1'), text: '{"a": 1' }]);
    for (const event of [call('1'), end, request(2), { type: 'discarded', text: 'x' } as const])
      assert.equal('writing' in turnOf([...events, event]), false, event.type);
  });
});

describe('the turns of a screen', () => {
  test('begin with the words of the user; an answer continues the turn', () => {
    const asked: AgentEvent = {
      type: 'approval',
      approvalId: 'a',
      ...about('1'),
      arguments: {},
      askedBy: 'setting',
    };
    const waits: AgentEvent = { type: 'end', reason: 'approval', text: '' };
    const yes: AgentEvent = { type: 'decision', ...about('1'), approved: true, approvalId: 'a' };
    const first = [user, call('1'), asked, waits, yes];
    assert.equal(turnOf(first).end, undefined);
    const { turns } = screenOf([...first, result('1'), end, user, said('Hello.'), end]);
    assert.deepEqual(
      turns.map(({ blocks, end }) => [blocks.length, end?.reason]),
      [
        [1, 'done'],
        [1, 'done'],
      ],
    );
  });

  test('go on with a request, but not with that of a compaction', () => {
    const cancelled: AgentEvent = { type: 'end', reason: 'cancelled', text: '' };
    const failed: AgentEvent = { type: 'end', reason: 'error', text: '' };
    const compaction = { ...request(2), kind: 'compaction' } as AgentEvent;
    assert.equal(turnOf([user, cancelled, request(2), failed]).end?.reason, 'error');
    assert.equal(turnOf([user, cancelled, compaction, failed]).end?.reason, 'cancelled');
  });

  test('begin with the first event of a new number, where events have one', () => {
    const stamped = (turn: number, event: AgentEvent) => ({
      ...event,
      turn,
      seq: 1,
      step: 0,
      at: 5,
    });
    const warning: AgentEvent = { type: 'warning', text: 'Look out.' };
    const events = [
      stamped(1, user),
      stamped(1, call('1')),
      stamped(1, { type: 'end', reason: 'approval', text: '' }),
      // The user goes on without an answer.
      stamped(2, failure('1')),
      stamped(2, warning),
      stamped(2, user),
    ];
    const { turns } = screenOf(events);
    assert.deepEqual(
      turns.map(({ number, user, notices, end }) => [number, user, notices, end?.reason]),
      [
        [1, 'Go.', [], 'approval'],
        [2, 'Go.', [{ ...warning, place: 0 }], undefined],
      ],
    );
    assert.deepEqual(
      turns[0]?.blocks.map((block) => (block.kind === 'call' ? block.status : '')),
      ['failed'],
    );
  });

  test('add up their usage, and show an error of a journal as a live one', () => {
    const usage = { type: 'usage', input: 7, cacheRead: 1, cacheWrite: 0, output: 2 } as const;
    assert.equal(turnOf([user, usage, { ...usage, cost: 0.5 }]).usage.input, 14);
    const failed = (error: unknown): AgentEvent =>
      ({ type: 'end', reason: 'error', text: '', error, code: 'network' }) as AgentEvent;
    assert.deepEqual(
      screenOf([failed(new Error('bad'))]),
      screenOf([failed({ name: 'Error', message: 'bad' })]),
    );
  });

  test('keep the objects that an event does not change', () => {
    const screen = createScreen();
    for (const event of [user, call('1'), result('1'), end, user, said('Hel')]) screen.take(event);
    const before = screen.view;
    screen.take(said('lo.'));
    assert.equal(screen.view.turns[0], before.turns[0]);
    assert.notEqual(screen.view.turns[1], before.turns[1]);
    assert.equal(createScreen(before).view, before);
  });
});

/** The events with their texts cut at these places, in order. */
function cutTexts(events: readonly AgentEvent[], sizes: readonly number[]): AgentEvent[] {
  let next = 0;
  return events.flatMap((event): AgentEvent[] => {
    if (event.type !== 'text' && event.type !== 'reasoning') return [event];
    const pieces: AgentEvent[] = [];
    for (let at = 0; at < event.text.length; ) {
      const size = sizes[next++ % sizes.length] ?? 1;
      pieces.push({ ...event, text: event.text.slice(at, at + size) });
      at += size;
    }
    return pieces;
  });
}

/** Merges lists in an order that the numbers choose. Each list keeps its own order. */
function merged<T>(lists: readonly (readonly T[])[], choice: readonly number[]): T[] {
  const queues = lists.map((list) => [...list]);
  const all: T[] = [];
  for (let at = 0; queues.some((queue) => queue.length > 0); at++) {
    const open = queues.filter((queue) => queue.length > 0);
    const event = open[(choice[at % choice.length] ?? 0) % open.length]?.shift();
    if (event !== undefined) all.push(event);
  }
  return all;
}

describe('a screen is the same', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 9 });
  const step = fc.oneof(
    fc.string({ maxLength: 30 }).map(said),
    fc.string({ maxLength: 30 }).map(thought),
    fc.integer({ min: 1, max: 3 }).map((id) => call(String(id))),
    fc.integer({ min: 1, max: 3 }).map((id) => result(String(id))),
    fc.integer({ min: 1, max: 3 }).map((id) => failure(String(id))),
    fc.constantFrom(request(1), user, end, { type: 'warning', text: 'w' } as const),
    fc.string({ maxLength: 4 }).map((text): AgentEvent => ({ type: 'discarded', text })),
  );

  test('wherever the texts are cut', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), sizes, (events, cuts) => {
        assert.deepEqual(screenOf(cutTexts(events, cuts)), screenOf(events));
      }),
      { numRuns: 300 },
    );
  });

  test('in whichever order the events of different subagents come', () => {
    const tasks = ['a', 'b', 'c'];
    const start = [user, call('1', { arguments: { tasks: tasks.map((id) => ({ id })) } })];
    const spent = new Map<string, Of<'subagent-end'>['spent']>();
    const nothing = { requests: 0, input: 0, cacheRead: 0, cacheWrite: 0, output: 0, cost: 0 };
    for (const task of tasks) spent.set(task, { ...nothing, unpriced: 0, estimated: 0 });
    const ofChild = (task: string, events: readonly AgentEvent[]): AgentEvent[] => {
      const who = { call: '1', child: `1/${task}`, task };
      return [
        ...events.map((event): AgentEvent => ({ type: 'subagent', ...who, event })),
        { type: 'subagent-end', ...who, status: 'done', spent: spent.get(task) ?? assert.fail() },
      ];
    };
    const three = fc.tuple(
      fc.array(step, { maxLength: 8 }),
      fc.array(step, { maxLength: 8 }),
      fc.array(step, { maxLength: 8 }),
    );
    const choice = fc.array(fc.nat(2), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(three, choice, choice, (lists, one, other) => {
        const children = lists.map((events, at) => ofChild(tasks[at] ?? '', events));
        const of = (order: readonly number[]) =>
          screenOf([...start, ...merged(children, order), result('1'), end]);
        assert.deepEqual(of(one), of(other));
        const card = of(one).turns[0]?.blocks[0];
        const shown = card?.kind === 'call' ? card.children : [];
        assert.deepEqual(
          shown.map(({ task, status }) => [task, status]),
          tasks.map((task) => [task, 'done']),
        );
      }),
      { numRuns: 200 },
    );
  });
});

test('a compaction keeps its figures, and the place where it stands', () => {
  const compaction = { type: 'compaction', cause: 'user', summary: 'S.', before: 900, after: 42 };
  const { turns } = screenOf([user, call('1'), compaction as AgentEvent]);
  assert.deepEqual(turns[0]?.notices, [{ ...compaction, place: 1 }]);
});
