import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { setImmediate as immediate } from 'node:timers/promises';
import fc from 'fast-check';
import type { Tool } from '../tool/tool.ts';
import { inputText } from './input-text.ts';
import { type CallRecord, Records, type Refused, recordOf } from './records.ts';
import { denied } from './refusal.ts';
import { plainCall } from './resolve.ts';

interface Made {
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
}

/** A call of a model in one view. The calls differ only in what is given. */
function recordFor(made: Made = {}, more: Partial<CallRecord> = {}): CallRecord {
  const { id = 'c1', name = 'send', input = { text: 'a' } } = made;
  const resolved = plainCall(id, name, input);
  const expected = inputText(input);
  return { view: VIEW, id, name, resolved, expected, ...more };
}
const VIEW = {};
const TEXT = inputText({ text: 'a' });

function refusing(more: Partial<Refused> = {}): Partial<CallRecord> {
  const refusal = denied('send', 'No.');
  const refused = { refusal, isDenied: true, isRepairable: false, isReported: false, ...more };
  return { refused };
}

/** Finds a call that arrived, as a host does that passes on no metadata. */
function taken(records: Records, made: Made = {}, metadata?: object): CallRecord | undefined {
  const record = recordFor(made);
  return records.take(record, metadata, record.expected);
}

const part = fc.constantFrom('a', 'b', '', ' ', 'a b', '1', '1 a', '0 ', '"', '","', '\\', '\n');
/** Ids, names and inputs that are easily confused if they are joined. */
const call = fc.record({ id: part, name: part, input: part });
const examples = [
  [
    { id: 'a', name: 'b c', input: 'd' },
    { id: 'a b', name: 'c', input: 'd' },
  ],
] as [Call, Call][];

interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: string;
}

