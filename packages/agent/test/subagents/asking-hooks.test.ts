import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import type { BeforeToolCall } from '@toolfold/core/internal/host/hooks.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import type { ApprovalAnswer, ApprovalOptions } from '../../src/events/user-requests.ts';
import { createInProcessEngine } from '../../src/subagents/in-process.ts';
import type { Engine, EngineUpdate, Work } from '../../src/tasks/engine.ts';
import { collect } from '../agent.test-support.ts';
import { innerEvents, scripted, send, tasks, team } from './team.test-support.ts';

const CREATE = 'github__create_issue';

interface Scene {
  readonly hook: BeforeToolCall;
  readonly approvals?: ApprovalOptions;
  /** The user's answers in order. Without them the app cannot ask. */
  readonly answers?: readonly ApprovalAnswer[];
  readonly engine?: (work: Work) => Engine;
  /** The number of calls of the child. */
  readonly calls?: number;
  /** Levels of subagents. The last one makes the calls. */
  readonly depth?: 1 | 2;
}

/** Runs a child that creates issues. Returns what the user was asked, and which calls ran. */
async function play({ hook, approvals, answers, engine, calls = 1, depth = 1 }: Scene) {
  const script = scripted([send(tasks(1)), { text: 'All done.' }], ({ task, step }) => {
    if (depth === 2 && task === 'task 1')
      return step === 0 ? send([{ id: 'deep', task: 'deep task' }]) : { text: 'Done.' };
    const title = `bug ${step}`;
    return step < calls ? { calls: [DISPATCH.call(CREATE, { title })] } : { text: 'Done.' };
  });
  await using server = await startModelServer({ script });
  const asked: string[] = [];
  const always: string[] = [];
  const left = [...(answers ?? [])];
  const ask: ApprovalOptions['ask'] = async ({ askedBy, askKey = '', subagent }) => {
    asked.push(`${subagent} ${askedBy} ${askKey}`.trim());
    return left.shift() ?? { approved: false };
  };
  const options = {
    hooks: { beforeToolCall: hook },
    withhold: [],
    depth,
    ...(engine ? { engine } : {}),
  };
  const { talk, runs } = team(server, options, {
    agent: {
      approvals: {
        mode: 'never',
        allow: ['mcp:github/*'],
        ...approvals,
        ...(answers ? { ask } : {}),
        onAlways: (name) => always.push(name),
      },
    },
  });
  const events = await collect(talk.send('Go.'));
  return { asked, always, events, ran: runs.length };
}

/** An engine whose updates are JSON, as those of another process. `change`: what the other process sends. */
function jsonEngine(change: (update: EngineUpdate) => unknown = (update) => update) {
  return (work: Work): Engine => {
    const engine = createInProcessEngine(work);
    return {
      start: (batch, onUpdate) =>
        engine.start(JSON.parse(JSON.stringify(batch)), (update) =>
          onUpdate(JSON.parse(JSON.stringify(change(update)))),
        ),
    };
  };
}

/** What a worker sends that does not say who has asked. */
function unmarked(update: EngineUpdate): unknown {
  if (update.type !== 'question') return update;
  const { askedBy: _, askKey: __, ...question } = update.question;
  return { ...update, question };
}

const YES = { approved: true } as const;
const NO = { approved: false } as const;
const ALWAYS = { approved: true, scope: 'always' } as const;
const ENGINES = { 'in this process': undefined, 'with JSON': jsonEngine() } as const;
const notToolOf = (hook: BeforeToolCall): BeforeToolCall => {
  return (call) => (call.name === CREATE ? hook(call) : undefined);
};

describe('a hook that asks about a call of a subagent', () => {
  for (const [where, engine] of Object.entries(ENGINES)) {
    const given = engine ? { engine } : {};

    test(`promise 64: has the user of the parent asked once for each call: ${where}`, async () => {
      const hook = () => ({ ask: true });
      const scene = { ...given, hook, calls: 3, answers: [YES, NO, ALWAYS] };
      const { asked, ran, always, events } = await play(scene);
      assert.deepEqual(asked, ['t1 hook', 't1 hook', 't1 hook']);
      assert.deepEqual([ran, always], [2, []]);
      const marks = innerEvents(events).flatMap((event) =>
        event.type === 'approval' ? [event.askedBy] : [],
      );
      assert.deepEqual(marks, ['hook', 'hook', 'hook']);
    });

    test(`promise 64: is denied where nobody can be asked: ${where}`, async () => {
      const { ran, events } = await play({ ...given, hook: () => ({ ask: true }) });
      assert.equal(ran, 0);
      const failures = innerEvents(events).filter(({ type }) => type === 'failure');
      assert.equal(failures.length, 1);
    });

    test(`promise 64: an approval holds for its key in the parent's session: ${where}`, async () => {
      const keys = ['a', 'a', 'b'];
      const hook: BeforeToolCall = ({ arguments: { title } }) => {
        return { ask: true, askKey: keys[Number(String(title).slice(4))] };
      };
      const { asked, ran } = await play({ ...given, hook, calls: 3, answers: [ALWAYS, NO] });
      assert.deepEqual(asked, ['t1 hook a', 't1 hook b']);
      assert.equal(ran, 2);
    });

    test(`promise 64: has the user asked from the second level too: ${where}`, async () => {
      const hook = notToolOf(() => ({ ask: true, askKey: 'k' }));
      const { asked, ran } = await play({ ...given, hook, depth: 2, answers: [YES] });
      assert.deepEqual(asked, ['t1/deep hook k']);
      assert.equal(ran, 1);
    });
  }

  test('promise 64: a question of the settings from elsewhere stays one', async () => {
    const scene = {
      hook: () => undefined,
      approvals: { mode: 'annotations', allow: [] },
      calls: 2,
      answers: [ALWAYS],
    } as const;
    const { asked, ran, always } = await play({ ...scene, engine: jsonEngine() });
    assert.deepEqual(asked, ['t1 setting']);
    assert.deepEqual([ran, always], [2, [CREATE]]);
    const unknown = await play({ ...scene, engine: jsonEngine(unmarked), answers: [ALWAYS, NO] });
    assert.deepEqual(unknown.asked, ['t1 hook', 't1 hook']);
    assert.deepEqual([unknown.ran, unknown.always], [1, []]);
  });

  test('promise 64: a question with a key that is no text is not accepted', async () => {
    const odd = (update: EngineUpdate): unknown =>
      update.type === 'question'
        ? { ...update, question: { ...update.question, askKey: { a: 1 } } }
        : update;
    const hook = () => ({ ask: true, askKey: 'k' });
    const { asked, ran } = await play({ hook, answers: [YES], engine: jsonEngine(odd) });
    assert.deepEqual([asked, ran], [[], 0]);
  });
});
