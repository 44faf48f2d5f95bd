import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApprovalAnswer, ApprovalOptions, ApprovalRequest } from '../events/user-requests.ts';
import { ApprovalPolicy, approvalScopes, withinScope } from './approvals.ts';

const NAME = 'mail__send';
const call = { id: 'c', name: NAME, arguments: {} };
const byHook: ApprovalRequest = { ...call, askedBy: 'hook' };
const byKey: ApprovalRequest = { ...byHook, askKey: 'k' };
const bySetting: ApprovalRequest = { ...call, askedBy: 'setting' };
const DENIED: ApprovalAnswer = { approved: false };

/** A policy over tools by their fingerprints. The user gives the answers in order, then denies. */
function policyOf(answers: readonly ApprovalAnswer[], options: ApprovalOptions = {}) {
  const left = [...answers];
  const definitions = new Map([
    [NAME, 'f'],
    ['mail__list', 'g'],
  ]);
  const asked: ApprovalRequest[] = [];
  const always: string[] = [];
  const ask = async (request: ApprovalRequest) => {
    asked.push(request);
    return left.shift() ?? DENIED;
  };
  const tools = {
    addressOf: (name: string) => ({ name, bare: name, groupId: 'mcp:mail' }),
    fingerprintOf: (name: string) => definitions.get(name),
    hintsOf: () => ({ readOnlyHint: true }),
  };
  const onAlways = (name: string) => always.push(name);
  const policy = new ApprovalPolicy({ ask, onAlways, ...options }, tools);
  return { policy, definitions, asked, always };
}

const YES = { approved: true } as const;
const SESSION = { approved: true, scope: 'session' } as const;
const ALWAYS = { approved: true, scope: 'always' } as const;

describe('a question of a hook', () => {
  const SETTINGS: Readonly<Record<string, ApprovalOptions>> = {
    'the mode never': { mode: 'never' },
    'a glob of `allow`': { mode: 'always', allow: ['mcp:mail/*', 'mail__*'] },
    'the annotation of a trusted tool': { mode: 'annotations' },
  };
  for (const [what, options] of Object.entries(SETTINGS))
    test(`promise 64: is not answered by ${what}`, async () => {
      const { policy, asked } = policyOf([], options);
      assert.deepEqual(await policy.settle(bySetting), { approved: true, source: 'grant' });
      assert.deepEqual(await policy.settle(byHook), { ...DENIED, source: 'user' });
      assert.deepEqual(asked, [byHook]);
      const { policy: silent } = policyOf([], { ...options, ask: undefined });
      const { approved, source } = await silent.settle(byHook);
      assert.deepEqual([approved, source], [false, 'policy']);
    });

  test('promise 64: is not answered by a grant of the tool, and its approval is no such grant', async () => {
    const { policy, asked } = policyOf([SESSION, DENIED, SESSION, DENIED], { mode: 'always' });
    await policy.settle(bySetting);
    assert.equal((await policy.settle(bySetting)).source, 'grant');
    assert.equal((await policy.settle(byKey)).approved, false);
    assert.equal((await policy.settle({ ...byKey, name: 'mail__list' })).approved, true);
    assert.equal((await policy.settle({ ...bySetting, name: 'mail__list' })).approved, false);
    assert.equal(asked.length, 4);
    const { policy: other } = policyOf([], { mode: 'always' });
    other.grant(NAME, 'f');
    assert.equal((await other.settle(byHook)).approved, false);
    other.grant('mail__list', 'g', 'k');
    assert.equal((await other.settle({ ...bySetting, name: 'mail__list' })).approved, false);
  });

  test('promise 64: an approval without a key holds once, whatever its scope says', async () => {
    for (const answer of [YES, SESSION, ALWAYS]) {
      const { policy, asked, always } = policyOf([answer]);
      const { approved, scope = 'once' } = await policy.settle(byHook);
      assert.deepEqual([approved, scope], [true, 'once']);
      assert.equal((await policy.settle(byHook)).approved, false);
      assert.equal((await policy.settle(byKey)).approved, false);
      assert.deepEqual([asked.length, always], [3, []]);
    }
  });

  test('promise 64: an approval for the session holds for the same key and the same tool', async () => {
    for (const answer of [SESSION, ALWAYS]) {
      const { policy, asked, always, definitions } = policyOf([answer]);
      assert.deepEqual(await policy.settle(byKey), { ...SESSION, source: 'user' });
      assert.deepEqual(await policy.settle(byKey), { ...YES, source: 'grant' });
      const others: readonly ApprovalRequest[] = [
        { ...byKey, askKey: 'other' },
        { ...byKey, name: 'mail__list' },
        { ...byKey, reason: 'the tool has changed' },
        byHook,
      ];
      for (const other of others) assert.equal((await policy.settle(other)).approved, false);
      definitions.set(NAME, 'changed');
      assert.equal((await policy.settle(byKey)).approved, false);
      assert.deepEqual([asked.length, always], [6, []]);
    }
  });

  test('promise 64: tools with the same key have approvals of their own', async () => {
    const { policy, asked } = policyOf([SESSION, SESSION]);
    const other = { ...byKey, name: 'mail__list' };
    for (const question of [byKey, other, byKey, other])
      assert.equal((await policy.settle(question)).approved, true);
    assert.deepEqual(asked, [byKey, other]);
  });

  test('promise 64: an approval for the session needs a definition that stays the same', async () => {
    const unknown = policyOf([SESSION]);
    unknown.definitions.clear();
    assert.equal((await unknown.policy.settle(byKey)).scope, 'once');
    assert.equal((await unknown.policy.settle(byKey)).approved, false);
    assert.deepEqual(unknown.asked, [byHook, byHook]);
    const changing: ReturnType<typeof policyOf> = policyOf([], {
      ask: async () => {
        changing.definitions.set(NAME, 'changed');
        return SESSION;
      },
    });
    assert.equal((await changing.policy.settle(byKey)).scope, 'once');
    assert.equal((await changing.policy.settle(byKey)).source, 'user');
  });
});

