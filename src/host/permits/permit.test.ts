import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { approvalNeeded, NOT_ASKED } from '../calls/answer.ts';
import { plainSubject } from '../calls/subject.ts';
import { Permits, type Ticket, ticketKey } from './permit.ts';

function permit(id = 'c1', input: unknown = {}): Ticket {
  const subject = plainSubject(id, 'send', input);
  const setting = async () => ({ type: 'not-applicable' }) as const;
  const nothing = { answer: undefined, metadata: undefined, wireName: undefined, setting };
  return { kind: 'permit', subject, settingApplied: true, ...nothing };
}

function withheld(): Ticket {
  const refusal = approvalNeeded('send', NOT_ASKED);
  return { kind: 'withheld', refusal, isReported: false, wireName: undefined };
}

describe('permits', () => {
  test('promise 51: are used once', () => {
    const permits = new Permits();
    const conversation = {};
    const issued = permit();
    permits.issue(conversation, 'a', issued);
    assert.equal(permits.peek(conversation, 'a'), issued);
    assert.equal(permits.peek(conversation, 'a'), issued);
    assert.equal(permits.take(conversation, 'a'), issued);
    assert.equal(permits.take(conversation, 'a'), undefined);
    assert.equal(permits.peek(conversation, 'a'), undefined);
  });

  test('are taken in the order in which they were issued, refusals included', () => {
    const permits = new Permits();
    const conversation = {};
    const issued = [permit('c1'), withheld(), permit('c2')];
    for (const ticket of issued) permits.issue(conversation, 'a', ticket);
    const taken = [1, 2, 3, 4].map(() => permits.take(conversation, 'a'));
    assert.deepEqual(taken, [...issued, undefined]);
  });

  test('promise 51: belong to one conversation, identified by its object', () => {
    const permits = new Permits();
    const [one, other] = [[], []];
    permits.issue(one, 'a', permit());
    assert.equal(permits.peek(other, 'a'), undefined);
    assert.equal(permits.take(other, 'a'), undefined);
    assert.ok(permits.take(one, 'a'));
  });

  test('promise 51: one policy does not find the permits of another', () => {
    const conversation = {};
    new Permits().issue(conversation, 'a', permit());
    assert.equal(new Permits().take(conversation, 'a'), undefined);
  });

  test('promise 51: `revoke` deletes all tickets of one call in one conversation, and no others', () => {
    const permits = new Permits();
    const [one, other] = [{}, {}];
    for (const conversation of [one, other]) {
      for (const key of ['a', 'a', 'b']) permits.issue(conversation, key, permit());
    }
    permits.revoke(one, 'a');
    permits.revoke({}, 'a');
    assert.equal(permits.take(one, 'a'), undefined);
    assert.ok(permits.take(one, 'b'));
    assert.ok(permits.take(other, 'a'));
    assert.ok(permits.take(other, 'a'));
  });

  test('promise 51: calls with another id, name or input have another key', () => {
    const part = fc.constantFrom('a', 'b', '', '"', ',', '","', '"a"', '["a","b"]', '\\');
    const call = fc.tuple(part, part, part);
    fc.assert(
      fc.property(call, call, (one, other) => {
        const isSame = one.every((text, index) => text === other[index]);
        assert.equal(ticketKey(...one) === ticketKey(...other), isSame);
      }),
    );
  });

  test('promise 51: no ticket is taken twice, for any sequence of operations', () => {
    const step = fc.record({
      act: fc.constantFrom('issue', 'issue', 'take', 'peek', 'revoke'),
      conversation: fc.nat(2),
      key: fc.constantFrom('a', 'b'),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const permits = new Permits();
        const conversations = [{}, {}, {}] as const;
        const left = new Map<string, Ticket[]>();
        for (const { act, conversation: index, key } of steps) {
          const conversation = conversations[index] ?? {};
          const place = `${index} ${key}`;
          const queue = left.get(place) ?? [];
          left.set(place, queue);
          if (act === 'revoke') {
            permits.revoke(conversation, key);
            queue.length = 0;
          } else if (act === 'issue') {
            const ticket = permit();
            permits.issue(conversation, key, ticket);
            queue.push(ticket);
          } else if (act === 'peek') assert.equal(permits.peek(conversation, key), queue[0]);
          else assert.equal(permits.take(conversation, key), queue.shift());
        }
      }),
    );
  });
});
