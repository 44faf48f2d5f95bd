// test: slow
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { environment, outcomeOf } from 'toolfold/test/cli/process.test-support.ts';
import { changeEntries } from '../sqlite/changed-entries.test-support.ts';
import type { Step, StepResult, WaitingSettings } from './waiting-plan.test-support.ts';

const WEEK = 7 * 24 * 3_600_000;
const host = join(import.meta.dirname, 'waiting-host.test-support.ts');

interface Office {
  readonly folder: string;
  /** Runs steps in a process whose clock is ahead. Returns the results by session and action. */
  readonly run: (ahead: number, steps: readonly Step[]) => Promise<Map<string, StepResult>>;
  readonly effects: () => Promise<readonly string[]>;
}

/** Starts processes on one store, one after the other. */
async function office(context: TestContext): Promise<Office> {
  const folder = await mkdtemp(join(tmpdir(), 'toolfold-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  const model = await startModelServer({
    script: ({ raw }) =>
      raw.includes('tool_result')
        ? { text: 'Done.' }
        : { calls: [DISPATCH.call('mail__send', { to: 'Ann' })] },
  });
  context.after(() => model.close());
  const run: Office['run'] = async (ahead, steps) => {
    const given: WaitingSettings = { folder, baseUrl: model.baseUrl('anthropic'), ahead, steps };
    const args = [host, JSON.stringify(given)];
    const env = environment(folder, {});
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const { code, stdout, stderr } = await outcomeOf(child);
    assert.equal(code, 0, stderr);
    const results: readonly StepResult[] = JSON.parse(stdout);
    return new Map(results.map((result, at) => [`${result.session} ${steps[at]?.action}`, result]));
  };
  const effects = async () => {
    const text = await readFile(join(folder, 'effects'), 'utf8').catch(() => '');
    return text.split('\n').filter((line) => line !== '');
  };
  return { folder, run, effects };
}

const step = (session: string, action: Step['action'], tools: Step['tools'] = 'same'): Step => {
  return { session, action, tools };
};

suite('an approval is asked in one process and answered in another one, a week later', () => {
  test('the same tool, a changed one, one that is gone, one that is not allowed, changed arguments', async (context) => {
    const { folder, run, effects } = await office(context);
    const SESSIONS = ['same', 'denied', 'changed', 'gone', 'forbidden', 'altered'];
    const asked = await run(
      0,
      SESSIONS.map((session) => step(session, 'send')),
    );
    for (const session of SESSIONS) {
      const { reason, pending, isHeld } = asked.get(`${session} send`) ?? assert.fail();
      assert.equal(reason, 'approval');
      assert.deepEqual(
        pending.map(({ name, arguments: given }) => [name, given]),
        [['mail__send', { to: 'Ann' }]],
      );
      assert.equal(isHeld, false, 'a session that waits is free');
    }
    // The question says what is run. Its digest says what the user was asked.
    changeEntries(folder, 'altered', ({ kind, json }) =>
      kind === 'approval' ? json.replaceAll('Ann', 'Eve') : json,
    );

    const later = await run(WEEK, [
      step('same', 'answer'),
      // This agent was opened while the approval was open.
      step('same', 'late'),
      { ...step('denied', 'answer'), answer: { approved: false, reason: 'Not this one.' } },
      step('changed', 'answer', 'changed'),
      step('gone', 'answer', 'gone'),
      step('forbidden', 'answer', 'forbidden'),
      step('altered', 'answer'),
    ]);
    const of = (name: string): StepResult => later.get(name) ?? assert.fail(name);
    assert.equal(of('same answer').reason, 'done');
    assert.deepEqual(of('same answer').results, ['"The letter is sent."']);
    assert.match(of('same late').refused ?? '', /^invalid-option: No approval .* is pending/);
    assert.equal(of('denied answer').reason, 'done');

    const { reason, pending } = of('changed answer');
    assert.equal(reason, 'approval');
    assert.deepEqual(pending[0]?.changes, [
      'description',
      'parameters.copy: new',
      'parameters.to: required now',
    ]);
    assert.match(
      pending[0]?.reason ?? '',
      /changed since you were asked: description; parameters\.copy/,
    );
    assert.equal(of('gone answer').reason, 'done');
    assert.match(of('gone answer').results.join(), /mail__send/);
    assert.equal(of('forbidden answer').reason, 'done');
    assert.match(of('forbidden answer').results.join(), /mail__send/);
    assert.equal(of('altered answer').reason, 'approval');
    assert.match(of('altered answer').pending[0]?.reason ?? '', /arguments have changed/);
    assert.deepEqual(await effects(), ['same Ann']);

    const last = await run(2 * WEEK, [
      step('same', 'answer'),
      step('changed', 'answer', 'changed'),
      { ...step('altered', 'answer'), answer: { approved: false } },
    ]);
    assert.match(last.get('same answer')?.refused ?? '', /^invalid-option: No approval is pending/);
    assert.equal(last.get('changed answer')?.reason, 'done');
    assert.equal(last.get('altered answer')?.reason, 'done');
    assert.deepEqual(await effects(), ['same Ann', 'changed Ann']);
  });
});
