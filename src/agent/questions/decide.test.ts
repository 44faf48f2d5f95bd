import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createToolLayer } from '../../index.ts';
import { ApprovalPolicy } from '../approvals/index.ts';
import type { AgentContext } from '../context/index.ts';
import { RemoteAnswers } from '../inbox/index.ts';
import { Log } from '../log/index.ts';
import { decide } from './decide.ts';

test('the user is asked about a call that the provider runs, though it is not open here', async () => {
  const layer = createToolLayer({ groups: [] });
  const asked: string[] = [];
  const ask = async ({ name }: { readonly name: string }) => {
    asked.push(name);
    return { approved: true };
  };
  const log = new Log(undefined);
  const call = { type: 'tool-call', toolCallId: 'c', toolName: 'remote', input: {} } as const;
  await log.append(
    ['user', { message: { role: 'user', content: 'Go.' } }],
    [
      'model',
      {
        step: 1,
        content: [{ ...call, providerExecuted: true }],
        finish: { unified: 'tool-calls', raw: null },
      },
    ],
  );
  const policy = new ApprovalPolicy({ mode: 'always', ask }, layer);
  const remote = { answer: new RemoteAnswers() };
  const context = { log, policy, remote, options: { fold: { layer } } } as unknown as AgentContext;
  const question = { approvalId: 'a', id: 'c', name: 'remote', arguments: {} };
  const { signal } = new AbortController();
  assert.deepEqual(log.state.pending, []);
  assert.equal(await decide(context, [{ ...question, askedBy: 'setting' }], signal), undefined);
  assert.deepEqual(asked, ['remote']);
  assert.equal(log.state.asked.get('a')?.answer?.approved, true);
});
