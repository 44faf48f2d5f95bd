import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isFull } from '@toolfold/testing/test/combinations.test-support.ts';
import type { ModelMessage } from 'ai';
import fc from 'fast-check';
import { conversations, isReal, words } from '../../test/compaction/conversations.test-support.ts';
import { openCalls, pendingIn } from '../state/history.ts';
import { repaired } from '../state/repair.ts';
import { messagesTokens } from './context-use.ts';
import { boundaries, compactedMessages, planCompaction } from './plan.ts';
import { isSummary } from './summary.ts';

const KEEP = 500;
/** How many random conversations each property is tried with. */
const RUNS = isFull ? 1_000 : 120;
const tokensOf = (messages: readonly ModelMessage[]) => messagesTokens(messages);
const plain = (value: unknown) => JSON.parse(JSON.stringify(value));

/** Compacts with a summary of one line. */
function compacted(messages: readonly ModelMessage[]): ModelMessage[] | undefined {
  const plan = planCompaction(messages, { keep: KEEP, isReal, recallId: (id) => id });
  return plan && compactedMessages(plan, 'What happened.');
}

function holds(check: (before: ModelMessage[], after: ModelMessage[]) => void): void {
  let cases = 0;
  fc.assert(
    fc.property(conversations, (messages) => {
      const given = plain(messages);
      const after = compacted(messages);
      assert.deepEqual(messages, given);
      if (!after) return;
      cases++;
      check(messages, after);
    }),
    { numRuns: RUNS },
  );
  assert.ok(cases > RUNS / 6, `${cases}`);
}

describe('a compaction of any conversation', () => {
  test('separates no call from its result, and no approval from its answer', () => {
    holds((before, after) => {
      assert.deepEqual(repaired(before).remarks, []);
      assert.deepEqual(repaired(after).remarks, []);
      assert.deepEqual(openCalls(after), openCalls(before));
      assert.deepEqual(pendingIn(after), pendingIn(before));
    });
  });

  test('begins with system messages, the summary, and the message that is being answered', () => {
    holds((before, after) => {
      const rest = after.filter(({ role }) => role !== 'system');
      assert.equal(
        after.length - rest.length,
        before.filter(({ role }) => role === 'system').length,
      );
      assert.equal(rest[0]?.role, 'user');
      const last = before.findLast(({ role }) => role === 'user');
      assert.ok(rest.some((message) => message.role === 'user' && !isSummary(message)));
      // A large message is shortened, if it is no longer among what is kept.
      if (last && tokensOf([last]) <= KEEP / 4)
        assert.deepEqual(
          after.findLast(({ role }) => role === 'user'),
          last,
        );
    });
  });

  test('keeps the end word for word, except for large results and the notes of the epoch', () => {
    holds((before, after) => {
      const kept = after.filter(({ role }) => role === 'assistant').map(withoutNotes);
      const whole = before.filter(({ role }) => role === 'assistant').map(withoutNotes);
      assert.deepEqual(kept, kept.length > 0 ? whole.slice(-kept.length) : []);
      assert.doesNotMatch(JSON.stringify(after), /"(epoch|inserts|announced)":/);
    });
  });

  test('shows results that the model has not read in full', () => {
    holds((before, after) => {
      const from = before.findLastIndex(({ role }) => role !== 'tool');
      const unread = before.slice(from + 1);
      assert.deepEqual(after.slice(after.length - unread.length), unread);
    });
  });

  test('saves tokens, and keeps about as many as asked', () => {
    holds((before, after) => {
      assert.ok(tokensOf(before) - tokensOf(after) > 0);
      const places = boundaries(before).filter((place) => place < before.length);
      const lastStep = tokensOf(before.slice(places.at(-1) ?? 0));
      const overhead = 20 * 150 + 100 + KEEP;
      assert.ok(tokensOf(after) <= Math.max(KEEP, lastStep) + overhead);
    });
  });

  test('is done once: the result needs no other one', () => {
    holds((_, after) => {
      const again = planCompaction(after, { keep: KEEP, isReal });
      if (again) assert.ok(tokensOf(compactedMessages(again, 'Short.')) < tokensOf(after));
    });
  });
});