describe('records of calls that have arrived', () => {
  test('promise 51: are found once by id, name and input', () => {
    const records = new Records();
    const record = recordFor();
    records.arrive(record);
    assert.equal(taken(records), record);
    assert.equal(taken(records), undefined);
  });

  test('promise 51: another id, name or input finds none', () => {
    const records = new Records();
    records.arrive(recordFor());
    for (const other of [{ id: 'c2' }, { name: 'drop' }, { input: { text: 'b' } }])
      assert.equal(taken(records, other), undefined);
    assert.ok(taken(records));
  });

  test('promise 51: are found only by an equal id, name and input, for odd texts', () => {
    fc.assert(
      fc.property(call, call, (one, other) => {
        const records = new Records();
        records.arrive(recordFor(one));
        assert.equal(taken(records, other) !== undefined, isEqual(one, other));
      }),
      { examples },
    );
  });

  test('the identity of metadata has precedence over id, name and input', () => {
    const records = new Records();
    const metadata = {};
    const one = recordFor({}, { metadata });
    const other = recordFor({}, refusing());
    records.arrive(one);
    records.arrive(other);
    // The app repaired the call: another input, the same metadata.
    assert.equal(taken(records, { input: { text: 'b' } }, metadata), one);
    assert.equal(taken(records), other);
    assert.equal(taken(records), undefined);
  });

  test('promise 51: a copy of metadata does not identify a call: id, name and input do', () => {
    const records = new Records();
    const metadata = { toolfold: { n: 'send' } };
    const record = recordFor({}, { metadata });
    records.arrive(record);
    const copy = structuredClone(metadata);
    assert.equal(recordOf(copy), undefined);
    assert.equal(taken(records, { input: { text: 'b' } }, copy), undefined);
    assert.equal(taken(records, {}, copy), record);
  });

  test('promise 51: different decisions under one id, name and input are not found', () => {
    const decisions: readonly Partial<CallRecord>[] = [
      {},
      { asker: { by: 'hook' } },
      { asker: { by: 'hook', key: 'k' } },
      refusing(),
      refusing({ isDenied: false }),
      refusing({ isDenied: false, isRepairable: true }),
    ];
    for (const one of decisions) {
      for (const other of decisions.filter((decision) => decision !== one)) {
        const records = new Records();
        records.arrive(recordFor({}, one));
        records.arrive(recordFor({}, other));
        assert.equal(taken(records), undefined);
        assert.equal(taken(records), undefined);
      }
      const alike = new Records();
      const both = [recordFor({}, one), recordFor({}, one)];
      for (const record of both) alike.arrive(record);
      assert.deepEqual([taken(alike), taken(alike), taken(alike)], [...both, undefined]);
    }
  });

  test('promise 51: decisions about different tools under one id, name and input are not found', () => {
    const records = new Records();
    for (const description of ['one', 'other']) {
      const tool: Tool = { name: 'send', description, inputSchema: {} };
      const ofGroup = { name: 'send', bare: 'send', groupId: undefined, tool };
      const resolved = { ...plainCall('c1', 'send', { text: 'a' }), tool: ofGroup };
      records.arrive(recordFor({}, { resolved }));
    }
    assert.equal(taken(records), undefined);
  });

  test('metadata distinguishes different decisions', () => {
    const records = new Records();
    const [first, second] = [{}, {}];
    const one = recordFor({}, { metadata: first });
    const other = recordFor({}, { metadata: second, ...refusing() });
    records.arrive(one);
    records.arrive(other);
    assert.equal(taken(records, {}, second), other);
    assert.equal(taken(records, {}, first), one);
  });

  test('promise 51: the record of another view is found by its metadata, and only by that', () => {
    const [ours, theirs] = [new Records(), new Records()];
    const metadata = {};
    const record = recordFor({}, { metadata, view: {} });
    theirs.arrive(record);
    assert.equal(taken(ours), undefined);
    assert.equal(taken(ours, {}, metadata), record);
    assert.equal(recordOf(metadata), record);
    assert.equal(recordOf(undefined), undefined);
    assert.equal(taken(theirs), record);
  });

  test('promise 51: the metadata of another view does not find a call of this view with the same id, name and input', () => {
    const [ours, theirs] = [new Records(), new Records()];
    const metadata = {};
    const mine = recordFor();
    const refused = recordFor({}, { metadata, ...refusing() });
    ours.arrive(mine);
    theirs.arrive(refused);
    assert.equal(taken(ours, {}, metadata), refused);
    assert.equal(taken(ours), mine);
  });

  test('a call is unasked from its arrival until the host asks for approval', () => {
    const records = new Records();
    const call = { id: 'c1', name: 'send' };
    records.markAsked(call);
    assert.equal(records.isUnasked(call), false);
    records.arrive(recordFor());
    assert.equal(records.isUnasked(call), true);
    for (const other of [{ id: 'c2' }, { name: 'drop' }]) {
      records.markAsked({ ...call, ...other });
      assert.equal(records.isUnasked({ ...call, ...other }), false);
    }
    assert.equal(records.isUnasked(call), true);
    records.markAsked(call);
    assert.equal(records.isUnasked(call), false);
    records.arrive(recordFor({ input: { text: 'b' } }));
    assert.equal(records.isUnasked(call), true);
  });

  test('promise 51: memory is bounded and drops the oldest; a dropped call is not unasked', () => {
    const records = new Records();
    const metadata = {};
    const first = recordFor({ id: 'first' }, { metadata });
    records.arrive(first);
    for (let index = 0; index < 1_000; index++) records.arrive(recordFor({ id: `c${index}` }));
    assert.equal(records.isUnasked(first), false);
    assert.equal(taken(records, { id: 'first' }), undefined);
    assert.ok(taken(records, { id: 'c999' }));
    // It is still found by its metadata, as long as the host holds the object.
    assert.equal(taken(records, { id: 'first' }, metadata), first);
  });

  test('promise 51: memory of calls with one id is bounded, too', () => {
    const records = new Records();
    for (let index = 0; index <= 100; index++) records.arrive(recordFor({ input: { index } }));
    assert.equal(taken(records, { input: { index: 0 } }), undefined);
    assert.ok(taken(records, { input: { index: 1 } }));
  });
});

