import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ownProperty } from '@toolfold/core/internal/values/json.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import type { Engine, EngineCommand } from '../../src/tasks/engine.ts';
import { collect, ended } from '../agent.test-support.ts';
import { endsIn, reportIn, scripted, send, tasks, team } from './team.test-support.ts';

/** The child name of the first task of the call. */
const CHILD = 'toolu_team/t1';
const never = () => new Promise<never>(() => {});

describe('an engine that sends an invalid update', () => {
  const usage = { type: 'usage', input: 1, cacheRead: 0, cacheWrite: 0, output: 1 };
  const question = { id: '1', name: 'x', arguments: {} };
  for (const [name, told] of [
    ['nothing', () => undefined],
    ['null', () => null],
    ['a text', () => 'done'],
    ['a list', () => []],
    ['another kind', (child) => ({ type: 'hello', child })],
    ['a result of nobody', () => ({ type: 'result' })],
    ['progress without an event', (child) => ({ type: 'progress', child })],
    ['an event without a kind', (child) => ({ type: 'progress', child, event: {} })],
    ['text that is none', (child) => ({ type: 'progress', child, event: { type: 'text' } })],
    ['usage without figures', (child) => ({ type: 'progress', child, event: { type: 'usage' } })],
    [
      'usage below nothing',
      (child) => ({ type: 'progress', child, event: { ...usage, input: -5 } }),
    ],
    [
      'usage that is no number, further down',
      (child) => {
        const inner = { ...usage, output: Number.NaN };
        const event = { type: 'subagent', child: 'c', task: 't', event: inner };
        return { type: 'progress', child, event };
      },
    ],
    ['a question without content', (child) => ({ type: 'question', child })],
    ['a question of nobody', () => ({ type: 'question', question })],
    [
      'a question about no tool',
      (child) => ({ type: 'question', child, question: { ...question, name: 5 } }),
    ],
  ] as readonly (readonly [string, (child: string) => unknown])[]) {
    test(`is cancelled, and fails nothing else: ${name}`, async () => {
      const commands: EngineCommand[] = [];
      const engine: Engine = {
        start: ({ tasks: [first] }, onUpdate) => {
          setImmediate(() => onUpdate(told(first?.child ?? '') as never));
          const over = Promise.withResolvers<void>();
          const send = (command: EngineCommand) => {
            commands.push(command);
            over.resolve();
          };
          return { send, finished: over.promise };
        },
      };
      const script = scripted([send(tasks(2)), { text: 'All done.' }], () => assert.fail());
      await using server = await startModelServer({ script });
      const { talk } = team(server, { engine });
      const events = await collect(talk.send('Go.'));
      assert.equal(ended(events).reason, 'done');
      assert.deepEqual(endsIn(events), { t1: 'failed', t2: 'failed' });
      assert.match(reportIn(events)?.results[0]?.error ?? '', /sent an invalid update/);
      const isOfOne = ownProperty(told(CHILD), 'child') === CHILD;
      assert.deepEqual(commands, [{ type: 'cancel', ...(isOfOne ? { child: CHILD } : {}) }]);
      assert.equal(talk.spending.subagents.requests, 0);
    });
  }
});

test('an engine fails if `start` does not return a run with `send` and `finished`', async () => {
  for (const started of [undefined, null, {}, { send: () => {} }, { finished: never() }]) {
    const script = scripted([send(tasks(1)), { text: 'All done.' }], () => assert.fail());
    await using server = await startModelServer({ script });
    const { talk } = team(server, { engine: { start: () => started as never } });
    const events = await collect(talk.send('Go.'));
    assert.match(reportIn(events)?.results[0]?.error ?? '', /did not return an object with/);
  }
});
