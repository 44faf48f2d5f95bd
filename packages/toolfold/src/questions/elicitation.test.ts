import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { AskedElicitation } from '@toolfold/agent/internal/events/user-requests.ts';
import type { ElicitationAnswer, FormField } from '@toolfold/core/internal/tool/call-host.ts';
import { createAsker } from './asker.ts';
import { byStep } from './by-step.ts';
import { fieldQuestion, readField } from './elicitation.ts';

const choices = [
  { value: 'r', title: 'Red' },
  { value: 'g', title: 'Green' },
];
const field = (rest: object): FormField => ({ name: 'f', isRequired: false, ...rest }) as FormField;
const PROBLEM = Symbol('a problem');

const READINGS: readonly (readonly [FormField, string, unknown])[] = [
  [field({ type: 'text' }), ' Ada ', 'Ada'],
  [field({ type: 'text' }), '', undefined],
  [field({ type: 'text', isRequired: true }), '', PROBLEM],
  [field({ type: 'text', default: 'Ada' }), '', 'Ada'],
  [field({ type: 'text', format: 'email' }), 'nobody', PROBLEM],
  [field({ type: 'text', format: 'date' }), '2026-02-30', PROBLEM],
  [field({ type: 'text', format: 'date' }), '2026-02-28', '2026-02-28'],
  [field({ type: 'integer', minimum: 0 }), '36', 36],
  [field({ type: 'integer' }), '1.5', PROBLEM],
  [field({ type: 'integer' }), 'many', PROBLEM],
  [field({ type: 'number', maximum: 2 }), '2.5', PROBLEM],
  [field({ type: 'number' }), '-1e3', -1000],
  [field({ type: 'number' }), '0x10', PROBLEM],
  [field({ type: 'number', default: 0 }), '', 0],
  [field({ type: 'boolean' }), 'y', true],
  [field({ type: 'boolean' }), 'No', false],
  [field({ type: 'boolean' }), 'maybe', PROBLEM],
  [field({ type: 'boolean', default: false }), '', false],
  [field({ type: 'choice', choices }), '2', 'g'],
  [field({ type: 'choice', choices }), 'Red', 'r'],
  [field({ type: 'choice', choices }), '3', PROBLEM],
  [field({ type: 'choice', choices }), '0', PROBLEM],
  [field({ type: 'choices', choices }), '1, 2', ['r', 'g']],
  [field({ type: 'choices', choices }), '1 1', PROBLEM],
  [field({ type: 'choices', choices, maxItems: 1 }), '1 2', PROBLEM],
  [field({ type: 'choices', choices }), '', undefined],
];

test('a line is read as the value of its field', () => {
  for (const [one, line, expected] of READINGS) {
    const reading = readField(one, line);
    const label = `${JSON.stringify(one)} ${line}`;
    if (expected === PROBLEM) assert.ok(reading.problem !== undefined, label);
    else assert.deepEqual({ ...reading }, { value: expected }, label);
  }
});

test('a question says what may be answered', () => {
  const title = 'Age';
  assert.equal(
    fieldQuestion(field({ type: 'integer', title, minimum: 1, maximum: 9, default: 3 })),
    'Age (a whole number from 1 to 9, empty for 3) > ',
  );
  assert.equal(fieldQuestion(field({ type: 'text', isRequired: true })), 'f > ');
  assert.equal(fieldQuestion(field({ type: 'boolean' })), 'f (y or n, empty to skip) > ');
});

const accepted = (age: number, colour?: string): ElicitationAnswer => ({
  action: 'accept',
  content: { age, ...(colour === undefined ? {} : { colour }) },
});

/** What a user with these lines answers, and what the terminal shows. */
async function answerOf(
  lines: readonly string[],
  rest: Partial<AskedElicitation> = {},
): Promise<{ readonly answer: ElicitationAnswer; readonly shown: string }> {
  const shown: string[] = [];
  const left = [...lines];
  const { elicit } = createAsker({
    note: (text) => shown.push(text),
    signal: new AbortController().signal,
    ask: byStep({
      show: (text) => shown.push(text),
      askLine: async (question, signal) => {
        shown.push(question);
        const line = left.shift();
        if (line !== 'never') return line;
        await once(signal, 'abort');
        throw signal.reason;
      },
    }),
  });
  const about = { elicitationId: 'e', id: 'c', name: 'odd__work', server: 'odd' };
  const fields = [
    field({ type: 'integer', name: 'age', isRequired: true }),
    field({ type: 'choice', name: 'colour', choices }),
  ];
  const { signal } = new AbortController();
  const answer = await elicit({ ...about, message: 'Who?\nSay it.', fields, signal, ...rest });
  return { answer, shown: shown.join('\n') };
}

test('fields are asked one by one, and again if a line does not fit', async () => {
  const { answer, shown } = await answerOf(['what', 'y', 'old', '36', '2', 'y']);
  assert.deepEqual(answer, { action: 'accept', content: { age: 36, colour: 'g' } });
  assert.equal(
    shown,
    [
      'The server odd asks you while odd__work runs:',
      '  Who?',
      '  Say it.',
      'Your answers are sent to odd. Give no passwords or keys.',
      'Answer? y: yes, n: no > ',
      'Answer? y: yes, n: no > ',
      'age (a whole number) > ',
      '  Not accepted: it must be a number.',
      'age (a whole number) > ',
      '  1: Red',
      '  2: Green',
      'colour (a number of the list, empty to skip, < to go back) > ',
      'Your answers:',
      '  1: age: 36',
      '  2: colour: Green',
      'Send? y: yes, n: no, a number: change this field > ',
    ].join('\n'),
  );
});

