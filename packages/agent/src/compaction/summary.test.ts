import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ModelMessage } from 'ai';
import fc from 'fast-check';
import { conversations, isReal } from '../../test/compaction/conversations.test-support.ts';
import { isSummary, MAX_SUMMARY, mechanicalSummary, summaryIn, summaryMessage } from './summary.ts';

const user = (content: string): ModelMessage => ({ role: 'user', content });

describe('the message with the summary', () => {
  test('is a message of the user that says who wrote it', () => {
    const message = summaryMessage(' All is well. \n', []);
    assert.equal(message.role, 'user');
    assert.match(String(message.content), /^\[Summary from the application, not from the user/);
    assert.equal(summaryIn(message), 'All is well.');
    assert.ok(isSummary(message));
    assert.ok(!isSummary(user('All is well.')));
    assert.ok(!isSummary({ role: 'assistant', content: String(message.content) }));
  });

  test('is bounded', () => {
    const { content } = summaryMessage('x'.repeat(1_000_000), []);
    assert.ok(String(content).length < MAX_SUMMARY + 500);
  });
});

describe('a summary without a model', () => {
  test('says the words of the user, the names of the calls and the last answer', () => {
    const call = (toolName: string) =>
      ({ type: 'tool-call', toolCallId: '1', toolName, input: {} }) as const;
    const messages: ModelMessage[] = [
      user('Find the bug.'),
      { role: 'assistant', content: [call('files__read'), call('load_tools')] },
      { role: 'assistant', content: [call('files__read'), { type: 'text', text: 'It is here.' }] },
      user('Mend it.'),
    ];
    const summary = mechanicalSummary(messages, isReal);
    assert.match(summary, /newest last:\n- Find the bug\.\n- Mend it\.\n/);
    assert.match(summary, /- files__read \(2 calls\)\n/);
    assert.match(summary, /The last answer:\nIt is here\.$/);
    assert.doesNotMatch(summary, /load_tools/);
  });

  test('keeps what an earlier summary says', () => {
    const earlier = summaryMessage('The name is Zebra.', []);
    const summary = mechanicalSummary([earlier, user('Go on.')]);
    assert.match(summary, /Earlier summary:\nThe name is Zebra\./);
    assert.match(summary, /newest last:\n- Go on\.$/);
  });

  test('is bounded, and keeps the newest words', () => {
    const long = Array.from({ length: 500 }, (_, n) => user(`${n} ${'x'.repeat(2_000)}`));
    const summary = mechanicalSummary([...long, user('The newest.')]);
    assert.ok(summary.length < 9_000, `${summary.length}`);
    assert.match(summary, /- The newest\.$/);
    fc.assert(
      fc.property(conversations, (messages) => {
        assert.ok(mechanicalSummary(messages, isReal).length < MAX_SUMMARY);
      }),
    );
  });
});
