import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as later } from 'node:timers/promises';
import { Questions } from '../chat/open-chat.ts';
import { themeWith } from '../chat-view/theme.ts';
import { createAsker } from '../questions/asker.ts';
import { Typing } from '../terminal/input.ts';
import { QuestionPanel } from './question-panel.ts';

const { signal } = new AbortController();

/** A question of this asker on so many rows. */
async function panelOf(
  ask: (asker: ReturnType<typeof createAsker>) => Promise<unknown>,
  rows: number,
  use: (panel: QuestionPanel) => void,
): Promise<void> {
  const questions = new Questions(() => {});
  const asker = createAsker({
    ...{ ask: questions.ask, signal, note: () => {} },
    store: { file: 'toolfold.json', save: () => {} },
  });
  const answer = ask(asker).catch(() => {});
  while (!questions.open) await Promise.resolve();
  const panel = new QuestionPanel(questions.open, {
    ...{ theme: themeWith(false), rows: () => rows, onChange: () => {}, isBoxEmpty: () => true },
    typing: new Typing((_, call) => {
      call();
      return () => {};
    }),
  });
  use(panel);
  panel.close();
  questions.open.dismiss();
  await answer;
}

/** What stands on the screen when a server asks with a message of so many lines. */
async function asked(lines: number): Promise<readonly string[]> {
  const message = Array.from({ length: lines }, (_, at) => `line ${at + 1}.`).join('\n');
  const form = { name: 'mail__send', server: 'mail', message, fields: [], signal };
  let screen: readonly string[] = [];
  await panelOf(
    (asker) => asker.elicit(form),
    14,
    (panel) => {
      screen = panel.render(80);
    },
  );
  return screen;
}

for (const [rows, most] of [
  [7, 8],
  [3, 5],
] as const)
  test(`on ${rows} rows the call and the marked choice stay in sight`, async () => {
    const request = {
      id: 'c',
      name: 'bank__pay',
      arguments: { to: 'Ann' },
      askedBy: 'setting',
    } as const;
    await panelOf(
      (asker) => asker.approve(request),
      rows,
      (panel) => {
        for (const { label } of panel.question.choices) {
          const screen = panel.render(80);
          assert.ok(screen.length <= most, screen.join('\n'));
          assert.ok(
            screen.some((line) => line.includes('bank__pay {"to":"Ann"}')),
            screen.join('\n'),
          );
          assert.ok(
            screen.some((line) => line.startsWith('❯ ') && line.includes(label.slice(0, 60))),
            screen.join('\n'),
          );
          panel.takeKey('\u001B[B');
        }
      },
    );
  });

test('the line that says where a text stands never takes the place of its last line', async () => {
  let isScrolled = false;
  for (let count = 1; count < 20; count += 1) {
    const screen = await asked(count);
    const [, last, all] = / to (\d+) of (\d+)/.exec(screen.join('\n')) ?? [];
    isScrolled ||= last !== undefined;
    if (last !== undefined) assert.ok(Number(all) - Number(last) > 1, screen.join('\n'));
    else assert.ok(screen.some((line) => line.includes(`line ${count}.`)));
    assert.ok(screen.length <= 16, screen.join('\n'));
  }
  assert.ok(isScrolled);
});

test('keys that came while the process was busy are taken before a question opens', async () => {
  const answers: unknown[] = [];
  const choices = [{ id: 'yes', label: 'Yes' }];
  const step = { text: 'Run?', choices, marked: 'yes', lines: [], isFollowUp: false };
  const about = { ...step, kind: 'approval', subject: '', details: [] } as const;
  const answer = (given: unknown) => void answers.push(given);
  const panel = new QuestionPanel(
    { ...step, about, answer, dismiss: () => {} },
    {
      ...{ theme: themeWith(false), rows: () => 12, isBoxEmpty: () => true, onChange: () => {} },
      typing: new Typing(),
    },
  );
  // It is due behind the time of the question, in the same round of timers. A key that has come is handled next.
  const due = later(305);
  const begun = performance.now();
  // The process does nothing else until both are over.
  while (performance.now() - begun < 330);
  await due;
  assert.ok(panel.takeKey('\r'));
  assert.deepEqual(answers, []);
  await new Promise(setImmediate);
  assert.ok(panel.takeKey('\r'));
  assert.deepEqual(answers, ['yes']);
  panel.close();
});
