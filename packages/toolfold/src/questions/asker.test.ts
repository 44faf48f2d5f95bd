import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { RunNotes } from '../terminal/terminal.ts';
import { type Asker, createAsker } from './asker.ts';
import { byStep } from './by-step.ts';

interface Asked {
  readonly approver: Asker;
  readonly notes: string[];
  readonly questions: string[];
  /** Tools whose approval was saved. */
  readonly saved: unknown[];
}

/** A user who answers with these lines in order and then ends the input. */
function person(
  lines: readonly string[],
  allowed: readonly string[] = [],
  { signal }: AbortController = new AbortController(),
): Asked {
  const notes: string[] = [];
  const questions: string[] = [];
  const saved: unknown[] = [];
  const approver = createAsker({
    note: (text) => notes.push(text),
    inOrder: (work) => work(),
    allowed,
    store: { file: 'toolfold.json', save: (name) => saved.push(name) },
    signal,
    ask: byStep({
      show: (text) => notes.push(text),
      askLine: async (question, signal) => {
        const line = lines[questions.push(question) - 1];
        if (line !== 'never') return line;
        await once(signal, 'abort');
        throw signal.reason;
      },
    }),
  });
  return { approver, notes, questions, saved };
}

const call = {
  id: 'c1',
  name: 'github__create_issue',
  arguments: { title: 'It\u001b[31m broke' },
  askedBy: 'setting' as const,
};

test('an answer is its letter or its word; a message that begins with a letter is none', async () => {
  const cases: [string, boolean, string | undefined][] = [
    ['y', true, 'once'],
    [' Yes ', true, 'once'],
    ['s', true, 'session'],
    ['ALWAYS', true, 'always'],
    ['because', false, undefined],
    ['n', false, undefined],
    ['no', false, undefined],
  ];
  for (const [line, approved, scope] of cases) {
    const { approver, notes, questions } = person(['yellow', 'stop', 'abort it', 'in', line]);
    const answer = await approver.approve(call);
    assert.deepEqual([answer.approved, answer.scope], [approved, scope], line);
    assert.match(notes[0] ?? '', /^github__create_issue \{"title":"It.* broke"\}\nIt needs your/);
    assert.ok(questions.length >= 4);
    assert.ok(!notes.join('').includes('\u001b'));
    assert.equal(approver.unasked.size, 0);
  }
});

test('a line may deny with a reason, which the model reads', async () => {
  const { approver, questions } = person(['b', ' Too dear. ', 'because', '']);
  const said = await approver.approve(call);
  assert.deepEqual(said, {
    approved: false,
    reason: 'The user denied this call and says: Too dear.',
  });
  assert.equal(questions[1], 'Why not run github__create_issue? The model reads it > ');
  const silent = await approver.approve(call);
  assert.deepEqual(silent, { approved: false, reason: 'The user denied this call.' });
});

test('an invalid answer repeats the question; the end of input denies the call', async () => {
  const { approver, questions } = person(['', 'what?', 'y']);
  assert.equal((await approver.approve(call)).approved, true);
  assert.equal(questions.length, 3);
  const gone = person([]);
  const { approved, reason } = await gone.approver.approve(call);
  assert.equal(approved, false);
  assert.match(reason ?? '', /nobody can be asked/);
  assert.deepEqual([...gone.approver.unasked], [call.name]);
});

test('long arguments are cut, and the number of missing characters is shown', async () => {
  const { approver, notes } = person(['n']);
  await approver.approve({ ...call, arguments: { body: 'x'.repeat(5_000) } });
  assert.ok((notes[0] ?? '').length < 2_200);
  assert.match(notes[0] ?? '', /… \(\+[\d,]+ characters\)/);
});