describe('records of decided calls', () => {
  test('promise 51: are used once', () => {
    const records = new Records();
    const conversation = {};
    const record = recordFor();
    records.decide(conversation, record);
    assert.equal(records.peekDecided(conversation, record, TEXT), record);
    assert.equal(records.peekDecided(conversation, record, TEXT), record);
    assert.equal(records.takeDecided(conversation, record, TEXT), record);
    assert.equal(records.takeDecided(conversation, record, TEXT), undefined);
    assert.equal(records.peekDecided(conversation, record, TEXT), undefined);
  });

  test('are taken in the order in which they were decided, refusals included', () => {
    const records = new Records();
    const conversation = {};
    const decided = [recordFor(), recordFor({}, refusing()), recordFor()];
    for (const record of decided) records.decide(conversation, record);
    const found = [1, 2, 3, 4].map(() => records.takeDecided(conversation, recordFor(), TEXT));
    assert.deepEqual(found, [...decided, undefined]);
  });

  test('promise 51: belong to one conversation, identified by its object', () => {
    const records = new Records();
    const [one, other] = [[], []];
    const record = recordFor();
    records.decide(one, record);
    assert.equal(records.peekDecided(other, record, TEXT), undefined);
    assert.equal(records.takeDecided(other, record, TEXT), undefined);
    assert.ok(records.takeDecided(one, record, TEXT));
  });

  test('promise 51: one view does not find the decided calls of another', () => {
    const conversation = {};
    new Records().decide(conversation, recordFor());
    assert.equal(new Records().takeDecided(conversation, recordFor(), TEXT), undefined);
  });

  test('promise 51: calls with another id, name or input have another key', () => {
    fc.assert(
      fc.property(call, call, (one, other) => {
        const records = new Records();
        const conversation = {};
        records.decide(conversation, recordFor(one));
        const found = records.takeDecided(conversation, other, inputText(other.input));
        assert.equal(found !== undefined, isEqual(one, other));
      }),
      { examples },
    );
  });

  test('promise 51: memory of one call is bounded: the oldest are dropped', () => {
    const records = new Records();
    const conversation = {};
    const decided = Array.from({ length: 101 }, () => recordFor());
    for (const record of decided) records.decide(conversation, record);
    assert.equal(records.takeDecided(conversation, recordFor(), TEXT), decided[1]);
  });
});

describe('records of calls that are decided again', () => {
  // Results of the tests above are written first, because `revoke` would not end if it removed nothing.
  beforeEach(() => immediate());

  test('promise 51: `revoke` deletes all records of one call in one conversation, and no others', () => {
    const records = new Records();
    const [one, other] = [{}, {}];
    const [a, b] = [recordFor(), recordFor({ input: { text: 'b' } })];
    for (const conversation of [one, other])
      for (const record of [a, a, b]) records.decide(conversation, { ...record });
    records.revoke(one, a, TEXT);
    records.revoke({}, a, TEXT);
    const take = (conversation: object, record: CallRecord) =>
      records.takeDecided(conversation, record, record.expected);
    assert.equal(take(one, a), undefined);
    assert.ok(take(one, b));
    assert.ok(take(other, a));
    assert.ok(take(other, a));
  });

  test('promise 51: no record is taken twice, for any sequence of operations', () => {
    const step = fc.record({
      act: fc.constantFrom('decide', 'decide', 'take', 'peek', 'revoke'),
      conversation: fc.nat(2),
      id: fc.constantFrom('c1', 'c2'),
      input: fc.constantFrom('a', 'b'),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const records = new Records();
        const conversations = [{}, {}, {}] as const;
        const left = new Map<string, CallRecord[]>();
        for (const { act, conversation: index, id, input } of steps) {
          const conversation = conversations[index] ?? {};
          const place = `${index} ${id} ${input}`;
          const queue = left.get(place) ?? [];
          left.set(place, queue);
          const call = { id, name: 'send' };
          const text = inputText(input);
          if (act === 'revoke') {
            records.revoke(conversation, call, text);
            queue.length = 0;
          } else if (act === 'decide') {
            const record = recordFor({ id, input });
            records.decide(conversation, record);
            queue.push(record);
          } else if (act === 'peek')
            assert.equal(records.peekDecided(conversation, call, text), queue[0]);
          else assert.equal(records.takeDecided(conversation, call, text), queue.shift());
        }
      }),
    );
  });
});

