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

function queryOf({ id, name, expected }: Arrival, metadata?: object) {
  return { id, name, text: expected, metadata };
}

describe('arrivals', () => {
  test('promise 51: an arrival is found once by id, name and input', () => {
    const arrivals = new Arrivals();
    const arrival = arrivalOf();
    arrivals.keep(arrival);
    assert.equal(arrivals.take(queryOf(arrival)), arrival);
    assert.equal(arrivals.take(queryOf(arrival)), undefined);
  });

  test('promise 51: another id, name or input finds no arrival', () => {
    const arrivals = new Arrivals();
    arrivals.keep(arrivalOf());
    for (const other of [{ id: 'c2' }, { name: 'drop' }, { input: { text: 'b' } }])
      assert.equal(arrivals.take(queryOf(arrivalOf(other))), undefined);
  });

  test('the identity of metadata has precedence over id, name and input', () => {
    const arrivals = new Arrivals();
    const metadata = {};
    const one = arrivalOf({}, metadata);
    const other = arrivalOf({ refusal: denied('send', 'No.') });
    arrivals.keep(one);
    arrivals.keep(other);
    // The app repaired the call: another input, the same metadata.
    const repaired = { ...queryOf(one, metadata), text: inputText({ text: 'b' }) };
    assert.equal(arrivals.take(repaired), one);
    assert.equal(arrivals.take(queryOf(other)), other);
    assert.equal(arrivals.take(queryOf(one)), undefined);
  });

  test('a copy of metadata does not identify an arrival: id, name and input do', () => {
    const arrivals = new Arrivals();
    const metadata = { toolfold: { n: 'send' } };
    const arrival = arrivalOf({}, metadata);
    arrivals.keep(arrival);
    const forged = { ...queryOf(arrival, { ...metadata }), text: inputText({ text: 'b' }) };
    assert.equal(arrivals.take(forged), undefined);
    assert.equal(arrivals.inOtherView({ ...metadata }), undefined);
  });

  test('promise 51: different decisions under one id, name and input are not found', () => {
    const asks = arrivalOf({ ask: true });
    const refuses = arrivalOf({ refusal: denied('send', 'No.') });
    const notFinal = arrivalOf({ refusal: denied('send', 'No.'), isFinal: false });
    const pairs = [arrivalOf(), asks, refuses, notFinal];
    for (const one of pairs) {
      for (const other of pairs.filter((candidate) => candidate !== one)) {
        const arrivals = new Arrivals();
        arrivals.keep(one);
        arrivals.keep(other);
        assert.equal(arrivals.take(queryOf(one)), undefined);
        assert.equal(arrivals.take(queryOf(one)), undefined);
      }
    }
    const alike = new Arrivals();
    alike.keep(asks);
    alike.keep(arrivalOf({ ask: true }));
    assert.equal(alike.take(queryOf(asks)), asks);
    assert.ok(alike.take(queryOf(asks)));
    assert.equal(alike.take(queryOf(asks)), undefined);
  });

  test('promise 51: decisions about different tools under one id, name and input are not found', () => {
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
    assert.equal(arrivals.take(queryOf(one)), undefined);
  });

  test('metadata distinguishes different decisions', () => {
    const arrivals = new Arrivals();
    const [first, second] = [{}, {}];
    const one = arrivalOf({}, first);
    const other = arrivalOf({ refusal: denied('send', 'No.') }, second);
    arrivals.keep(one);
    arrivals.keep(other);
    assert.equal(arrivals.take(queryOf(other, second)), other);
    assert.equal(arrivals.take(queryOf(one, first)), one);
  });

  test('promise 51: only `inOtherView` finds the decision of another view', () => {
    const [ours, theirs] = [new Arrivals(), new Arrivals()];
    const metadata = {};
    const arrival = arrivalOf({}, metadata);
    theirs.keep(arrival);
    assert.equal(ours.take(queryOf(arrival)), undefined);
    assert.equal(ours.take(queryOf(arrival, metadata)), undefined);
    assert.equal(ours.inOtherView(metadata), arrival);
    assert.equal(theirs.inOtherView(metadata), undefined);
    assert.equal(ours.inOtherView(undefined), undefined);
    assert.equal(theirs.take(queryOf(arrival, metadata)), arrival);
  });

  test('promise 51: the metadata of another view finds no arrival with the same id, name and input', () => {
    const [ours, theirs] = [new Arrivals(), new Arrivals()];
    const metadata = {};
    ours.keep(arrivalOf());
    theirs.keep(arrivalOf({ refusal: denied('send', 'No.') }, metadata));
    assert.equal(ours.take(queryOf(arrivalOf(), metadata)), undefined);
  });

  test('a call has skipped approval from its arrival until the host asks for approval', () => {
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

  test('promise 51: memory is bounded and drops the oldest; a dropped call has not skipped approval', () => {
    const arrivals = new Arrivals();
    const metadata = {};
    const first = arrivalOf({ id: 'first' }, metadata);
    arrivals.keep(first);
    for (let index = 0; index < 1_000; index++) arrivals.keep(arrivalOf({ id: `c${index}` }));
    assert.equal(arrivals.skippedApproval(first), false);
    assert.equal(arrivals.take(queryOf(first)), undefined);
    const last = arrivalOf({ id: 'c999' });
    assert.deepEqual(arrivals.take(queryOf(last)), last);
    // It is still found by its metadata, as long as the host holds the object.
    assert.equal(arrivals.take(queryOf(first, metadata)), first);
  });
});