describe('a plan', () => {
  const user = (text: string): ModelMessage => ({ role: 'user', content: text });
  const said = (text: string): ModelMessage => ({ role: 'assistant', content: text });
  const call = (id: string): ModelMessage => ({
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: id, toolName: 'files__read', input: {} }],
  });
  const result = (id: string, text: string): ModelMessage => ({
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: id,
        toolName: 'files__read',
        output: { type: 'text', value: text },
      },
    ],
  });
  const long = words(20_000);

  test('is not made for a short conversation', () => {
    assert.equal(planCompaction([]), undefined);
    assert.equal(planCompaction([user('Hi.'), said('Hello.')]), undefined);
    assert.equal(planCompaction([user(long)], { keep: KEEP }), undefined);
  });

  test('cuts before a message of the user where it can', () => {
    const talk = [user('One.'), said(long), user('Two.'), said('Done.')];
    const plan = planCompaction(talk, { keep: KEEP });
    assert.deepEqual(plan?.cut, talk.slice(0, 2));
    assert.deepEqual(plan?.kept, talk.slice(2));
    assert.equal(plan?.asked, undefined);
  });

  test('repeats the words of the user if the answer to them goes on', () => {
    const talk = [user('Read all.'), call('1'), result('1', long), call('2'), result('2', 'End.')];
    const plan = planCompaction(talk, { keep: KEEP, recallId: (id) => `${id}#1` });
    assert.deepEqual(plan?.asked, talk[0]);
    assert.deepEqual(plan?.kept, talk.slice(3));
    const [digest] = plan?.digests ?? [];
    assert.deepEqual(
      { ...digest, digest: digest?.digest.length },
      { digest: 300, length: long.length, recall: 'recall_result', id: '1#1' },
    );
    const [summary, asked] = plan ? compactedMessages(plan, 'Reading.') : [];
    assert.match(String(summary?.content), /Reading\..*"id":"1#1"/s);
    assert.deepEqual(asked, talk[0]);
  });

  test('shortens a large message of the user', () => {
    const talk = [user(long), said(long), call('1'), result('1', 'End.')];
    const { asked } = planCompaction(talk, { keep: KEEP }) ?? {};
    assert.equal(String(asked?.content).length, KEEP);
  });

  test('makes digests of results that were read, and beyond the limit of all', () => {
    const talk = [
      user('Read.'),
      { ...call('1'), content: [...(call('1').content as []), ...(call('2').content as [])] },
      result('1', long),
      result('2', 'Small.'),
      call('3'),
      result('3', long),
    ] as ModelMessage[];
    // Everything from the last step is kept, and its result was not read yet.
    const kept = planCompaction(talk, { keep: KEEP })?.kept;
    assert.deepEqual(kept, talk.slice(4));
    const small = planCompaction(talk, { keep: KEEP, limit: KEEP })?.kept;
    assert.match(JSON.stringify(small), /"digest":"Well some more/);
    assert.ok(!JSON.stringify(small).includes('recall_result'));
    const waiting = [user('Go.'), call('1'), result('1', long), call('2')] as ModelMessage[];
    const only = planCompaction(waiting, { keep: KEEP });
    assert.deepEqual([only?.cut.length, only?.kept.length], [3, 1]);
  });

  test('names each result of calls with one id', () => {
    const texts = [words(5_000), words(6_000), words(7_000)];
    const talk = [user('Read.'), ...texts.flatMap((text) => [call('0'), result('0', text)])];
    const recallId = (id: string, text: string) => `${id}#${texts.indexOf(text) + 1}`;
    const plan = planCompaction(talk, { keep: KEEP, recallId });
    assert.deepEqual(
      plan?.digests.map(({ id }) => id),
      ['0#1', '0#2'],
    );
  });

  test('hands on the digests of an earlier compaction', () => {
    const recallId = (id: string) => `${id}#1`;
    const first = planCompaction([user('Read.'), call('1'), result('1', long)], {
      ...{ keep: KEEP, limit: KEEP, recallId },
    });
    const short = first ? compactedMessages(first, 'Reading.') : [];
    assert.match(JSON.stringify(short), /"id":"1#1"/);
    const talk = [...short, said(long), user('Two.'), said('Done.')];
    const plan = planCompaction(talk, { keep: KEEP, recallId: () => assert.fail() });
    const [digest, ...others] = plan?.digests ?? [];
    assert.deepEqual([digest?.id, digest?.length, others], ['1#1', long.length, []]);
    // A result that only looks like one is no digest.
    const odd = JSON.stringify({ digest: long, length: 1, id: 'x' });
    const value = JSON.parse(odd);
    const message = { ...result('2', ''), content: [] as object[] };
    const part = { type: 'tool-result', toolCallId: '2', toolName: 'files__read' };
    message.content = [{ ...part, output: { type: 'json', value } }];
    const again = [user('Read.'), call('2'), message, said('Fine.'), user('Two.'), said('Done.')];
    const digests = planCompaction(again as ModelMessage[], { keep: KEEP, recallId })?.digests;
    assert.deepEqual(
      digests?.map(({ id, length }) => [id, length]),
      [['2#1', odd.length]],
    );
  });

  test('without a place to cut: results become digests, and there is nothing to summarize', () => {
    const both = [
      user('Go.'),
      {
        role: 'assistant',
        content: [...(call('1').content as []), ...(call('2').content as [])],
      },
      result('1', long),
    ] as ModelMessage[];
    const plan = planCompaction(both, { keep: KEEP, limit: KEEP });
    assert.deepEqual(plan?.cut, []);
    const after = plan ? compactedMessages(plan, '') : [];
    assert.equal(after.length, 3);
    assert.equal(after[0]?.content, 'Go.');
    assert.match(JSON.stringify(after[2]), /"digest"/);
  });
});

function withoutNotes(message: ModelMessage): ModelMessage {
  if (message.role !== 'assistant' || typeof message.content === 'string') return message;
  return { ...message, content: message.content.filter(({ type }) => type !== 'custom') };
}
