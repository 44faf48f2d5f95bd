import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Reply, startModelServer } from '../../testing/index.ts';
import type { StrategyChoice } from '../../tools/strategies/table.ts';
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

/** The answers to calls that are refused before anything starts. */
async function refusalOf(input: object, strategy: StrategyChoice, hasGroups: boolean) {
  const script = scripted([{ calls: [{ name: 'subagents', arguments: input }] }, done], () =>
    assert.fail('started'),
  );
  await using server = await startModelServer({ script });
  const fold = hasGroups ? { strategy } : { strategy, groups: [] };
  const events = await collect(
    team(
      server,
      { roles: ['look'] },
      {
        fold: { ...fold, roles: { look: { tools: ['*'] } } },
        agent: { roles: { look: { tools: ['*'] } } },
      },
    ).talk.send('Go.'),
  );
  assert.equal(ended(events).reason, 'done');
  const failure = events.find(({ type }) => type === 'failure');
  return failure?.type === 'failure' ? failure.error : assert.fail('was not refused');
}

describe('subagents work with every strategy, with and without deferred tools', () => {
  for (const strategy of STRATEGIES) {
    for (const hasGroups of [true, false]) {
      const name = `${strategy}, ${hasGroups ? 'with' : 'without'} groups`;

      test(`promise 47: the limits of a call hold: ${name}`, async () => {
        for (const input of [
          { tasks: tasks(11) },
          { tasks: [] },
          { tasks: 'all of them' },
          { tasks: [{ id: 'a', task: 'x', role: 'admin' }] },
          { tasks: tasks(1), concurrency: 0 },
          { tasks: tasks(1), timeout: -1 },
        ])
          assert.match(await refusalOf(input, strategy, hasGroups), /invalid_arguments/);
        const twice = { tasks: [...tasks(1), ...tasks(1)] };
        assert.match(await refusalOf(twice, strategy, hasGroups), /duplicate_ids/);
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
