import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { EntryKind, Kinds } from '@toolfold/agent/internal/entries/kinds.ts';
import { plainValue } from '@toolfold/agent/internal/entries/plain.ts';
import fc from 'fast-check';
import { sessionMarkdown } from './export.ts';
import { readTranscript, type TranscriptEntry } from './transcript.ts';

let clock = Date.UTC(2026, 0, 1);

/** An entry as the agent writes it. */
function entry<KIND extends EntryKind>(kind: KIND, body: Kinds[KIND]): TranscriptEntry {
  clock += 1000;
  return { kind, body: plainValue(body), at: clock };
}

const turn = (number: number): TranscriptEntry => entry('turn', { number, how: 'send' });
const user = (content: string): TranscriptEntry =>
  entry('user', { message: { role: 'user', content } });
const answer = (text: string): TranscriptEntry =>
  entry('model', {
    step: 0,
    content: [
      { type: 'reasoning', text: 'hidden' },
      { type: 'text', text },
    ],
    finish: { unified: 'stop', raw: null },
  });
const call = (id: string, name = 'files__write'): TranscriptEntry =>
  entry('call', { id, name, arguments: { path: id } });
const start = (id: string): TranscriptEntry => entry('start', { id, name: 'files__write' });
const asked = (id: string): TranscriptEntry =>
  entry('approval', {
    ...{ approvalId: `a-${id}`, id, name: 'files__write', arguments: {}, reason: 'it writes' },
  });
const answered = (id: string, approved: boolean): TranscriptEntry =>
  entry('answer', {
    ...{ approvalId: `a-${id}`, id, name: 'files__write', approved },
    ...(approved ? { scope: 'session' } : { reason: 'Not now.' }),
  });
const ended = (reason: 'done' | 'approval' | 'cancelled'): TranscriptEntry =>
  entry('event', { event: { type: 'end', reason, text: '' } });

const record = { id: 's-1', leaf: null, seq: 0, createdAt: 0, changedAt: 1000 };

