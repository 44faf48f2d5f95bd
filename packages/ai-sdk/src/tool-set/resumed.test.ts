import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { callDigest, KEY } from '@toolfold/core/internal/host/stamp.ts';
import type { ModelMessage } from 'ai';
import { approvalIn } from './app-approval.ts';

type Part = Record<string, unknown>;

const STAMP = { n: 'call', r: '{}', o: 0, d: 'd0', c: callDigest('send', { text: 'a' }) };

interface Talk {
  readonly call?: Part;
  readonly request?: Part | undefined;
  readonly response?: Part | undefined;
  /** The messages between question and answer, and after the answer. */
  readonly between?: readonly ModelMessage[];
  readonly after?: readonly ModelMessage[];
  readonly others?: readonly Part[];
}

/** Messages that end with the user's approval of one call, or with a variant of it. */
function messagesOf({
  call,
  between = [],
  after = [],
  others = [],
  ...rest
}: Talk): ModelMessage[] {
  const request = { type: 'tool-approval-request', approvalId: 'q1', toolCallId: 'c1' };
  const response = { type: 'tool-approval-response', approvalId: 'q1', approved: true };
  const part = {
    type: 'tool-call',
    toolCallId: 'c1',
    toolName: 'send',
    input: { text: 'a' },
    providerOptions: { [KEY]: STAMP },
    ...call,
  };
  const asked = 'request' in rest ? [rest.request].filter(Boolean) : [request];
  const answered = 'response' in rest ? [rest.response].filter(Boolean) : [response];
  return [
    { role: 'user', content: 'Go.' },
    { role: 'assistant', content: [part, ...asked] },
    ...between,
    { role: 'tool', content: [...answered, ...others] },
    ...after,
  ] as ModelMessage[];
}

/** The approval that is found for the latest call with this id; by default for its own input object. */
function found(talk: Talk = {}, id = 'c1', name = 'send', ...given: readonly unknown[]) {
  const messages = messagesOf(talk);
  const parts = messages.flatMap(({ content }): readonly Part[] =>
    typeof content === 'string' ? [] : (content as never),
  );
  const call = parts.findLast((part) => part.type === 'tool-call');
  return approvalIn(messages, id, name, given.length > 0 ? given[0] : call?.input);
}

describe('the approval of a user in the messages', () => {
  test('promise 50: is found with the binding and the digest of the question', () => {
    assert.deepEqual(found(), { binding: 'd0', digests: { c: STAMP.c }, wireName: 'call' });
    assert.deepEqual(found({ call: { providerOptions: undefined } }), {
      binding: undefined,
      digests: {},
      wireName: undefined,
    });
  });

  test('promise 50: is for the input object of the message, and for no equal one', () => {
    const input = { text: 'a' };
    assert.ok(found({ call: { input } }, 'c1', 'send', input));
    assert.equal(found({ call: { input } }, 'c1', 'send', { text: 'a' }), undefined);
    assert.ok(found({ call: { input: 'a' } }, 'c1', 'send', 'a'));
    assert.equal(found({ call: { input: 'a' } }, 'c1', 'send', 'b'), undefined);
  });

  test('promise 52: a call that the provider runs has none', () => {
    assert.equal(found({ call: { providerExecuted: true } }), undefined);
  });

  test('promise 52: of several answers to one call the first counts, as in the SDK', () => {
    const response = { type: 'tool-approval-response', approvalId: 'q1', approved: true };
    const no = { ...response, approved: false };
    assert.equal(found({ response: no, others: [response] }), undefined);
    assert.ok(found({ response, others: [no] }));
  });

  test('promise 51: is executed once: it does not count if a later message has a result', () => {
    const output = { type: 'text', value: 'sent' };
    const result = { type: 'tool-result', toolCallId: 'c1', toolName: 'send', output };
    const done = { role: 'tool', content: [result] } as unknown as ModelMessage;
    assert.equal(found({ between: [done] }), undefined);
  });

  test('promise 50: holds for the id, name and input of the call in the messages', () => {
    assert.equal(found({}, 'c2'), undefined);
    assert.equal(found({}, 'c1', 'drop'), undefined);
    assert.equal(found({}, 'c1', 'send', { text: 'b' }), undefined);
    assert.equal(found({}, 'c1', 'send', { text: 'a', to: 'all' }), undefined);
    assert.equal(found({ call: { toolName: 'drop' } }), undefined);
  });

  test('promise 52: a denial, no answer, and an approval of another question do not count', () => {
    const response = { type: 'tool-approval-response', approvalId: 'q1', approved: true };
    assert.equal(found({ response: { ...response, approved: false } }), undefined);
    assert.equal(found({ response: { ...response, approved: undefined } }), undefined);
    assert.equal(found({ response: { ...response, approvalId: 'q2' } }), undefined);
    assert.equal(found({ response: undefined }), undefined);
  });

  test('promise 52: an approval without a question to the user does not count', () => {
    const request = { type: 'tool-approval-request', approvalId: 'q1', toolCallId: 'c1' };
    assert.equal(found({ request: undefined }), undefined);
    assert.equal(found({ request: { ...request, toolCallId: 'c2' } }), undefined);
    assert.equal(found({ request: { ...request, isAutomatic: true } }), undefined);
    const response = { type: 'tool-approval-response', approvalId: 'q1', approved: true };
    const yes = { role: 'user', content: [response] } as unknown as ModelMessage;
    assert.equal(found({ response: undefined, after: [yes] }), undefined);
    const unasked = { role: 'user', content: [request] } as unknown as ModelMessage;
    assert.equal(found({ request: undefined, between: [unasked] }), undefined);
  });

  test('promise 51: is executed once: it does not count if the call has a result', () => {
    const output = { type: 'text', value: 'sent' };
    const result = { type: 'tool-result', toolCallId: 'c1', toolName: 'send', output };
    assert.equal(found({ others: [result] }), undefined);
    assert.ok(found({ others: [{ ...result, toolCallId: 'c2' }] }));
  });

  test('promise 51: is executed only with the messages that end with it', () => {
    assert.equal(found({ after: [{ role: 'user', content: 'And now?' }] }), undefined);
    assert.equal(found({ after: [{ role: 'assistant', content: 'Done.' }] }), undefined);
    const tool = { role: 'tool', content: [] } as ModelMessage;
    assert.equal(found({ after: [tool] }), undefined);
    assert.equal(approvalIn([], 'c1', 'send', {}), undefined);
  });

  test('promise 50: of two calls with one id the latest counts', () => {
    const later = {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'send', input: { text: 'b' } }],
    } as ModelMessage;
    // The user was asked about the earlier one.
    assert.equal(found({ between: [later] }), undefined);
    const request = { type: 'tool-approval-request', approvalId: 'q1', toolCallId: 'c1' };
    const asked = { ...later, content: [...later.content, request] } as ModelMessage;
    assert.ok(found({ between: [asked] }));
    const earlier = { text: 'a' };
    assert.equal(
      found({ call: { input: earlier }, between: [later] }, 'c1', 'send', earlier),
      undefined,
    );
  });
});
