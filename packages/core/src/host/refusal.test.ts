import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ToolfoldError } from '../errors.ts';
import {
  approvalNeeded,
  callAgain,
  cannotRun,
  codeOf,
  denied,
  errorOf,
  NOT_ASKED,
  namesTwoTools,
  notActive,
  type Refusal,
  textOf,
  whatRuns,
} from './refusal.ts';

const LONG = 'a'.repeat(10_000);
const loader = (cause: unknown): Refusal => ({
  kind: 'answer',
  isError: true,
  target: 'mail__send',
  result: { error: 'load_failed', group_id: 'mcp:mail', message: 'It did not load.' },
  cause,
});

describe('answers', () => {
  test('as an error, has a message for people, a string for the model, and the original cause', () => {
    const cause = new Error('refused to connect');
    const refusal = loader(cause);
    const error = errorOf(refusal);
    assert.ok(error instanceof ToolfoldError);
    assert.equal(error.code, 'loader-failed');
    assert.equal(error.cause, cause);
    assert.match(error.message, /^mail__send: It did not load\./);
    assert.match(error.hint, /group "mcp:mail" failed: refused to connect/);
    assert.equal(String(error), textOf(refusal));
    assert.deepEqual(JSON.parse(String(error)), refusal.result);
    assert.doesNotMatch(String(error), /refused to connect/);
    assert.deepEqual(Object.keys(error).sort(), ['code', 'hint', 'name']);
  });

  test('each has an error code and a hint', () => {
    const codes = [
      [denied('send', 'No'), 'call-denied'],
      [approvalNeeded('send', NOT_ASKED), 'approval-needed'],
      [notActive('send'), 'tool-not-active'],
      [callAgain('send'), 'unknown-tool'],
      [namesTwoTools('send'), 'invalid-call'],
      [cannotRun('send'), 'invalid-call'],
      [loader(undefined), 'loader-failed'],
      [answer({ error: 'unknown_tool' }), 'unknown-tool'],
      [answer({ error: 'tool_removed' }), 'unknown-tool'],
      [answer({ error: 'tool_missing' }), 'unknown-tool'],
      [answer({ error: 'ambiguous_tool' }), 'unknown-tool'],
      [answer({}), 'invalid-call'],
    ] as const;
    for (const [refusal, code] of codes) {
      const error = errorOf(refusal);
      assert.equal(codeOf(refusal), code, textOf(refusal));
      assert.equal(error.code, code);
      assert.match(error.hint, /\.$|: undefined$/);
      assert.equal(String(error), JSON.stringify(refusal.result));
      assert.equal(error.cause, undefined);
    }
  });

  test('a name from Object.prototype has no special code', () => {
    for (const error of ['constructor', 'toString', '__proto__'])
      assert.equal(codeOf(answer({ error })), 'invalid-call');
  });

  test('a repeated failure keeps the code of the first failure', () => {
    assert.equal(codeOf(answer({ error: 'repeated_call', cause: 'denied' })), 'call-denied');
    assert.equal(codeOf(answer({ error: 'repeated_call' })), 'invalid-call');
  });

  test('each is bounded, and a reason ends as a sentence', () => {
    const all = [denied, approvalNeeded].map((make) => make(LONG, 'No'));
    for (const make of [notActive, callAgain, cannotRun, namesTwoTools]) all.push(make(LONG));
    for (const refusal of all) assert.ok(textOf(refusal).length < 700, textOf(refusal));
    const reason = String(denied('send', LONG).result.message);
    assert.ok(reason.length < 500);
    assert.equal(denied('send', 'No').result.message, 'No. The tool was not run.');
    assert.equal(denied('send', 'No!').result.message, 'No! The tool was not run.');
  });

  test('the result begins with the error and the tool', () => {
    for (const refusal of [denied('send', 'No'), notActive('send'), cannotRun('send')])
      assert.deepEqual(Object.keys(refusal.result).slice(0, 2), ['error', 'tool']);
  });
});

function answer(result: Refusal['result']): Refusal {
  return { kind: 'answer', isError: true, target: 'send', result };
}

test('a question names all of what the tool gets, and nothing of it is invisible', () => {
  class Address {
    readonly to: string = `ada\u200b@${'x'.repeat(5_000)}.example`;
  }
  const text = whatRuns(new Address());
  assert.ok(text.includes(`ada\\u{200b}@${'x'.repeat(5_000)}.example`));
});