test('no declines; the end of the input cancels; a page has no fields', async () => {
  assert.deepEqual((await answerOf(['n'])).answer, { action: 'decline' });
  assert.deepEqual((await answerOf([])).answer, { action: 'cancel' });
  assert.deepEqual((await answerOf(['y'])).answer, { action: 'cancel' });
  assert.deepEqual((await answerOf(['y', '36', '', 'y'])).answer, {
    action: 'accept',
    content: { age: 36 },
  });
  const page = await answerOf(['y'], { url: 'https://example.org/', fields: [] });
  assert.deepEqual(page.answer, { action: 'accept' });
  assert.match(page.shown, /https:\/\/example\.org/);
});

test('a question ends with its signal', async () => {
  const abort = new AbortController();
  const asked = answerOf(['y', 'never'], { signal: abort.signal });
  setImmediate(() => abort.abort(new Error('over')));
  await assert.rejects(asked, /over/);
});

test('problems and the subagent that asks are shown', async () => {
  const problems = [{ field: 'age', problem: 'it is required' }];
  const { shown } = await answerOf(['n'], { problems, subagent: 't1' });
  assert.match(shown, /^\[t1\] The server odd asks/);
  assert.match(shown, /age: it is required\./);
});

test('a screen offers choices with a mark, and shows a field again after a wrong line', async () => {
  const lines = ['old', '36'];
  const seen: string[] = [];
  const { elicit } = createAsker({
    ...{ note: () => {}, signal: new AbortController().signal },
    ask: byStep({
      show: (text) => seen.push(text),
      askLine: async () => lines.shift(),
      choose: async ({ text, choices, marked }) => {
        seen.push(`${text} ${choices.map(({ id, label }) => `${id}:${label}`)} ${marked}`);
        return text === 'Paint' ? '1' : marked;
      },
    }),
  });
  const fields = [
    field({ type: 'integer', name: 'age', description: 'In years.' }),
    field({ type: 'choice', name: 'paint', title: 'Paint', choices, isRequired: true }),
    field({ type: 'choice', name: 'wall', choices }),
    field({ type: 'choice', name: 'door', choices, default: 'g' }),
    field({ type: 'boolean', name: 'gift', isRequired: true }),
    field({ type: 'boolean', name: 'wrap', default: true }),
  ];
  const { signal } = new AbortController();
  const about = { elicitationId: 'e', id: 'c', name: 'odd__work', server: 'odd' };
  assert.deepEqual(await elicit({ ...about, message: 'Who?', fields, signal }), {
    action: 'accept',
    content: { age: 36, paint: 'g', door: 'g', gift: false, wrap: true },
  });
  assert.deepEqual(seen.slice(2), [
    ...['  In years.', '  In years.', '  Not accepted: it must be a number.'],
    'Paint 0:Red,1:Green,back:Go back 0',
    'wall 0:Red,1:Green,none:Leave it out,back:Go back none',
    'door 0:Red,1:Green,back:Go back 1',
    ...['gift yes:Yes,no:No,back:Go back no', 'wrap yes:Yes,no:No,back:Go back yes'],
    ...['Your answers:', '  age: 36', '  Paint: Green', '  wall: (left out)', '  door: Green'],
    ...['  gift: n', '  wrap: y'],
    `Send these answers? yes:Send,${fields.map(({ name, title = name }, at) => `${at}:Change ${title}`)},no:Decline: send nothing yes`,
  ]);
});

test('a form goes back, is shown whole, and is sent, changed or declined', async () => {
  const table: readonly (readonly [string, readonly string[], ElicitationAnswer])[] = [
    ['back once', ['y', '63', '<', '36', '2', 'y'], accepted(36, 'g')],
    ['the first is changed', ['y', '1', '', '1', '36', 'y'], accepted(36)],
    ['< is no way back in the first field', ['y', '<', '36', '1', 'y'], accepted(36, 'r')],
    ['changed', ['y', '36', '1', '2', '2', 'y'], accepted(36, 'g')],
    ['changed, and left out', ['y', '36', '1', '2', '', 'y'], accepted(36)],
    ['a change that is taken back', ['y', '36', '1', '1', '<', 'y'], accepted(36, 'r')],
    ['a wrong change', ['y', '36', '1', '1', 'old', '37', 'y'], accepted(37, 'r')],
    ['declined', ['y', '36', '1', 'n'], { action: 'decline' }],
    ['no field has this number', ['y', '36', '1', '3', '0', 'send', '', 'yes'], accepted(36, 'r')],
    ['the end of the input sends nothing', ['y', '36', '1'], { action: 'cancel' }],
    ['nor in a change', ['y', '36', '1', '2'], { action: 'cancel' }],
  ];
  for (const [what, lines, expected] of table)
    assert.deepEqual((await answerOf(lines)).answer, expected, what);
});

test('a form cannot draw a line of another field, and its names are those of the server', async () => {
  const fields = [
    field({ type: 'text', name: '__proto__', title: 'pay\n  2: to: me\u001b[2J' }),
    field({ type: 'choices', name: 'b', choices, isRequired: true }),
  ];
  const { answer, shown } = await answerOf(['y', 'x', '1,2', 'y'], { fields });
  const content = Object.fromEntries([
    ['__proto__', 'x'],
    ['b', ['r', 'g']],
  ]);
  assert.deepEqual(answer, { action: 'accept', content });
  assert.match(
    shown.slice(shown.indexOf('Your answers:')),
    /^Your answers:\n {2}1: pay 2: to: me.*: x\n {2}2: b: Red, Green\n/,
  );
});
