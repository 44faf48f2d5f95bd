import assert from 'node:assert/strict';
import { test } from 'node:test';
import { themeWith } from '../view/index.ts';
import { QuestionPanel } from './question-panel.ts';

test('a question takes no keys while the user writes, nor in the moment after that', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const answers: string[] = [];
  let isWriting = true;
  const panel = new QuestionPanel(
    {
      ...{ lines: [], text: 'Run it?', keys: 'yn' },
      answer: (line) => answers.push(line ?? ''),
      dismiss: () => {},
    },
    { theme: themeWith(false), rows: () => 10, isWriting: () => isWriting, onChange: () => {} },
  );
  assert.equal(panel.choose(), false, 'Tab at the moment when it opens is for the message');
  context.mock.timers.tick(1000);
  assert.equal(panel.isActive, false);
  isWriting = false;
  panel.pause();
  assert.equal(panel.isActive, false, 'the message was sent just now');
  context.mock.timers.tick(1000);
  assert.equal(panel.isActive, true);
  isWriting = true;
  assert.equal(panel.choose(), true);
  assert.equal(panel.isActive, false, 'Tab was pressed just now');
  context.mock.timers.tick(1000);
  assert.equal(panel.isActive, true);
  panel.handleInput('y');
  assert.deepEqual(answers, ['y']);
});
