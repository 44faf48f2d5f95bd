// test: slow
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StrategyChoice } from '@toolfold/core/internal/tool/strategies.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { collect, ended } from '../agent.test-support.ts';
import { reportIn, scripted, send, tasks, team } from './team.test-support.ts';

const done: Reply = { text: 'All done.' };
const STRATEGIES: readonly StrategyChoice[] = [
  'auto',
  'eager',
  false,
  'dispatch',
  'inject',
  'lazy',
];

/** The answers to calls of one conversation, which are refused before anything starts. */
async function refusalsOf(
  inputs: readonly object[],
  strategy: StrategyChoice,
  hasGroups: boolean,
): Promise<string[]> {
  const calls = inputs.map((input) => ({ calls: [{ name: 'subagents', arguments: input }] }));
  const script = scripted([...calls, done], () => assert.fail('started'));
  await using server = await startModelServer({ script });
  const fold = hasGroups ? { strategy } : { strategy, groups: [] };
  const events = await collect(
    team(
      server,
      { roles: ['look'] },
      {
        fold: { ...fold, roles: { look: { tools: ['*'] } } },
        agent: { roles: { look: { tools: ['*'] } }, maxRounds: inputs.length + 1 },
      },
    ).talk.send('Go.'),
  );
  assert.equal(ended(events).reason, 'done');
  const failures = events.flatMap((event) => (event.type === 'failure' ? [event.error] : []));
  assert.equal(failures.length, inputs.length, 'a call was not refused');
  return failures;
}

describe('subagents work with every strategy, with and without deferred tools', () => {
  for (const strategy of STRATEGIES) {
    for (const hasGroups of [true, false]) {
      const name = `${strategy}, ${hasGroups ? 'with' : 'without'} groups`;

      test(`promise 47: the limits of a call hold: ${name}`, async () => {
        const invalid = [
          { tasks: tasks(11) },
          { tasks: [] },
          { tasks: 'all of them' },
          { tasks: [{ id: 'a', task: 'x', role: 'admin' }] },
          { tasks: tasks(1), concurrency: 0 },
          { tasks: tasks(1), timeout: -1 },
        ];
        const twice = { tasks: [...tasks(1), ...tasks(1)] };
        const refusals = await refusalsOf([...invalid, twice], strategy, hasGroups);
        for (const refusal of refusals.slice(0, -1)) assert.match(refusal, /invalid_arguments/);
        assert.match(refusals.at(-1) ?? '', /duplicate_ids/);
      });

      test(`tasks are done: ${name}`, async () => {
        const script = scripted([send(tasks(3)), done], () => ({ text: 'Ok.' }));
        await using server = await startModelServer({ script });
        const fold = hasGroups ? { strategy } : { strategy, groups: [] };
        const { talk } = team(server, {}, { fold });
        assert.equal(reportIn(await collect(talk.send('Go.')))?.summary.done, 3);
      });
    }
  }
});
