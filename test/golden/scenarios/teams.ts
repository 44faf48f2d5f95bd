import type { RecordedRequest, Reply } from 'toolfold/testing';
import type { Scenario } from '../scenario.ts';
import { dispatched } from './dialect.ts';

const send = (...tasks: readonly string[]): Reply => ({
  calls: [
    { name: 'subagents', arguments: { tasks: tasks.map((task) => ({ id: task.at(-1), task })) } },
  ],
});

/** The task that a request is about; undefined for the parent's. */
const taskIn = ({ raw }: RecordedRequest): string | undefined =>
  /# Your task\\n\\n(.*?)\\n\\n# Your answer/.exec(raw)?.[1];

/** Whether a request has a result of a tool. */
const hasResult = ({ body }: RecordedRequest): boolean =>
  JSON.stringify(body.messages).includes('"tool_result"');

/** The replies of subagents by task; the parent starts these tasks first. */
const team =
  (tasks: readonly string[], replies: Readonly<Record<string, Reply>>) =>
  (request: RecordedRequest): Reply => {
    const task = taskIn(request);
    if (hasResult(request)) return { text: task ? `${task} is done.` : 'All done.' };
    return task === undefined ? send(...tasks) : (replies[task] ?? { text: `${task} is done.` });
  };

/** Sessions with the sessions of their subagents. */
export const TEAMS: readonly Scenario[] = [
  {
    name: 'two-subagents',
    options: () => ({ subagents: true }),
    script: team(['Task a', 'Task b'], {
      'Task a': { text: 'Reading.', calls: [dispatched('read', 1)] },
      'Task b': { calls: [dispatched('add', 2)] },
    }),
    isCut: true,
  },
  {
    name: 'nested-subagents',
    options: () => ({ subagents: { depth: 2 } }),
    script: team(['Task a'], {
      'Task a': send('Task c'),
      'Task c': { reasoning: 'Hm.', calls: [dispatched('add', 1)] },
    }),
    isCut: true,
  },
  {
    name: 'subagent-fails',
    options: () => ({ subagents: true }),
    script: team(['Task a'], { 'Task a': { error: { status: 500, body: 'Broken.' } } }),
    isCut: true,
  },
  {
    name: 'cancelled-subagent',
    hasOddTools: true,
    options: () => ({ subagents: true }),
    script: team(['Task a'], { 'Task a': { calls: [dispatched('hang', 1)] } }),
    play: async ({ talk, read, hanging }) => {
      const stop = new AbortController();
      void hanging.then(() => stop.abort());
      await read(talk.send('Go.', { signal: stop.signal }));
    },
  },
  {
    name: 'subagent-asks',
    options: () => ({
      subagents: { withhold: [] },
      approvals: {
        mode: 'always',
        allow: ['subagents'],
        ask: async () => ({ approved: true, scope: 'session' }),
      },
    }),
    script: team(['Task a'], { 'Task a': { calls: [dispatched('send', 1)] } }),
    isCut: true,
  },
];
