import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EndReason } from '@toolfold/agent/internal/events/end.ts';
import type { AgentEvent } from '@toolfold/agent/internal/events/events.ts';
import { jsonWriter, textWriter, turnCode } from './turn-writer.ts';

function recorder(): {
  out: (text: string) => void;
  note: (text: string) => void;
  outs: string[];
  notes: string[];
} {
  const outs: string[] = [];
  const notes: string[] = [];
  return { outs, notes, out: (text) => outs.push(text), note: (text) => notes.push(text) };
}

test('the exit code for each end reason, with and without a call that could not be approved', () => {
  const cases: [EndReason, number, number][] = [
    ['done', 0, 4],
    ['rounds', 5, 4],
    ['approval', 4, 4],
    ['length', 1, 1],
    ['error', 1, 1],
    ['cancelled', 1, 1],
  ];
  for (const [reason, plain, refused] of cases) {
    assert.equal(turnCode(reason, { unasked: new Set() }), plain, reason);
    assert.equal(turnCode(reason, { unasked: new Set(['a']) }), refused, reason);
  }
});

test('text: control characters are removed, everything else stays', () => {
  const { outs, ...output } = recorder();
  const write = textWriter(output);
  write({ type: 'text', text: 'a\u001b[31m\u0007b\r\n\t👩‍💻' });
  write({ type: 'text', text: '\u0000' });
  write({ type: 'end', reason: 'done', text: '' });
  assert.deepEqual(outs, ['a[31mb\n\t👩‍💻', '\n']);
});

/** Characters that change the order of others or end a line, as a model, a tool or a server may write them. */
const OBEYED =
  '\u202e\u2066\u2067\u2068\u2069\u202a\u202b\u202c\u202d\u200e\u200f\u061c\u2028\u2029';

test('text: characters of direction reach no terminal, in the text, in lines and in JSON', () => {
  const { outs, notes, ...output } = recorder();
  const write = textWriter(output);
  write({ type: 'text', text: `a${OBEYED}b` });
  write({ type: 'call', id: '1', name: `a${OBEYED}b`, arguments: { text: OBEYED } });
  write({ type: 'failure', id: '1', name: 'a', error: OBEYED });
  write({ type: 'reasoning', text: OBEYED });
  write({ type: 'end', reason: 'done', text: '' });
  assert.equal(outs.join(''), 'ab\n');
  const event: AgentEvent = { type: 'text', text: `a${OBEYED}b` };
  jsonWriter(output, (text) => text)(event);
  assert.deepEqual(JSON.parse(outs.at(-1) ?? ''), event);
  for (const line of [...outs, ...notes]) assert.ok(![...OBEYED].some((one) => line.includes(one)));
});

