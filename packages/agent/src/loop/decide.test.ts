import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFold, type SdkToolGroup } from '@toolfold/ai-sdk';
import { createToolLayer } from '@toolfold/core';
import { collect, ended } from '../../test/agent.test-support.ts';
import { modelOf } from '../../test/broken-turns.test-support.ts';
import { createAgent } from '../agent/agent.ts';
import { Log } from '../log/log.ts';
import { ApprovalPolicy } from '../options/approvals.ts';
import { RemoteAnswers } from '../options/inbox.ts';
import { createSession, memoryStore, openSession, type Session } from '../sessions.ts';
import type { AgentContext } from './context.ts';
import { decide } from './decide.ts';

const NO_USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

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
  const steering = { isDue: false, written: new AbortController().signal };
  const context = {
    ...{ log, policy, remote, steering },
    options: { fold: { layer } },
  } as unknown as AgentContext;
  const question = { approvalId: 'a', id: 'c', name: 'remote', arguments: {} };
  const { signal } = new AbortController();
  assert.deepEqual(log.state.pending, []);
  assert.equal(await decide(context, [{ ...question, askedBy: 'setting' }], signal), undefined);
  assert.deepEqual(asked, ['remote']);
  assert.equal(log.state.asked.get('a')?.answer?.approved, true);
});

test('promise 50: a call approved before its tool changed is asked about again with those that are open', async () => {
  const call = (name: string) =>
    ({ type: 'tool-call', toolCallId: name, toolName: `work__${name}`, input: '{}' }) as const;
  const finish = (unified: 'tool-calls' | 'stop') =>
    ({ type: 'finish', finishReason: { unified, raw: undefined }, usage: NO_USAGE }) as const;
  const model = modelOf([[call('add'), call('send'), finish('tool-calls')], [finish('stop')]]);
  const runs: string[] = [];
  const group = (properties: object): SdkToolGroup => ({
    groupId: 'work',
    toolNames: ['add', 'send'],
    loader: async () =>
      ['add', 'send'].map((name) => ({
        name,
        inputSchema: { type: 'object', properties: name === 'add' ? properties : {} },
        execute: async () => runs.push(name),
      })),
  });
  let asked: string[] = [];
  let hasScreen = false;
  const ask = async ({ id }: { readonly id: string }) => {
    asked.push(id);
    if (id === 'send' && !hasScreen) throw new Error('no screen');
    return { approved: true };
  };
  const agentWith = (properties: object, session: Session) =>
    createAgent({
      ...{ model, session, routing: 'off', approvals: { mode: 'always', ask } },
      fold: createFold({ strategy: 'eager', groups: [group(properties)] }),
    });
  const store = memoryStore();
  const first = agentWith({}, await createSession(store, { id: 's' }));
  assert.match(String(ended(await collect(first.send('Go.'))).error), /no screen/);
  hasScreen = true;
  asked = [];
  const next = agentWith({ more: { type: 'string' } }, await openSession(store, 's'));
  assert.equal(ended(await collect(next.resume())).reason, 'done');
  assert.deepEqual(
    [asked, runs.sort()],
    [
      ['send', 'add'],
      ['add', 'send'],
    ],
  );
});
