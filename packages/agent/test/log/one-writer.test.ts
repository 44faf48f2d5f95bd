// test: slow, harm
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { suite, type TestContext, test } from 'node:test';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import {
  type ModelServer,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import { environment } from 'toolfold/test/cli/process.test-support.ts';
import type { AgentEvent } from '../../src/events/events.ts';
import { type SessionStore, sqliteStore } from '../../src/sessions.ts';
import { collect, ended } from '../agent.test-support.ts';
import { agentOf } from './mail-agent.test-support.ts';

const host = join(import.meta.dirname, 'holder-host.test-support.ts');

interface Shared {
  readonly folder: string;
  readonly store: SessionStore;
  readonly model: ModelServer;
  /** Ends the answer that the model holds back. */
  readonly release: () => void;
}

/** A store, and a model that wants to send a letter and holds its answer to the result back. */
async function shared(context: TestContext): Promise<Shared> {
  const folder = await mkdtemp(join(tmpdir(), 'toolfold-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  const { promise: hold, resolve: release } = Promise.withResolvers<void>();
  const model = await startModelServer({
    script: ({ raw }) => {
      if (raw.includes('tool_result')) return { text: 'Done.', hold };
      return { calls: [DISPATCH.call('mail__send', { to: 'Ann' })] };
    },
  });
  context.after(() => model.close());
  const store = await sqliteStore({ folder });
  context.after(() => store.close());
  return { folder, store, model, release };
}

/** A process that writes the session. */
class Holder {
  readonly child: ChildProcess;
  readonly events: AgentEvent[] = [];
  #changed = Promise.withResolvers<void>();

  constructor(context: TestContext, { folder, model }: Shared) {
    const args = [host, folder, model.baseUrl('anthropic')];
    const env = environment(folder, {});
    this.child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    context.after(() => this.child.kill('SIGKILL'));
    const { stdout } = this.child;
    assert.ok(stdout);
    const change = () => {
      this.#changed.resolve();
      this.#changed = Promise.withResolvers();
    };
    createInterface({ input: stdout }).on('line', (line) => {
      this.events.push(JSON.parse(line));
      change();
    });
    this.child.on('exit', change);
  }

  /** Waits for the first event of a type. */
  async event<TYPE extends AgentEvent['type']>(
    type: TYPE,
  ): Promise<Extract<AgentEvent, { type: TYPE }>> {
    for (;;) {
      const found = this.events.find((event) => event.type === type);
      if (found) return found as Extract<AgentEvent, { type: TYPE }>;
      assert.equal(this.child.exitCode ?? this.child.signalCode, null, `ended without ${type}`);
      await this.#changed.promise;
    }
  }
}

suite('one process writes a session', () => {
  test('others are told which one; their answers and cancels reach it once', async (context) => {
    const all = await shared(context);
    const { folder, store, model } = all;
    const holder = new Holder(context, all);
    const { approvalId } = await holder.event('approval');
    const given = { folder, store, baseUrl: model.baseUrl('anthropic'), effect: assert.fail };
    const other = await agentOf(given);
    const refused = await collect(other.send('Me too.'));
    assert.equal(refused.length, 1);
    const { code, error } = ended(refused);
    assert.equal(code, 'session-busy');
    const { message } = error ?? assert.fail();
    assert.ok(message.includes(`The process ${holder.child.pid} on ${hostname()} writes`));
    const since = /since (\S+Z)/.exec(message)?.[1] ?? '';
    assert.ok(Date.parse(since) <= Date.now(), message);
    const answer = {
      id: 'one',
      kind: 'answer' as const,
      body: { [approvalId]: { approved: true } },
    };
    await store.post('s', answer);
    await store.post('s', answer);
    await holder.event('result');
    // The model holds the next answer back.
    const cancel = { id: 'two', kind: 'cancel' as const, body: {} };
    await store.post('s', cancel);
    await store.post('s', cancel);
    assert.equal((await holder.event('end')).reason, 'cancelled');
    assert.equal(holder.events.filter(({ type }) => type === 'decision').length, 1);
    assert.equal(await readFile(join(folder, 'effects'), 'utf8'), '{"to":"Ann"}\n');
    if (holder.child.exitCode === null) await once(holder.child, 'exit');
    all.release();
    const last = await agentOf(given);
    assert.equal(ended(await collect(last.send('And now?'))).reason, 'done');
  });

  test('a killed one is followed at once by the next', async (context) => {
    const all = await shared(context);
    const { folder, store, model } = all;
    const holder = new Holder(context, all);
    await holder.event('approval');
    const sent: string[] = [];
    const next = await agentOf({
      folder,
      store,
      baseUrl: model.baseUrl('anthropic'),
      effect: (text) => sent.push(text),
      approvals: { ask: async () => ({ approved: true }) },
    });
    assert.equal(ended(await collect(next.resume())).code, 'session-busy');
    holder.child.kill('SIGKILL');
    await once(holder.child, 'exit');
    all.release();
    assert.equal(ended(await collect(next.resume())).reason, 'done');
    assert.deepEqual(sent, ['{"to":"Ann"}']);
  });
});