test('text: each event kind that is written, in one bounded line', () => {
  const { notes, outs, ...output } = recorder();
  const write = textWriter(output);
  const call = { id: '1', name: 'a__b', arguments: { text: 'x'.repeat(900) } };
  const events: [AgentEvent, RegExp][] = [
    [{ type: 'preload', tools: ['a__b', 'a__c'] }, /^Preloaded: a__b, a__c$/],
    [
      { type: 'retry', attempt: 2, status: 429, wait: 1_500 },
      /^The provider is busy \(status 429\)\. It is asked again after 2 s \(attempt 2\)\.$/,
    ],
    [{ type: 'load', group: 'mcp:a', tools: ['b'] }, /^Loaded from mcp:a: b$/],
    [{ type: 'call', ...call }, /^Call: a__b \{"text":"x+… \(\+[\d,]+ characters\)$/],
    [
      { type: 'failure', id: '1', name: 'a__b', error: 'no\u001b[2J\nway' },
      /^Failed: a__b: no way$/,
    ],
    [{ type: 'warning', text: 'odd' }, /^Warning: odd$/],
    [{ type: 'rounds', limit: 5 }, /the limit is 5 /],
    [{ type: 'end', reason: 'error', text: '', error: new Error('bad') }, /^toolfold: bad$/],
  ];
  for (const [event, expected] of events) {
    write(event);
    assert.match(notes.at(-1) ?? '', expected);
    assert.ok((notes.at(-1) ?? '').length < 350);
  }
  assert.equal(notes.length, events.length);
  assert.deepEqual(outs, []);
});

const none = {
  requests: 0,
  input: 0,
  cacheRead: 0,
  cacheWrite: 0,
  output: 0,
  cost: 0,
  unpriced: 0,
  estimated: 0,
};

/** An event of the child with this task id. */
function within(task: string, event: AgentEvent): AgentEvent {
  return { type: 'subagent', child: `c/${task}`, task, event };
}

test('text: the events of subagents, with their task, each in one bounded line', () => {
  const { notes, outs, ...output } = recorder();
  const write = textWriter(output);
  const call = { id: '1', name: 'a__\u001b[1mb', arguments: { text: `x\n${'y'.repeat(900)}` } };
  const over = { type: 'subagent-end', child: 'c/t1', task: 't1', spent: none } as const;
  const spent = { ...none, requests: 3, input: 4_000, output: 210 };
  const late = { status: 'timed_out', error: 'It took longer than 300 s.' } as const;
  const events: [AgentEvent, RegExp][] = [
    [
      within('t1', { type: 'call', ...call }),
      /^\[t1\] Call: a__b \{"text":"x.*… \(\+[\d,]+ characters\)$/,
    ],
    [
      within('t1', { type: 'failure', id: '1', name: 'a__b', error: 'no\u001b[2J\nway' }),
      /^\[t1\] Failed: a__b: no way$/,
    ],
    [
      within('t1', within('a', { type: 'load', group: 'mcp:a', tools: ['b'] })),
      /^\[t1\/a\] Loaded from mcp:a: b$/,
    ],
    [within('t1', { type: 'preload', tools: ['a__b'] }), /^\[t1\] Preloaded: a__b$/],
    [within('t1', { type: 'warning', text: 'odd' }), /^\[t1\] Warning: odd$/],
    [{ ...over, status: 'done', spent }, /^\[t1\] done: 3 requests, 4,210 tokens$/],
    [
      { ...over, ...late, spent: { ...spent, requests: 1 } },
      /^\[t1\] timed out: 1 request, 4,210 tokens: It took longer than 300 s\.$/,
    ],
    [{ ...over, status: 'cancelled', error: 'Too early.' }, /^\[t1\] cancelled: Too early\.$/],
    [{ ...over, status: 'not_started' }, /^\[t1\] not started$/],
    [within('t0', { ...over, status: 'done', spent }), /^\[t0\/t1\] done: 3 /],
  ];
  for (const [index, [event, expected]] of events.entries()) {
    write(event);
    assert.equal(notes.length, index + 1);
    assert.match(notes.at(-1) ?? '', expected);
    assert.ok((notes.at(-1) ?? '').length < 350);
  }
  const usage = { type: 'usage', input: 7, cacheRead: 0, cacheWrite: 0, output: 2 } as const;
  const silent: AgentEvent[] = [
    { type: 'start', model: 'm', strategy: 'eager', reason: 'r' },
    { type: 'text', text: 'aside' },
    { type: 'reasoning', text: 'hm' },
    { type: 'rounds', limit: 5 },
    { type: 'result', id: '1', name: 'a__b', output: 'b' },
    { type: 'end', reason: 'done', text: 'aside' },
    usage,
  ];
  for (const event of silent) write(within('t1', event));
  assert.equal(notes.length, events.length);
  assert.deepEqual(outs, []);
});

test('text: the end line has the tokens, and the cost if prices are known', () => {
  const usage = { type: 'usage', input: 1_500, cacheRead: 500, cacheWrite: 0, output: 20 } as const;
  const child = { ...usage, input: 9_000, cacheRead: 8_000, output: 300 };
  const cases: [AgentEvent[], string][] = [
    [[usage], '20 received.'],
    [[{ ...usage, cost: 0.0005 }], '20 received; cost: $0.00050.'],
    [
      [usage, within('t1', child)],
      '20 received; subagents: 9,000 sent, 8,000 of them read from the cache, 300 received.',
    ],
    [
      [{ ...usage, cost: 1.2 }, within('t1', within('a', { ...child, cost: 0.034 }))],
      '20 received; subagents: 9,000 sent, 8,000 of them read from the cache, 300 received; cost: $1.23.',
    ],
    [
      [{ ...usage, cost: 0.0123 }, within('t1', child)],
      '20 received; subagents: 9,000 sent, 8,000 of them read from the cache, 300 received; cost: at least $0.0123.',
    ],
  ];
  for (const [events, expected] of cases) {
    const { notes, ...output } = recorder();
    const write = textWriter(output);
    for (const event of events) write(event);
    write({ type: 'end', reason: 'done', text: '' });
    assert.deepEqual(notes, [`Tokens: 1,500 sent, 500 of them read from the cache; ${expected}`]);
  }
});

test('the count of characters cut from a line is complete', () => {
  const { notes, ...output } = recorder();
  const given = { text: 'x'.repeat(900) };
  textWriter(output)({ type: 'call', id: '1', name: 'a', arguments: given });
  const whole = `Call: a ${JSON.stringify(given)}`;
  assert.equal(notes[0], `${whole.slice(0, 300)}… (+${whole.length - 300} characters)`);
});

test('JSON: an error is its name and message, secrets are redacted', () => {
  const { outs, ...output } = recorder();
  const error = Object.assign(new TypeError('with key'), { requestBody: 'private' });
  const write = jsonWriter(output, (text) => text.replaceAll('key', '[redacted]'));
  write({ type: 'end', reason: 'error', text: '', error });
  assert.deepEqual(
    outs.map((line) => JSON.parse(line)),
    [
      {
        type: 'end',
        reason: 'error',
        text: '',
        error: { name: 'TypeError', message: 'with [redacted]' },
      },
    ],
  );
});

test('text: a call of subagents is a line for each task, of their subagents too', () => {
  const { notes, ...output } = recorder();
  const write = textWriter(output);
  const tasks = [
    { id: 't1', task: 'Part one\nof \u001b[1mtwo', context: 'hidden' },
    { id: 't2', task: 'x'.repeat(900) },
  ];
  const call = { type: 'call', id: '1', name: 'subagents', arguments: { tasks } } as const;
  write(call);
  assert.deepEqual(notes.slice(0, 2), ['Call: subagents: 2 tasks', '[t1] Task: Part one of two']);
  assert.match(notes[2] ?? '', /^\[t2\] Task: x+… \(\+[\d,]+ characters\)$/);
  assert.equal(notes.length, 3);
  assert.ok((notes[2] ?? '').length < 350);
  notes.length = 0;
  const nested = { ...call, arguments: { tasks: [{ id: 'a', task: 'Half of it' }] } };
  write(within('t1', nested));
  write(within('t1', within('a', nested)));
  assert.deepEqual(notes, [
    '[t1] Call: subagents: 1 task',
    '[t1/a] Task: Half of it',
    '[t1/a] Call: subagents: 1 task',
    '[t1/a/a] Task: Half of it',
  ]);
});

test('text: a malformed call of subagents is written as any other call', () => {
  const { notes, ...output } = recorder();
  const write = textWriter(output);
  const odd = [{}, { tasks: 'all' }, { tasks: [{ id: 't1' }] }, { tasks: [null] }, null];
  for (const given of odd) {
    write({ type: 'call', id: '1', name: 'subagents', arguments: given });
    assert.equal(notes.pop(), `Call: subagents ${JSON.stringify(given)}`);
  }
  const tasks = [{ id: 't1', task: 'it' }];
  write({ type: 'call', id: '1', name: 'a__subagents', arguments: { tasks } });
  assert.deepEqual(notes, [`Call: a__subagents ${JSON.stringify({ tasks })}`]);
});

test('text: the message of a Toolfold error, any other error unchanged', () => {
  const { notes, ...output } = recorder();
  const write = textWriter(output);
  const answer = {
    error: 'duplicate_ids',
    message: 'Two tasks have one id: a.',
    next: 'Rename it.',
  };
  const cases: [string, string][] = [
    [JSON.stringify(answer), 'Two tasks have one id: a.'],
    ['{"error":"odd"}', '{"error":"odd"}'],
    ['{"message":"theirs"}', '{"message":"theirs"}'],
    ['null', 'null'],
    ['{"error"', '{"error"'],
  ];
  for (const [error, expected] of cases) {
    write({ type: 'failure', id: '1', name: 'a', error });
    assert.equal(notes.pop(), `Failed: a: ${expected}`);
    write(within('t1', { type: 'failure', id: '1', name: 'a', error }));
    assert.equal(notes.pop(), `[t1] Failed: a: ${expected}`);
  }
});

test('text: a turn that begins as the one before says nothing of it', () => {
  const { notes, ...output } = recorder();
  const write = textWriter(output);
  const begin = (strategy: string, reason: string): void => {
    write({ type: 'start', model: 'a/b', strategy, reason });
    write({ type: 'end', reason: 'done', text: '' });
  };
  begin('dispatch', 'deferring is cheaper: estimated 5');
  begin('dispatch', 'deferring is cheaper: estimated 6');
  begin('eager', 'asked for');
  begin('dispatch', 'asked for');
  assert.deepEqual(notes, [
    'a/b, strategy dispatch: deferring is cheaper: estimated 5',
    'a/b, strategy eager: asked for',
    'a/b, strategy dispatch: asked for',
  ]);
});
