import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApprovalAnswer, ApprovalRequest } from '../events/index.ts';
import { ApprovalPolicy } from './approvals.ts';

const tools = {
  addressOf: (name: string) => ({ name, bare: name, groupId: undefined }),
  fingerprintOf: () => 'one',
  hintsOf: () => undefined,
};

function asking(ask: (request: ApprovalRequest) => unknown) {
  const given = { to: 'ada', parts: [{ text: 'secret' }] };
  const policy = new ApprovalPolicy(
    { ask: async (request) => ask(request) as ApprovalAnswer },
    tools,
  );
  const request = { id: 'a', name: 'mail', arguments: given, askedBy: 'setting' } as const;
  return { given, settled: () => policy.settle(request) };
}

describe('what `approvals.ask` is given and what it returns', () => {
  test('masking the arguments for display changes nothing of the call', async () => {
    const { given, settled } = asking((request) => {
      const shown = request.arguments as typeof given;
      shown.to = '***';
      for (const part of shown.parts) part.text = '***';
      return { approved: true };
    });
    assert.equal((await settled()).approved, true);
    assert.deepEqual(given, { to: 'ada', parts: [{ text: 'secret' }] });
  });

  for (const [name, answer] of [
    ['no answer', undefined],
    ['no decision', { scope: 'once' }],
    ['an unknown scope', { approved: true, scope: 'forever' }],
    ['a scope that is no text', { approved: true, scope: 5 }],
    ['a reason that is no text', { approved: true, reason: 5 }],
  ] as const)
    test(`${name} is an error, and approves nothing`, async () => {
      await assert.rejects(asking(() => answer).settled(), { code: 'invalid-option' });
    });
});
