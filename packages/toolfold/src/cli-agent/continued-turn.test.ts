import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PendingApproval } from '@toolfold/agent/internal/events/events.ts';
import type { Agent } from '@toolfold/agent/internal/options/options.ts';
import { continuedTurn } from './run-prompt.ts';

const asked = {
  type: 'approval',
  approvalId: 'a',
  id: 'c',
  name: 'mail__send',
  arguments: {},
} as const;

/** What a run with `--allow` and without a terminal does with open questions. */
async function withoutTerminal(pending: readonly PendingApproval[]) {
  const answers: unknown[] = [];
  const notes: string[] = [];
  const agent = {
    pending,
    unknown: async () => [],
    fold: { layer: { addressOf: (name: string) => ({ name, bare: name, groupId: 'mcp:mail' }) } },
    answer: (given: unknown) => {
      answers.push(given);
      return (async function* () {})();
    },
  } as unknown as Agent;
  const turn = await continuedTurn(agent, {
    prompt: undefined,
    canAsk: false,
    allow: ['mcp:mail/*'],
    session: '0123456789abcdef',
    command: 'toolfold run --session 01234567',
    note: (text) => notes.push(text),
  });
  await turn?.(agent, new AbortController().signal);
  return { answers, goesOn: turn !== undefined, notes: notes.join('\n') };
}

test('promise 64: --allow answers the open questions of the settings, and not those of hooks', async () => {
  const setting = { ...asked, askedBy: 'setting' } as const;
  const own = await withoutTerminal([setting]);
  assert.deepEqual([own.answers, own.goesOn], [[{ a: { approved: true } }], true]);
  for (const hook of [
    { ...asked, approvalId: 'b', askedBy: 'hook' } as const,
    { ...asked, approvalId: 'b', askedBy: 'hook', askKey: 'k' } as const,
  ]) {
    const { answers, goesOn, notes } = await withoutTerminal([setting, hook]);
    assert.deepEqual([answers, goesOn], [[], false]);
    assert.match(notes, /It waits for approval: mail__send/);
    assert.doesNotMatch(notes, /--allow/);
  }
});