test('the end of padded arguments is shown before the question, and v shows all of them', async () => {
  const { approver, notes, questions } = person(['v', '?', 'n']);
  const padded = {
    path: 'notes.txt',
    text: `fine${' '.repeat(4000)}${'x'.repeat(3000)}; rm -rf /`,
  };
  await approver.approve({ ...call, arguments: padded });
  const [first = '', view = '', again] = notes;
  assert.match(first, /^github__create_issue \{.*fine‹4,000 blank characters›x+… \(\+[\d,]+ /);
  assert.match(
    first,
    /…x+; rm -rf \/"\}\nThe arguments have 7,\d{3} characters\. Only a part is shown\.\nIt needs your/,
  );
  assert.match(
    questions[0] ?? '',
    /^Run github__create_issue\? y: once, .*, n: no, b: no, because …, v: view in full > $/,
  );
  assert.equal(questions.length, 3);
  assert.ok(view.includes(`${'x'.repeat(3000)}; rm -rf /`));
  assert.equal(again, view);
});

test('a call with arguments that cannot be shown is denied without a question', async () => {
  const { approver, notes, questions } = person(['y']);
  const deep = JSON.parse(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`);
  const { approved, reason } = await approver.approve({ ...call, arguments: deep });
  assert.equal(approved, false);
  assert.match(reason ?? '', /nested too deeply/);
  assert.match(notes.join(), /did not run: its arguments are nested too deeply to be shown/);
  assert.deepEqual(questions, []);
});

test('the reason of the app is shown', async () => {
  const { approver, notes } = person(['n']);
  await approver.approve({ ...call, reason: 'it costs money' });
  assert.match(notes[0] ?? '', /It needs your approval \(it costs money\)/);
});

test('promise 64: a question offers the scopes that hold, and no other one is accepted', async () => {
  const hook = { ...call, askedBy: 'hook' as const };
  const cases = [
    [hook, ['s', 'a', 'y'], 'once', /\? y: once, n: no, b: no, because … > $/],
    [
      { ...hook, askKey: 'k' },
      ['a', 's'],
      'session',
      /y: once, s: every time in this session, n: no, b: no, because … > $/,
    ],
  ] as const;
  for (const [request, lines, scope, offered] of cases) {
    const { approver, questions } = person(lines);
    assert.deepEqual(await approver.approve(request), { approved: true, scope });
    assert.equal(questions.length, lines.length);
    assert.match(questions[0] ?? '', offered);
  }
  const { approver, notes } = person([]);
  assert.equal((await approver.approve(hook)).approved, false);
  assert.doesNotMatch(notes.join('\n'), /--allow/);
});

test('"always" is saved, and the question and a later line name the file', async () => {
  const { approver, notes, questions, saved } = person(['a']);
  assert.equal((await approver.approve(call)).scope, 'always');
  assert.match(
    questions[0] ?? '',
    /, a: always \(saved in toolfold\.json\), n: no, b: no, because … > $/,
  );
  approver.onAlways(call.name);
  assert.deepEqual(saved, [call.name]);
  const line = 'Saved in toolfold.json: github__create_issue runs without a question from now on.';
  assert.equal(notes.at(-1), line);
});

test('"always" is neither offered nor accepted without a store', async () => {
  const questions: string[] = [];
  const lines = ['a', 'always', 'y'];
  const approver = createAsker({
    note: () => {},
    signal: new AbortController().signal,
    ask: byStep({
      show: () => {},
      askLine: async (question) => lines[questions.push(question) - 1],
    }),
  });
  assert.equal((await approver.approve(call)).scope, 'once');
  assert.equal(questions.length, 3);
  assert.doesNotMatch(questions.join(), /always/);
});

test('a failed save is reported with its reason', () => {
  const notes: string[] = [];
  const approver = createAsker({
    note: (text) => notes.push(text),
    signal: new AbortController().signal,
    ask: undefined,
    store: {
      file: 'c.json',
      save: () => {
        throw new Error('the disk is full');
      },
    },
  });
  approver.onAlways(call.name);
  assert.deepEqual(notes, [
    'The approval could not be saved and holds for this session only: the disk is full',
  ]);
});

test('a line names the subagent that asks, and the advice is written once per tool', async () => {
  const { approver, notes } = person(['y']);
  await approver.approve({ ...call, subagent: 't1/a' });
  assert.match(notes[0] ?? '', /^\[t1\/a\] github__create_issue \{.*\}\nIt needs your approval\.$/);
  const nobody = createAsker({
    note: (text) => notes.push(text),
    inOrder: () => assert.fail(),
    ask: undefined,
    signal: new AbortController().signal,
  });
  notes.length = 0;
  for (const subagent of ['t1', 't2']) await nobody.approve({ ...call, subagent });
  assert.equal(notes.length, 3);
  assert.match(notes[0] ?? '', /^\[t1\] github__create_issue did not run: /);
  assert.match(notes[1] ?? '', /^ {2}To allow it: /);
  assert.match(notes[2] ?? '', /^\[t2\] github__create_issue did not run: /);
  assert.deepEqual([...nobody.unasked], [call.name]);
});

test('an aborted question ends without a denial', async () => {
  for (const isRun of [true, false]) {
    const [run, turn] = [new AbortController(), new AbortController()];
    const { approver, notes } = person(['never'], [], run);
    const request = { ...call, subagent: 't1', signal: turn.signal };
    const asked = approver.approve(request);
    (isRun ? run : turn).abort(new Error('cancelled'));
    await assert.rejects(asked, /cancelled/);
    // The next question in the queue is not shown.
    await assert.rejects(approver.approve(request), /cancelled/);
    assert.equal(approver.unasked.size, 0);
    assert.equal(notes.length, 1);
  }
});

test('a question names its subject, also when it is repeated', async () => {
  const { approver, notes, questions } = person(['what', 'y', 'n', 'n']);
  await approver.approve({ ...call, subagent: 'b' });
  const question =
    'Run [b] github__create_issue? y: once, s: every time in this session, a: always (saved in toolfold.json), n: no, b: no, because … > ';
  assert.deepEqual(questions, [question, question]);
  await approver.approve(call);
  assert.match(questions[2] ?? '', /^Run github__create_issue\? y: once, /);
  const odd = {
    ...call,
    name: `a\u001b[2J\nb${'c'.repeat(900)}`,
    subagent: `t\r${'d'.repeat(900)}`,
  };
  await approver.approve(odd);
  assert.match(
    questions[3] ?? '',
    /^Run \[td+… \(\+[\d,]+ characters\)\] a bc+… \(\+[\d,]+ characters\)\? y/,
  );
  assert.ok((questions[3] ?? '').length < 300);
  assert.doesNotMatch([...notes, ...questions].join('').replaceAll('\n', ''), /\p{Cc}/u);
});

test('nothing else is written between a question and its answer, also after invalid answers', async () => {
  const screen: string[] = [];
  const notes = new RunNotes((text) => screen.push(text));
  const lines = ['what', 'a'];
  const approver = createAsker({
    note: notes.now,
    inOrder: notes.during,
    store: { file: 'c.json', save: () => {} },
    signal: new AbortController().signal,
    ask: byStep({
      show: notes.now,
      askLine: async (question) => {
        screen.push(question);
        notes.note(`[c] while ${lines.length} answers are left`);
        return lines.shift();
      },
    }),
  });
  const { scope } = await approver.approve({ ...call, subagent: 'b' });
  assert.equal(scope, 'always');
  approver.onAlways(call.name);
  const expected = [
    /^\[b\] github__create_issue \{/,
    /^Run \[b\] github__create_issue\? /,
    /^Run \[b\] github__create_issue\? /,
    /^\[c\] while 2 /,
    /^\[c\] while 1 /,
    /^Saved in c\.json: /,
  ];
  assert.equal(screen.length, expected.length);
  for (const [index, pattern] of expected.entries()) assert.match(screen[index] ?? '', pattern);
});

test('nothing is asked after the input has ended', async () => {
  const { approver, notes, questions } = person([]);
  await approver.approve({ ...call, subagent: 't1' });
  assert.equal(questions.length, 1);
  notes.length = 0;
  const { approved, reason } = await approver.approve({ ...call, subagent: 't2' });
  assert.equal(approved, false);
  assert.match(reason ?? '', /nobody can be asked/);
  assert.equal(questions.length, 1);
  assert.deepEqual(notes, [
    '[t2] github__create_issue did not run: it needs approval, and nobody could be asked.',
  ]);
});