suite('the transcript of a session', () => {
  test('holds words, calls with their results, and ends in order', () => {
    const usage = { type: 'usage', input: 10, cacheRead: 4, cacheWrite: 0, output: 2 } as const;
    const { items, ...others } = readTranscript([
      ...[turn(1), user('Write it.'), answer('I write.'), call('1'), start('1')],
      entry('result', { id: '1', name: 'files__write', output: { ok: true } }),
      entry('event', { event: { ...usage, cost: 0.5 } }),
      entry('event', {
        event: { type: 'subagent', child: 'c', task: 't', event: usage },
      }),
      ...[answer('Done.'), ended('done')],
    ]);
    assert.deepEqual(
      items.map(({ at: _, ...item }) => item),
      [
        { type: 'turn', number: 1, how: 'send' },
        { type: 'user', text: 'Write it.' },
        { type: 'answer', text: 'I write.' },
        {
          ...{ type: 'call', id: '1', name: 'files__write', arguments: { path: '1' } },
          ...{ approvals: [], state: 'done', output: { ok: true } },
        },
        { type: 'answer', text: 'Done.' },
        { type: 'end', reason: 'done' },
      ],
    );
    assert.deepEqual(others, {
      ...{ turns: 1, end: { reason: 'done' }, open: [] },
      usage: { requests: 2, input: 20, cacheRead: 8, output: 4, cost: 0.5 },
    });
  });

  const states: readonly [string, readonly TranscriptEntry[]][] = [
    ['intended', []],
    ['waiting', [asked('1')]],
    ['intended', [asked('1'), answered('1', true)]],
    ['denied', [asked('1'), answered('1', false)]],
    ['unknown', [asked('1'), answered('1', true), start('1')]],
    ['intended', [start('1'), entry('unknown', { id: '1', name: 'w', choice: 'again' })]],
    ['done', [start('1'), entry('result', { id: '1', name: 'w', output: null })]],
    ['failed', [start('1'), entry('result', { id: '1', name: 'w', error: 'No.' })]],
    [
      'failed',
      [entry('event', { event: { type: 'failure', id: '1', name: 'w', error: 'invalid' } })],
    ],
  ];
  for (const [state, entries] of states) {
    test(`a call with ${entries.map(({ kind }) => kind).join(', ') || 'nothing'}: ${state}`, () => {
      const { items, open } = readTranscript([answer(''), call('1'), ...entries]);
      const [found] = items.filter((item) => item.type === 'call');
      assert.equal(found?.state, state);
      const isOpen = state === 'waiting' || state === 'unknown';
      assert.deepEqual(open, isOpen ? [found] : []);
    });
  }

  test('a compaction that is cancelled changes nothing about the end of the turn before', () => {
    const compact = entry('turn', { number: 1, how: 'compact' });
    const { end, items } = readTranscript([
      ...[turn(1), user('Go.'), answer('Done.'), ended('done'), compact, ended('cancelled')],
    ]);
    assert.deepEqual(end, { reason: 'done' });
    assert.partialDeepStrictEqual(items.at(-1), { type: 'end', reason: 'cancelled' });
  });

  test('nothing is open any more once the conversation goes on', () => {
    const open = [turn(1), user('Go.'), answer(''), call('1'), asked('1'), call('2'), start('2')];
    const ids = (more: readonly TranscriptEntry[]) =>
      readTranscript([...open, ...more]).open.map(({ id }) => id);
    assert.deepEqual(ids([]), ['1', '2']);
    assert.deepEqual(ids([user('Something else.')]), []);
    assert.deepEqual(ids([answer('So.')]), []);
    const result = { type: 'text', value: '' } as const;
    const content = [{ type: 'tool-result', toolCallId: '2', toolName: 'w', output: result }];
    const add = [{ role: 'tool', content }] as Kinds['messages']['add'];
    assert.deepEqual(ids([entry('messages', { keep: 2, add })]), ['1']);
  });

  test('an approval that is asked again in a later turn is the same one until it is answered', () => {
    const again = entry('turn', { number: 1, how: 'resume' });
    const asks = [answer(''), call('1'), asked('1'), again, asked('1')];
    const approvals = (more: readonly TranscriptEntry[]) =>
      readTranscript([...asks, ...more]).items.flatMap((item) =>
        item.type === 'call' ? item.approvals.map((one) => one.answer?.approved) : [],
      );
    assert.deepEqual(approvals([]), [undefined]);
    assert.deepEqual(approvals([answered('1', true)]), [true]);
    // The tool has changed since then.
    assert.deepEqual(approvals([answered('1', true), asked('1')]), [true, undefined]);
  });

  test('an id that an endpoint uses again is another call', () => {
    const one = [answer(''), call('1'), start('1')];
    const { items } = readTranscript([
      ...[...one, entry('result', { id: '1', name: 'w', output: 'first' })],
      ...[...one, entry('result', { id: '1', name: 'w', output: 'second' })],
    ]);
    assert.deepEqual(
      items.map((item) => item.type === 'call' && item.output),
      ['first', 'second'],
    );
  });

  test('a conversation that the app has given is shown first', () => {
    const add = [
      { role: 'user', content: 'Earlier.' },
      { role: 'assistant', content: [{ type: 'text', text: 'Yes.' }] },
    ] as Kinds['messages']['add'];
    const { items } = readTranscript([entry('messages', { keep: 0, add }), user('Now.')]);
    assert.deepEqual(
      items.map((item) => 'text' in item && item.text),
      ['Earlier.', 'Yes.', 'Now.'],
    );
  });

  test('entries of others may hold anything', () => {
    const kinds: readonly EntryKind[] = [
      ...['turn', 'user', 'model', 'call', 'approval', 'answer', 'start', 'result', 'unknown'],
      ...['messages', 'compaction', 'event', 'label', 'tools'],
    ] as readonly EntryKind[];
    const keys = ['id', 'name', 'type', 'event', 'message', 'content', 'add', 'error', 'text'];
    const value = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom('1', 'end', 'failure', 'usage', 'text', 'user', null, -1, Number.NaN),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...keys), tie('value'), { maxKeys: 4 }),
      ),
    })).value;
    const entries = fc.array(
      fc.record({ kind: fc.constantFrom(...kinds), body: value, at: fc.nat() }),
    );
    fc.assert(fc.property(entries, (list) => void sessionMarkdown(record, list)));
  });
});