test('promise 64: the scopes of a question are those that hold', () => {
  assert.deepEqual(approvalScopes(bySetting), ['once', 'session', 'always']);
  assert.deepEqual(approvalScopes(byKey), ['once', 'session']);
  assert.deepEqual(approvalScopes(byHook), ['once']);
  assert.deepEqual(approvalScopes({}), ['once']);
  for (const answer of [YES, SESSION, ALWAYS, DENIED])
    assert.equal(withinScope(bySetting, answer), answer);
  assert.deepEqual(withinScope(byHook, { ...ALWAYS, reason: 'ok' }), {
    approved: true,
    scope: 'once',
    reason: 'ok',
  });
});

describe('further tools of an answer', () => {
  const OTHER = { ...bySetting, name: 'mail__list' };
  const WITH: ApprovalAnswer = { approved: true, tools: { mail__list: 'g', mail__new: 'n' } };

  test('need no question while their definitions stay the same', async () => {
    const { policy, asked, definitions } = policyOf([WITH], { mode: 'always' });
    await policy.settle(bySetting);
    assert.equal((await policy.settle(OTHER)).source, 'grant');
    // The tool of the question was allowed once.
    assert.equal((await policy.settle(bySetting)).approved, false);
    definitions.set('mail__list', 'changed');
    assert.equal((await policy.settle(OTHER)).approved, false);
    definitions.set('mail__new', 'another');
    assert.equal((await policy.settle({ ...bySetting, name: 'mail__new' })).approved, false);
    definitions.delete('mail__list');
    assert.equal((await policy.settle(OTHER)).approved, false);
    assert.equal(asked.length, 5);
  });

  test('promise 64: a question of a hook allows none, and none answers a hook', async () => {
    for (const question of [byHook, byKey]) {
      const { policy } = policyOf([{ ...WITH, scope: 'session' }], { mode: 'always' });
      assert.equal((await policy.settle(question)).tools, undefined);
      assert.equal((await policy.settle(OTHER)).approved, false);
    }
    const { policy } = policyOf([WITH], { mode: 'always' });
    await policy.settle(bySetting);
    assert.equal((await policy.settle({ ...byHook, name: 'mail__list' })).approved, false);
  });

  test('that are denied or malformed are none', async () => {
    const wrong: readonly unknown[] = [
      { ...WITH, approved: false },
      ...[null, 'mail__list', ['mail__list'], { mail__list: true }, { mail__list: undefined }].map(
        (tools) => ({ approved: true, tools }),
      ),
    ];
    for (const answer of wrong) {
      const { policy } = policyOf([answer as ApprovalAnswer], { mode: 'always' });
      await policy.settle(bySetting);
      assert.equal((await policy.settle(OTHER)).approved, false, JSON.stringify(answer));
    }
  });
});

test('a definition that changes while the user is asked is approved once', async () => {
  const always: string[] = [];
  let version = 0;
  for (const scope of ['session', 'always'] as const) {
    const changing: ReturnType<typeof policyOf> = policyOf([], {
      mode: 'always',
      onAlways: (name) => always.push(name),
      ask: async () => {
        version += 1;
        changing.definitions.set(NAME, `v${version}`);
        return { approved: true, scope };
      },
    });
    assert.equal((await changing.policy.settle(bySetting)).scope, 'once');
    assert.equal((await changing.policy.settle(bySetting)).source, 'user');
  }
  assert.deepEqual(always, []);
});
