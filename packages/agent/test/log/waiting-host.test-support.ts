/** One process of the approvals that wait: `node waiting-host.test-support.ts <settings>`. Prints its results. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createFold, type FoldOptions, type SdkToolGroup } from '@toolfold/ai-sdk';
import { ownProperty } from '@toolfold/core/internal/values/json.ts';
import type { ToolSet } from 'ai';
import { createAgent } from '../../src/agent/agent.ts';
import type { AgentEvent } from '../../src/events/events.ts';
import type { Agent, AgentFold } from '../../src/options/options.ts';
import { createSession, openSession, sqliteStore } from '../../src/sessions.ts';
import type { Step, StepResult, Tools, WaitingSettings } from './waiting-plan.test-support.ts';

const given: WaitingSettings = JSON.parse(process.argv[2] ?? '');
const { folder, baseUrl, ahead, steps } = given;
const { now } = Date;
Date.now = () => now() + ahead;

const store = await sqliteStore({ folder });

const to = { type: 'string' };
const TEXTS = {
  same: { description: 'Sends a letter.', inputSchema: { type: 'object', properties: { to } } },
  changed: {
    description: 'Sends a letter and a copy to the boss.',
    inputSchema: { type: 'object', properties: { to, copy: { type: 'string' } }, required: ['to'] },
  },
};

function group(session: string, tools: Tools): SdkToolGroup {
  const send = {
    name: 'send',
    ...TEXTS[tools === 'changed' ? 'changed' : 'same'],
    execute: async (input: unknown) => {
      appendFileSync(join(folder, 'effects'), `${session} ${ownProperty(input, 'to')}\n`);
      return 'The letter is sent.';
    },
  };
  const read = { ...send, name: 'read', execute: async () => 'nothing' };
  const listed = tools === 'gone' ? [read] : [send, read];
  return {
    groupId: 'mcp:mail',
    toolNames: listed.map(({ name }) => name),
    loader: async () => listed as never,
  };
}

async function open(session: string, tools: Tools): Promise<Agent> {
  const roles = { reader: { tools: ['mail__read'] } };
  const options = { groups: [group(session, tools)], tools: {}, roles, strategy: 'dispatch' };
  const known = await store.get(session);
  return createAgent({
    model: createAnthropic({ baseURL: baseUrl, apiKey: 'test' })('claude-opus-5-5'),
    fold: createFold(options as FoldOptions<ToolSet>) as unknown as AgentFold,
    session: known
      ? await openSession(store, session)
      : await createSession(store, { id: session }),
    routing: 'off',
    settings: { maxRetries: 0 },
    ...(tools === 'forbidden' ? { role: 'reader' } : {}),
  });
}

/** Agents of the steps before. */
const opened = new Map<string, Agent>();

function begin(talk: Agent, { action, answer }: Step): AsyncIterable<AgentEvent> {
  if (action === 'send') return talk.send('Write to Ann.');
  const ids = talk.pending.map(({ approvalId }) => approvalId);
  return talk.answer(Object.fromEntries(ids.map((id) => [id, answer ?? { approved: true }])));
}

async function run(step: Step): Promise<StepResult> {
  const { session, tools, action } = step;
  const talk = (action === 'late' && opened.get(session)) || (await open(session, tools));
  // Another agent of the session that still waits for the answer.
  if (action !== 'late') opened.set(session, await open(session, tools));
  const results: string[] = [];
  let outcome: { reason?: string; refused?: string } = {};
  try {
    for await (const event of begin(talk, step)) {
      if (event.type === 'result') results.push(JSON.stringify(event.output));
      if (event.type === 'failure') results.push(String(event.error));
      if (event.type === 'end') outcome = { reason: event.reason };
    }
  } catch (error) {
    outcome = { refused: `${ownProperty(error, 'code')}: ${ownProperty(error, 'message')}` };
  }
  const isHeld = (await store.holder(session)) !== undefined;
  return { session, ...outcome, results, pending: talk.pending, isHeld };
}

const done: StepResult[] = [];
for (const step of steps) done.push(await run(step));
console.log(JSON.stringify(done));
await store.close();
