import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RequestEvent } from '@toolfold/ai-sdk';
import { RequestLog } from './request-log.ts';

const tokens = {
  inline: 1,
  bridges: 0,
  loaded: 0,
  later: 0,
  system: 0,
  catalog: 0,
  messages: 0,
  total: 1,
  eager: 1,
};
const sender = { model: 'test/one', role: undefined };

/** A request whose segments are named by their kind and content, such as `t1 m1`. */
function sent(words: string, more: Partial<RequestEvent> = {}): RequestEvent {
  const segments = words.split(' ').map((hash) => {
    const kind = hash.startsWith('t') ? ('tools' as const) : ('message' as const);
    return { kind, label: 'history' as const, tokens: 1, hash };
  });
  return { strategy: 'dispatch', tokens, cache: { marks: [] }, segments, ...more };
}

const epoch = (fingerprint: string, reason = 'asked for') => ({
  strategy: 'dispatch',
  reason,
  fingerprint,
});

/** A log with the last request that it was given. */
class Requests extends RequestLog {
  last: Pick<RequestEvent, 'strategy' | 'segments'> | undefined;

  send(request: RequestEvent, by: typeof sender = sender) {
    const events = this.take(1, request, by, this.last);
    this.last = request;
    return events;
  }
}

function causeOf(log: Requests, request: RequestEvent, by: typeof sender | object = sender) {
  const events = log.send(request, by as typeof sender);
  const [broken] = events.flatMap((event) => (event.type === 'prefix-broken' ? [event] : []));
  return broken?.cause;
}

describe('the log of requests', () => {
  test('tells why a prefix broke', () => {
    const log = new Requests();
    assert.equal(causeOf(log, sent('t1 m1', { epoch: epoch('a') })), undefined);
    assert.equal(causeOf(log, sent('t1 m1 m2')), undefined);
    assert.equal(causeOf(log, sent('t2 m1 m2')), 'the tools changed');
    assert.equal(causeOf(log, sent('t2 m3')), 'earlier messages changed');
    const other = { ...sender, model: 'test/two' };
    assert.equal(causeOf(log, sent('t3 m3'), other), 'the model changed from test/one to test/two');
    const role = { ...other, role: 'reader' };
    assert.equal(causeOf(log, sent('t4 m3'), role), 'the role changed from none to reader');
    assert.equal(
      causeOf(log, sent('t5 m3', { strategy: 'eager' }), role),
      'the strategy changed from dispatch to eager',
    );
    const next = { strategy: 'eager', epoch: epoch('b', 'the tools changed') };
    assert.equal(causeOf(log, sent('t6 m3', next), role), 'a new epoch began: the tools changed');
  });

  test('tells what the agent expects, once, and as the reason of the epoch', () => {
    const log = new Requests();
    log.send(sent('t1 m1 m2', { epoch: epoch('a') }));
    log.expect('the conversation was compacted');
    const events = log.send(sent('t2 m9', { epoch: epoch('b') }));
    assert.deepEqual(
      events.flatMap((event) =>
        event.type === 'epoch' ? event.reason : event.type === 'prefix-broken' ? event.cause : [],
      ),
      ['the conversation was compacted', 'the conversation was compacted'],
    );
    assert.equal(causeOf(log, sent('t3 m9')), 'the tools changed');
  });

  test('tells an epoch once, although a request is sent again', () => {
    const log = new Requests();
    const types = () => log.send(sent('t1 m1', { epoch: epoch('a') })).map(({ type }) => type);
    assert.deepEqual(types(), ['epoch', 'request']);
    assert.deepEqual(types(), ['request']);
  });

  test('goes on with the last request of an earlier process', () => {
    const log = new Requests();
    log.last = sent('t1 m1');
    assert.equal(causeOf(log, sent('t1 m2')), 'earlier messages changed');
  });

  test('tells when tools are sent from now on, and when they are not', () => {
    const log = new Requests();
    const plain = { strategy: 'none' };
    assert.equal(causeOf(log, sent('m1', plain)), undefined);
    assert.equal(causeOf(log, sent('m1 m2', plain)), undefined);
    assert.equal(causeOf(log, sent('t1 m1', { epoch: epoch('a') })), 'tools are sent now');
    assert.equal(causeOf(log, sent('t1 m1 m2')), undefined);
    assert.equal(causeOf(log, sent('m1 m2', plain)), 'no tools are sent now');
    const other = { ...sender, model: 'test/two' };
    assert.match(causeOf(log, sent('t1 m1'), other) ?? '', /^the model changed/);
  });
});