describe('questions to users', () => {
  const send = { id: 'c1', name: 'send' };
  const of = (binding: string, digest = 'd') => ({ binding, digest });

  test('are found any number of times by id, name and input', () => {
    const records = new Records();
    records.ask(send, 'a', of('b1'));
    records.ask(send, 'b', of('b2'));
    assert.deepEqual(records.asked(send, 'a'), of('b1'));
    assert.deepEqual(records.asked(send, 'a'), of('b1'));
    assert.deepEqual(records.asked(send, 'b'), of('b2'));
    assert.equal(records.asked(send, 'c'), undefined);
    assert.equal(records.asked({ ...send, id: 'c2' }, 'a'), undefined);
    assert.equal(records.asked({ ...send, name: 'drop' }, 'a'), undefined);
    assert.equal(new Records().asked(send, 'a'), undefined);
  });

  test('promise 50: are found only by an equal id, name and input, for odd texts', () => {
    fc.assert(
      fc.property(call, call, (one, other) => {
        const records = new Records();
        records.ask(one, inputText(one.input), of('b'));
        const found = records.asked(other, inputText(other.input));
        assert.equal(found !== undefined, isEqual(one, other));
      }),
      { examples },
    );
  });

  test('promise 50: the latest question counts; a question without a binding deletes it', () => {
    const records = new Records();
    records.ask(send, 'a', of('b1'));
    records.ask(send, 'a', of('b2', 'e'));
    assert.deepEqual(records.asked(send, 'a'), of('b2', 'e'));
    records.ask(send, 'a', undefined);
    assert.equal(records.asked(send, 'a'), undefined);
  });

  test('are bounded: the oldest are dropped, and a repeated question is new', () => {
    const records = new Records();
    const ask = (id: string) => records.ask({ ...send, id }, 'a', of('b'));
    const asked = (id: string) => records.asked({ ...send, id }, 'a');
    ask('first');
    ask('again');
    for (let index = 0; index < 500; index++) ask(`${index}`);
    ask('again');
    for (let index = 500; index < 1_400; index++) ask(`${index}`);
    assert.equal(asked('first'), undefined);
    assert.ok(asked('again'));
    assert.ok(asked('1399'));
    const kept = Array.from({ length: 1_400 }, (_, index) => asked(`${index}`));
    assert.ok(kept.filter((question) => question !== undefined).length <= 1_000);
  });

  test('promise 50: dropping questions never invents a question or returns another one', () => {
    const asked = fc.record({ id: fc.nat(1_500), binding: fc.option(fc.nat(3)) });
    fc.assert(
      fc.property(fc.array(asked, { minLength: 900, maxLength: 2_500 }), (list) => {
        const records = new Records();
        const last = new Map<string, string | undefined>();
        for (const { id, binding } of list) {
          const text = binding === null ? undefined : `b${binding}`;
          records.ask({ ...send, id: `${id}` }, 'a', text === undefined ? text : of(text));
          last.set(`${id}`, text);
        }
        for (const [id, binding] of last) {
          const found = records.asked({ ...send, id }, 'a');
          assert.ok(found === undefined || found.binding === binding);
        }
      }),
      { numRuns: 20 },
    );
  });
});

describe('denied calls whose event was emitted', () => {
  test('are found once by id and name, and the oldest are dropped', () => {
    const records = new Records();
    const call = { id: 'c1', name: 'send' };
    records.report(call);
    for (const other of [{ id: 'c2' }, { name: 'drop' }])
      assert.equal(records.takeReported({ ...call, ...other }), false);
    assert.equal(records.takeReported(call), true);
    assert.equal(records.takeReported(call), false);
    records.report(call);
    for (let index = 0; index < 1_000; index++) records.report({ ...call, id: `other ${index}` });
    assert.equal(records.takeReported(call), false);
  });
});

function isEqual(one: Call, other: Call): boolean {
  return one.id === other.id && one.name === other.name && one.input === other.input;
}
