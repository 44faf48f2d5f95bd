import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentEvent, EndReason } from '../agent/index.ts';
import { followTurn } from './run-turn.ts';
import { jsonWriter, textWriter } from './run-writer.ts';

async function* of(...events: AgentEvent[]): AsyncIterable<AgentEvent> {
  yield* events;
}

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

test('the exit code for each end, with and without an unasked approval', async () => {
  const cases: [EndReason, number, number][] = [
    ['done', 0, 4],
    ['rounds', 5, 4],
    ['approval', 4, 4],
    ['length', 1, 1],
    ['error', 1, 1],
    ['cancelled', 1, 1],
  ];
  for (const [reason, plain, refused] of cases) {
    const written: AgentEvent[] = [];
    const end: AgentEvent = { type: 'end', reason, text: '' };
    const write = (event: AgentEvent) => written.push(event);
    assert.equal(await followTurn(of(end), write, { unasked: new Set() }), plain, reason);
    assert.equal(await followTurn(of(end), write, { unasked: new Set(['a']) }), refused, reason);
    assert.deepEqual(written, [end, end]);
  }
  assert.equal(await followTurn(of(), () => {}, { unasked: new Set() }), 1);
});

test('text: control characters are left out, whatever else it holds stays', () => {
  const { outs, ...output } = recorder();
  const write = textWriter(output);
  write({ type: 'text', text: 'a\u001b[31m\u0007b\r\n\t👩‍💻' });
  write({ type: 'text', text: '\u0000' });
  write({ type: 'end', reason: 'done', text: '' });
  assert.deepEqual(outs, ['a[31mb\n\t👩‍💻', '\n']);
});

test('text: each kind of event that people are told of, in one bounded line', () => {
  const { notes, outs, ...output } = recorder();
  const write = textWriter(output);
  const call = { id: '1', name: 'a__b', arguments: { text: 'x'.repeat(900) } };
  const events: [AgentEvent, RegExp][] = [
    [{ type: 'preload', tools: ['a__b', 'a__c'] }, /^Handed over: a__b, a__c$/],
    [{ type: 'load', group: 'mcp:a', tools: ['b'] }, /^Loaded of mcp:a: b$/],
    [{ type: 'call', ...call }, /^Call: a__b \{"text":"x+… \(\+\d+ characters\)$/],
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

test('JSON: an error is its name and message, secrets are taken out', () => {
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
