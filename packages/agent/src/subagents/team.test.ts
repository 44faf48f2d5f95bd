import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { assertHeld, collect, ended } from '../../test/agent.test-support.ts';
import {
  endsIn,
  reportIn,
  scripted,
  send,
  taskIn,
  tasks,
  team,
} from '../../test/subagents/team.test-support.ts';
import type { AgentEvent } from '../events/events.ts';
import type { ApprovalRequest } from '../events/user-requests.ts';

const { call, load } = DISPATCH;
const done: Reply = { text: 'All done.' };
const listing: Reply = { calls: [call('github__list_issues', {})] };
const bug = { title: 'bug' };

/** The event types of a child. */
const ofChild = (events: readonly AgentEvent[], id: string): AgentEvent[] =>
  events.flatMap((event) => (event.type === 'subagent' && event.task === id ? [event.event] : []));

describe('subagents', () => {
  test('use the available tools, and their answers come back in order', async () => {
    const script = scripted([send(tasks(3)), done], ({ task, step }) =>
      step === 0
        ? listing
        : { text: JSON.stringify({ summary: `did ${task}`, findings: ['one'] }) },
    );
    await using server = await startModelServer({ script });
    const { talk, runs } = team(server);
    const events = await collect(talk.send('Go.'));
    assert.deepEqual(ended(events), {
      type: 'end',
      reason: 'done',
      text: 'All done.',
      roundsLeft: 99,
    });
    const { results, summary } = reportIn(events) ?? assert.fail();
    assert.deepEqual(
      results.map((result) => [result.id, result.summary, result.findings]),
      tasks(3).map(({ id, task }) => [id, `did ${task}`, ['one']]),
    );
    assert.equal(summary.done, 3);
    assert.equal(runs.length, 3);
    // Events are emitted live with their child, and the parent's stream does not wait for them.
    for (const { id } of tasks(3)) {
      const types = ofChild(events, id).map(({ type }) => type);
      assert.deepEqual(types.slice(0, 2), ['user', 'start']);
      assert.equal(types.at(-1), 'end');
      assert.ok(types.includes('call') && types.includes('result') && types.includes('usage'));
    }
    const at = (type: string) => events.findIndex((event) => event.type === type);
    assert.ok(at('subagent') > at('call') && at('subagent') < at('result'));
    const own = server.requests.filter((request) => taskIn(request) === undefined);
    assertHeld({ ...server, requests: own });
  });

  test('emit their events while they work, not at the end', async () => {
    const gate = Promise.withResolvers<void>();
    const script = scripted([send(tasks(2)), done], ({ task }) =>
      task === 'task 1' ? { text: 'First.' } : { text: 'Second.', hold: gate.promise },
    );
    await using server = await startModelServer({ script });
    const { talk } = team(server);
    const seen: string[] = [];
    for await (const event of talk.send('Go.')) {
      if (event.type === 'subagent-end') seen.push(`${event.task} ${event.status}`);
      // If events were emitted only at the end, this gate would never open.
      if (event.type === 'subagent-end' && event.task === 't1') {
        assert.deepEqual(talk.subagents, [{ child: 'toolu_team/t2', task: 't2' }]);
        gate.resolve();
      }
    }
    assert.deepEqual(seen, ['t1 done', 't2 done']);
    assert.deepEqual(talk.subagents, []);
  });

  test('get context, shared context and format, and only their last message is passed on', async () => {
    const script = scripted(
      [
        send(
          [
            { id: 'a', task: 'look', context: 'CONTEXT A' },
            { id: 'b', task: 'see' },
          ],
          {
            shared_context: 'FOR ALL',
            format: 'concise',
          },
        ),
        done,
      ],
      ({ step, task }) =>
        step === 0 ? { text: 'Let me look.', ...listing } : { text: `Found by ${task}.` },
    );
    await using server = await startModelServer({ script });
    const { talk } = team(server);
    const { results } = reportIn(await collect(talk.send('Go.'))) ?? assert.fail();
    assert.deepEqual(
      results.map(({ answer }) => answer),
      ['Found by look.', 'Found by see.'],
    );
    const raw = (task: string) => server.requests.find((r) => taskIn(r) === task)?.raw ?? '';
    assert.match(raw('look'), /FOR ALL.*CONTEXT A.*at most five sentences/);
    assert.match(raw('see'), /FOR ALL/);
    assert.doesNotMatch(raw('see'), /CONTEXT A/);
  });

  test('are refused for duplicate ids, too many tasks or no tasks, and nothing starts', async () => {
    const twice = [
      { id: 'a', task: 'x' },
      { id: 'a', task: 'y' },
    ];
    for (const [given, wide, expected] of [
      [twice, false, /duplicate_ids.*: a\./],
      [tasks(11), false, /invalid_arguments/],
      [tasks(51), true, /invalid_arguments/],
      [[], false, /invalid_arguments/],
      [[{ id: '../../etc', task: 'x' }], false, /invalid_arguments/],
      [[{ id: 'a', task: '' }], false, /invalid_arguments/],
    ] as const) {
      const script = scripted([send(given), done], () => assert.fail('started'));
      await using server = await startModelServer({ script });
      const { talk } = team(server, { wide });
      const events = await collect(talk.send('Go.'));
      assert.equal(ended(events).reason, 'done');
      const failure = events.find(({ type }) => type === 'failure');
      assert.match(failure?.type === 'failure' ? failure.error : '', expected);
      assert.equal(server.requests.length, 2);
    }
  });

  test('promise 47: no more of them work at once than the call, the agent and the cap say', async () => {
    for (const [concurrency, wide, most] of [
      [undefined, false, 8],
      [2, false, 4],
      [100, false, 8],
      [100, true, 12],
    ] as const) {
      const more = concurrency === undefined ? {} : { concurrency };
      // Two calls in one answer share the cap.
      const both = [send(tasks(10), more, 'one'), send(tasks(10), more, 'two')];
      const calls = both.flatMap((reply) => reply.calls ?? []);
      const full = Promise.withResolvers<void>();
      const script = scripted([{ calls }, done], () => ({ text: 'Ok.', hold: full.promise }));
      await using server = await startModelServer({ script });
      const { talk } = team(server, { wide });
      const working = new Map<string, Set<string>>([
        ['one', new Set()],
        ['two', new Set()],
      ]);
      let peak = 0;
      let ended = 0;
      for await (const event of talk.send('Go.')) {
        if (event.type !== 'subagent' && event.type !== 'subagent-end') continue;
        const batch = working.get(event.child.split('/')[0] ?? '') ?? assert.fail();
        if (event.type === 'subagent-end') ended += Number(batch.delete(event.child));
        else batch.add(event.child);
        const [one, two] = [...working.values()].map(({ size }) => size);
        assert.ok(Math.max(one ?? 0, two ?? 0) <= (concurrency ?? 4));
        peak = Math.max(peak, (one ?? 0) + (two ?? 0));
        if (peak === most) full.resolve();
      }
      assert.deepEqual([peak, ended], [most, 20]);
    }
  });

  test('promise 47: fail separately: loader, model, empty answer, rounds, cut answer', async () => {
    const replies: Record<string, (step: number) => Reply> = {
      loader: (step) =>
        step === 0 ? { calls: [load('mcp:flaky')] } : { text: 'The server is down.' },
      model: () => ({ error: { status: 400, body: 'model broke' } }),
      silent: () => ({ text: '' }),
      endless: () => ({ text: 'Still at it.', ...listing }),
      cut: () => ({ text: 'Half of', finishReason: 'length' }),
      thrown: (step) =>
        step === 0 ? { calls: [call('github__explode', {})] } : { text: 'It blew up.' },
    };
    const given = Object.keys(replies).map((id) => ({ id, task: id }));
    const script = scripted(
      [send(given), done],
      ({ task, step }) => replies[task]?.(step) ?? assert.fail(),
    );
    await using server = await startModelServer({ script });
    const { talk } = team(server, { maxRounds: 2 });
    const events = await collect(talk.send('Go.'));
    assert.equal(ended(events).reason, 'done');
    assert.deepEqual(endsIn(events), {
      ...{ loader: 'done', model: 'failed', silent: 'failed', endless: 'incomplete' },
      ...{ cut: 'incomplete', thrown: 'done' },
    });
    const { results, summary } = reportIn(events) ?? assert.fail();
    const errors = Object.fromEntries(results.map(({ id, error }) => [id, error]));
    assert.match(errors.model ?? '', /model broke/);
    assert.match(errors.silent ?? '', /without an answer/);
    assert.match(errors.endless ?? '', /rounds/);
    assert.match(errors.cut ?? '', /cut off/);
    assert.deepEqual(
      [summary.total, summary.done, summary.incomplete, summary.failed],
      [6, 2, 2, 2],
    );
  });

  test('with an answer that is too long are stopped, and their answer is cut', async () => {
    const script = scripted([send(tasks(2)), done], ({ task }) =>
      task === 'task 1' ? { text: 'x'.repeat(1_200_000), chunkSize: 20_000 } : { text: 'Short.' },
    );
    await using server = await startModelServer({ script });
    const { talk } = team(server);
    const events = await collect(talk.send('Go.'));
    const { results } = reportIn(events) ?? assert.fail();
    assert.deepEqual(
      results.map(({ status, truncated }) => [status, truncated]),
      [
        ['incomplete', true],
        ['done', undefined],
      ],
    );
    assert.ok(Buffer.byteLength(JSON.stringify(reportIn(events))) <= 60_000);
    assert.match(results[0]?.error ?? '', /too long/);
  });

  test('take no longer than they may', { timeout: 60_000 }, async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const script = scripted([send(tasks(2), { timeout: 1 }), done], ({ task }) =>
      task === 'task 1' ? { hold: new Promise(() => {}) } : { text: 'In time.' },
    );
    await using server = await startModelServer({ script });
    const { talk } = team(server);
    const events: AgentEvent[] = [];
    for await (const event of talk.send('Go.', { signal: context.signal })) {
      events.push(event);
      if (event.type !== 'subagent-end' || event.task !== 't2') continue;
      context.mock.timers.tick(999);
      await new Promise(setImmediate);
      assert.deepEqual(talk.subagents, [{ child: 'toolu_team/t1', task: 't1' }]);
      context.mock.timers.tick(1);
    }
    assert.deepEqual(endsIn(events), { t1: 'timed_out', t2: 'done' });
    assert.match(reportIn(events)?.results[0]?.error ?? '', /1 s/);
  });
});

