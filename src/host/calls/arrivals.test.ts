import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createToolLayer } from '../../tools/layer.ts';
import type { Tool } from '../../tools/tool/tool.ts';
import { denied, type Refusal } from './answer.ts';
import { type Arrival, Arrivals } from './arrivals.ts';
import { inputText } from './input-text.ts';
import { plainSubject } from './subject.ts';

const turn = createToolLayer({}).session().turn([]);

interface Given {
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly ask?: boolean;
  readonly refusal?: Refusal;
  readonly isFinal?: boolean;
}

function arrivalOf(given: Given = {}, metadata: object = {}): Arrival {
  const { id = 'c1', name = 'send', input = { text: 'a' }, ask = false, refusal } = given;
  const subject = plainSubject(id, name, input);
  const decision = refusal
    ? ({ kind: 'refused', refusal, isFinal: given.isFinal ?? true } as const)
    : ({ kind: 'allowed', subject, ask } as const);
  return { id, name, wireName: name, turn, expected: inputText(input), metadata, decision };
}

function soughtOf({ id, name, expected }: Arrival, metadata?: object) {
  return { id, name, text: expected, metadata };
}

describe('arrivals', () => {
  test('promise 51: known by what it says, one is found once', () => {
    const arrivals = new Arrivals();
    const arrival = arrivalOf();
    arrivals.keep(arrival);
    assert.equal(arrivals.take(soughtOf(arrival)), arrival);
    assert.equal(arrivals.take(soughtOf(arrival)), undefined);
  });

  test('promise 51: another id, name or input finds nothing', () => {
    const arrivals = new Arrivals();
    arrivals.keep(arrivalOf());
    for (const other of [{ id: 'c2' }, { name: 'drop' }, { input: { text: 'b' } }])
      assert.equal(arrivals.take(soughtOf(arrivalOf(other))), undefined);
  });

  test('the identity of metadata wins over what a call says', () => {
    const arrivals = new Arrivals();
    const metadata = {};
    const one = arrivalOf({}, metadata);
    const other = arrivalOf({ refusal: denied('send', 'No.') });
    arrivals.keep(one);
    arrivals.keep(other);
    // Repaired on its way: another input, the same call.
    const repaired = { ...soughtOf(one, metadata), text: inputText({ text: 'b' }) };
    assert.equal(arrivals.take(repaired), one);
    assert.equal(arrivals.take(soughtOf(other)), other);
    assert.equal(arrivals.take(soughtOf(one)), undefined);
  });

  test('a copy of metadata is no metadata: what comes from messages is found by what it says', () => {
    const arrivals = new Arrivals();
    const metadata = { toolfold: { n: 'send' } };
    const arrival = arrivalOf({}, metadata);
    arrivals.keep(arrival);
    const forged = { ...soughtOf(arrival, { ...metadata }), text: inputText({ text: 'b' }) };
    assert.equal(arrivals.take(forged), undefined);
    assert.equal(arrivals.inOtherView({ ...metadata }), undefined);
  });

  test('promise 51: different decisions under one id, name and input are not known', () => {
    const asks = arrivalOf({ ask: true });
    const refuses = arrivalOf({ refusal: denied('send', 'No.') });
    const told = arrivalOf({ refusal: denied('send', 'No.'), isFinal: false });
    const pairs = [arrivalOf(), asks, refuses, told];
    for (const one of pairs) {
      for (const other of pairs.filter((candidate) => candidate !== one)) {
        const arrivals = new Arrivals();
        arrivals.keep(one);
        arrivals.keep(other);
        assert.equal(arrivals.take(soughtOf(one)), undefined);
        assert.equal(arrivals.take(soughtOf(one)), undefined);
      }
    }
    const alike = new Arrivals();
    alike.keep(asks);
    alike.keep(arrivalOf({ ask: true }));
    assert.equal(alike.take(soughtOf(asks)), asks);
    assert.ok(alike.take(soughtOf(asks)));
    assert.equal(alike.take(soughtOf(asks)), undefined);
  });

  test('promise 51: decisions about different tools under one id, name and input are not known', () => {
    const arrivals = new Arrivals();
    const of = (description: string): Arrival => {
      const tool: Tool = { name: 'send', description, inputSchema: {} };
      const resolved = { name: 'send', bare: 'send', groupId: undefined, tool };
      const subject = { ...plainSubject('c1', 'send', { text: 'a' }), tool: resolved };
      return { ...arrivalOf(), decision: { kind: 'allowed', subject, ask: false } };
    };
    const one = of('one');
    arrivals.keep(one);
    arrivals.keep(of('other'));
    assert.equal(arrivals.take(soughtOf(one)), undefined);
  });

  test('different decisions are told apart where the metadata is passed on', () => {
    const arrivals = new Arrivals();
    const [first, second] = [{}, {}];
    const one = arrivalOf({}, first);
    const other = arrivalOf({ refusal: denied('send', 'No.') }, second);
    arrivals.keep(one);
    arrivals.keep(other);
    assert.equal(arrivals.take(soughtOf(other, second)), other);
    assert.equal(arrivals.take(soughtOf(one, first)), one);
  });

  test('promise 51: what another view decided is seen by `elsewhere` only', () => {
    const [ours, theirs] = [new Arrivals(), new Arrivals()];
    const metadata = {};
    const arrival = arrivalOf({}, metadata);
    theirs.keep(arrival);
    assert.equal(ours.take(soughtOf(arrival)), undefined);
    assert.equal(ours.take(soughtOf(arrival, metadata)), undefined);
    assert.equal(ours.inOtherView(metadata), arrival);
    assert.equal(theirs.inOtherView(metadata), undefined);
    assert.equal(ours.inOtherView(undefined), undefined);
    assert.equal(theirs.take(soughtOf(arrival, metadata)), arrival);
  });

  test('promise 51: with the metadata of another view, an arrival of the same words is not taken', () => {
    const [ours, theirs] = [new Arrivals(), new Arrivals()];
    const metadata = {};
    ours.keep(arrivalOf());
    theirs.keep(arrivalOf({ refusal: denied('send', 'No.') }, metadata));
    assert.equal(ours.take(soughtOf(arrivalOf(), metadata)), undefined);
  });

  test('a call has passed by once it has come from the model, until the host asks about it', () => {
    const arrivals = new Arrivals();
    const call = { id: 'c1', name: 'send' };
    arrivals.noteApprovalAsked(call);
    assert.equal(arrivals.skippedApproval(call), false);
    arrivals.noteCall(call);
    assert.equal(arrivals.skippedApproval(call), true);
    for (const other of [{ id: 'c2' }, { name: 'drop' }])
      assert.equal(arrivals.skippedApproval({ ...call, ...other }), false);
    arrivals.noteApprovalAsked(call);
    assert.equal(arrivals.skippedApproval(call), false);
    arrivals.keep(arrivalOf());
    assert.equal(arrivals.skippedApproval(call), true);
  });

  test('promise 51: memory is bounded, and forgets the oldest; what is forgotten has not passed by', () => {
    const arrivals = new Arrivals();
    const metadata = {};
    const first = arrivalOf({ id: 'first' }, metadata);
    arrivals.keep(first);
    for (let index = 0; index < 1_000; index++) arrivals.keep(arrivalOf({ id: `c${index}` }));
    assert.equal(arrivals.skippedApproval(first), false);
    assert.equal(arrivals.take(soughtOf(first)), undefined);
    const last = arrivalOf({ id: 'c999' });
    assert.deepEqual(arrivals.take(soughtOf(last)), last);
    // By its metadata, which the host holds, it is found as long as that is there.
    assert.equal(arrivals.take(soughtOf(first, metadata)), first);
  });
});
