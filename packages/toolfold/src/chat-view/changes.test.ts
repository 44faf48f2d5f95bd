import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AgentEvent } from '@toolfold/agent/internal/events/events.ts';
import { screenOf } from '@toolfold/agent/internal/events/screen.ts';
import { user } from '../../test/chat-view/events.test-support.ts';
import { changeOf, diffIn, type FileChange } from '../shown/index.ts';
import { changedLines, isShownWhole, notDrawn } from './changes.ts';
import { ChatDocument } from './document.ts';
import { themeWith } from './theme.ts';

const path = '/notes/a.txt';
const edits = [
  { oldText: 'one\ntwo\nthree', newText: 'one\n2\nthree' },
  { oldText: 'x', newText: 'y' },
];

describe('what a call changes', () => {
  test('is read from the arguments of the tools that edit and write files', () => {
    assert.deepEqual(changeOf('filesystem__edit_file', { path, edits })?.parts, [
      { before: 'one\ntwo\nthree', after: 'one\n2\nthree' },
      { before: 'x', after: 'y' },
    ]);
    const write = changeOf('my__files__write_file', { path, content: 'one' });
    assert.deepEqual(write, { path, parts: [{ before: undefined, after: 'one' }], isWhole: true });
    for (const [name, given] of [
      ['write_file', { path, content: 'one' }],
      ['filesystem__read_file', { path }],
      ['filesystem__write_file', { path, content: 1 }],
      ['filesystem__edit_file', { path, edits: [] }],
      ['filesystem__edit_file', { path, edits: [{ oldText: 'a' }] }],
      ['filesystem__edit_file', null],
    ] as const)
      assert.equal(changeOf(name, given), undefined, name);
  });

  const plain = (change: FileChange | undefined, width = 40) => {
    assert.ok(change);
    return changedLines(change, { theme: themeWith(false), hide: (text) => text, width });
  };

  /** An edit with the text of its result. */
  const edited = (said: string): FileChange => {
    const change = changeOf('files__edit_file', { path, edits });
    assert.ok(change);
    return { ...change, made: diffIn(said) };
  };

  test('has the numbers of the lines where the whole file is known', () => {
    const before = 'one\ntwo\nthree\nfour\n';
    const written = changeOf('files__write_file', { path, content: 'one\n2\nthree\nfour\nfive\n' });
    assert.ok(written);
    const parts = written.parts.map(({ after }) => ({ before, after }));
    assert.deepEqual(plain({ ...written, parts }), [
      `${path} +2 -1`,
      ...['1   one', '2 - two', '2 + 2', '3   three', '4   four', '5 + five'],
    ]);
    assert.deepEqual(plain(changeOf('files__edit_file', { path, edits })).slice(1, 3), [
      '  one',
      '- two',
    ]);
  });

  test('is what the server says that it changed', () => {
    const said = (patch: string) => edited(`\`\`\`diff\n${patch}\`\`\`\n\n`);
    const patch = `Index: ${path}\n===\n--- ${path}\toriginal\n+++ ${path}\tmodified\n@@ -9,3 +9,3 @@\n eight words to wrap\n-two\n+2\n three\n`;
    assert.deepEqual(plain(said(patch), 16), [
      `${path} +1`.slice(0, 16),
      '-1',
      ...[' 9   eight words', '     to wrap', '10 - two', '10 + 2', '11   three'],
    ]);
    // What is no diff of one file is not drawn.
    const own = plain(changeOf('files__edit_file', { path, edits }));
    for (const other of ['Words.\n', patch.replace('-9,3', '-9,7'), patch + patch, '@@ -1 +1 @@\n'])
      assert.deepEqual(plain(said(other)), own, other);
  });

  test('takes no long time and no deep stack, whatever a server or a model writes', () => {
    const ticks = '`'.repeat(200_000);
    for (const said of [
      ticks,
      `${ticks}diff\n`,
      '```diff\n'.repeat(20_000),
      `\`\`\`diff\n${ticks}`,
    ])
      assert.ok(plain(edited(said)).length > 0);
    const content = '\n'.repeat(99_999);
    assert.ok(plain(changeOf('files__write_file', { path, content })).length > 1);
  });

  test('is shown whole only without other fields and invisible characters', () => {
    assert.ok(isShownWhole({ path, edits }));
    assert.deepEqual(notDrawn({ path, edits, dryRun: true }), { dryRun: true });
    assert.ok(isShownWhole({ path, content: 'a\tb\n' }));
    assert.ok(!isShownWhole({ path, edits, dryRun: true }));
    assert.ok(!isShownWhole({ path, content: 'a\u200Bb' }));
    assert.ok(!isShownWhole({ path, content: 'a\u001B[2Jb' }));
    assert.ok(!isShownWhole({ path, content: 'x'.repeat(100_001) }));
  });

  test('stands in its card, line by line, with the secrets hidden', () => {
    const given = { path, edits: [...edits, { oldText: '', newText: 'a secret\u001B[2J' }] };
    const call = { id: '1', name: 'filesystem__edit_file' };
    const events: AgentEvent[] = [
      user('Go.'),
      { type: 'call', ...call, arguments: given },
      { type: 'approval', ...call, approvalId: 'a', arguments: given, askedBy: 'setting' },
    ];
    const hide = (text: string) => text.replaceAll('secret', '[redacted]');
    const document = new ChatDocument({
      ...{ theme: themeWith(false), view: () => screenOf(events) },
      onToggle: () => {},
      status: () => ({ activity: events[2]?.type === 'approval' ? 'working' : undefined }),
      changed: (call, width) => {
        const change = changeOf(call.name, call.arguments);
        return change && changedLines(change, { theme: themeWith(false), hide, width });
      },
      hide,
    });
    // The question draws it, but of one call only.
    assert.match(
      document.render(80).join('\n'),
      /\n\? filesystem__edit_file needs your approval · path: \/notes\/a\.txt, edits: .*\n\n/,
    );
    events[2] = { type: 'result', ...call, output: 'the diff of the server', duration: 5 };
    assert.deepEqual(
      document.render(60).map((line) => line.trimEnd()),
      [
        ...['❯ Go.', '', '● filesystem__edit_file 5 ms', '  /notes/a.txt +3 -2'],
        ...['    one', '  - two', '  + 2', '    three', '  ⋯', '  - x', '  + y', '  ⋯'],
        ...['  + a [redacted]', ''],
      ],
    );
  });
});