describe('approvals of subagents', () => {
  const script = () =>
    scripted([send(tasks(3)), done], ({ step }) =>
      step === 0 ? { calls: [call('github__create_issue', bug)] } : { text: 'Done.' },
    );

  test('go to the user of the parent, one at a time, with the child named', async () => {
    await using server = await startModelServer({ script: script() });
    const asked: ApprovalRequest[] = [];
    let open = 0;
    const ask = async (request: ApprovalRequest) => {
      assert.equal(++open, 1, 'two questions at once');
      asked.push(request);
      await new Promise(setImmediate);
      open--;
      return { approved: request.subagent !== 't2', reason: 'not this one' };
    };
    const { talk, runs } = team(server, {}, { agent: { approvals: { mode: 'always', ask } } });
    const events = await collect(talk.send('Go.'));
    // The parent's call of the tool, then one call of each child.
    assert.deepEqual(
      asked.map(({ subagent, name }) => [subagent, name]).sort(),
      [[undefined, 'subagents'], ...tasks(3).map(({ id }) => [id, 'github__create_issue'])].sort(),
    );
    assert.equal(runs.length, 2);
    assert.deepEqual(endsIn(events), { t1: 'done', t2: 'done', t3: 'done' });
    const denied = server.requests.find(({ raw }) => raw.includes('not this one'));
    assert.equal(taskIn(denied ?? assert.fail()), 'task 2');
  });

  test('are given for the session by one answer of the user, for all children', async () => {
    await using server = await startModelServer({ script: script() });
    const asked: string[] = [];
    const ask = async ({ subagent = 'parent' }: ApprovalRequest) => {
      asked.push(subagent);
      return { approved: true, scope: 'session' as const };
    };
    const { talk, runs } = team(server, {}, { agent: { approvals: { ask } } });
    await collect(talk.send('Go.'));
    // The tool itself needs no approval, because each call of a child is checked.
    assert.equal(asked.length, 1);
    assert.notEqual(asked[0], 'parent');
    assert.equal(runs.length, 3);
  });

  test('are denied if the app cannot ask, and the child continues', async () => {
    await using server = await startModelServer({ script: script() });
    const { talk, runs } = team(server, {}, { agent: { approvals: { mode: 'annotations' } } });
    const events = await collect(talk.send('Go.'));
    assert.deepEqual(runs, []);
    assert.deepEqual(endsIn(events), { t1: 'done', t2: 'done', t3: 'done' });
    assert.ok(server.requests.some(({ raw }) => raw.includes('cannot ask its user')));
    assert.equal(talk.pending.length, 0);
  });

  test('are denied if the function ask of the app fails, and later questions are still asked', async () => {
    await using server = await startModelServer({ script: script() });
    const ask = async ({ subagent }: ApprovalRequest) => {
      if (subagent === 't1') throw new Error('the window was closed');
      return { approved: true };
    };
    const { talk, runs } = team(server, {}, { agent: { approvals: { ask } } });
    const events = await collect(talk.send('Go.'));
    assert.equal(runs.length, 2);
    assert.equal(endsIn(events).t1, 'done');
    assert.ok(server.requests.some(({ raw }) => raw.includes('the window was closed')));
  });
});