suite('a session as Markdown', () => {
  test('is a readable transcript', () => {
    clock = Date.UTC(2026, 0, 1);
    const text = sessionMarkdown({ ...record, title: 'My *work*', folder: '/a_b' }, [
      ...[turn(1), user('Write it.'), answer('I ask.'), call('1'), asked('1')],
      ...[answered('1', true), start('1')],
      entry('result', {
        id: '1',
        name: 'files__write',
        output: { content: [{ type: 'text', text: `${'x'.repeat(2000)}yz` }] },
      }),
      ...[call('2', 'mail__send'), asked('2'), answered('2', false)],
      entry('compaction', {
        ...{ messages: [], summary: 'All of it.', cause: 'user', before: 9, after: 1 },
      }),
      ended('done'),
    ]);
    assert.equal(
      text,
      `# My \\*work\\*

- Session: s-1
- Folder: /a\\_b
- Begun: 1970-01-01T00:00:00Z
- Last change: 1970-01-01T00:00:01Z

## Turn 1, 2026-01-01T00:00:01Z

### User

\`\`\`text
Write it.
\`\`\`

### Answer

\`\`\`markdown
I ask.
\`\`\`

### Call of files\\_\\_write

\`\`\`json
{
  "path": "1"
}
\`\`\`

*The user was asked (it writes) and approved (session).*

Result:

\`\`\`text
${'x'.repeat(2000)}
… (+2 characters)
\`\`\`

### Call of mail\\_\\_send

\`\`\`json
{
  "path": "2"
}
\`\`\`

*The user was asked (it writes) and denied: Not now..*

*It did not run.*

*The conversation was made shorter.*

\`\`\`text
All of it.
\`\`\`

*The turn ended: done*
`,
    );
  });

  test('no text of others leaves its fence or hides anything', () => {
    const piece = fc.constantFrom(
      '`',
      '```',
      '~~~',
      '\n',
      '# User',
      ' ',
      'a',
      '\u001b[2J',
      '\u202e',
      '\r',
    );
    const texts = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, (given) => {
        const text = sessionMarkdown({ ...record, title: given, folder: given }, [
          ...[turn(1), user(given), answer(given), call('1', given), asked('1'), start('1')],
          entry('result', { id: '1', name: given, output: given }),
          entry('event', { event: { type: 'warning', text: given } }),
        ]);
        for (const hidden of ['\u001b', '\u202e', '\r']) assert.ok(!text.includes(hidden));
        const outside = outsideFences(text);
        const structure = outside.filter((line) => /^(#|- |\*|Result)/.test(line));
        assert.deepEqual(
          outside.filter((line) => line.trim() !== ''),
          structure,
        );
        assert.equal(structure.filter((line) => /^### /.test(line)).length >= 1, true);
        assert.equal(structure.filter((line) => /^# /.test(line)).length, 1);
      }),
    );
  });
});

/** The lines outside of fences, as CommonMark reads them. */
function outsideFences(markdown: string): string[] {
  const lines: string[] = [];
  let open: string | undefined;
  for (const line of markdown.split('\n')) {
    const fence = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (open === undefined) {
      if (fence === undefined) lines.push(line);
      else open = fence;
    } else if (fence?.startsWith(open) && line.trim() === fence) open = undefined;
  }
  assert.equal(open, undefined);
  return lines;
}
