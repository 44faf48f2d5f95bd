import type { RecordedRequest, Reply } from '@toolfold/testing';
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
  },
];
