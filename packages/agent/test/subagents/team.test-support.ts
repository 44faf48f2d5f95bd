import { ownTools, type Runs } from '@toolfold/ai-sdk/test/folds.test-support.ts';
import type { ModelServer, Reply } from '@toolfold/testing/internal/doubles/model-server.ts';
import type { RecordedRequest } from '@toolfold/testing/internal/wire/recorded-request.ts';
import type { AgentEvent } from '../../src/events/events.ts';
import type { SubagentReport } from '../../src/tasks/report.ts';
import { createSubagents, type SubagentOptions } from '../../src/tasks/tool.ts';
import { begin, type World } from '../agent.test-support.ts';

/** A request of a child: its task, and the number of its earlier answers. */
export interface ChildRequest {
  readonly task: string;
  readonly step: number;
  readonly request: RecordedRequest;
}

type Script = (request: RecordedRequest) => Reply | Promise<Reply>;

/** Answers the parent in order and each child by its task. */
export function scripted(
  parent: readonly Reply[],
  child: (asked: ChildRequest) => Reply | Promise<Reply>,
): Script {
  let answered = 0;
  return (request) => {
    const step = stepOf(request);
    const task = taskIn(request);
    return task === undefined
      ? (parent[answered++] ?? { text: 'Nothing more.' })
      : child({ task, step, request });
  };
}

/** The task that a request is about; undefined for the parent's. */
export function taskIn({ raw }: RecordedRequest): string | undefined {
  // A parent's request may hold tasks as arguments. Only a child's prompt has the heading of a task.
  return /# Your task\\n\\n(.*?)\\n\\n# Your answer/.exec(raw)?.[1];
}

/** Requests of children, in order of arrival. */
export function ofChildren({ requests }: Pick<ModelServer, 'requests'>): RecordedRequest[] {
  return requests.filter((request) => taskIn(request) !== undefined);
}

function stepOf({ body }: RecordedRequest): number {
  const said = (body.messages ?? body.input) as {
    readonly role?: string;
    readonly type?: string;
  }[];
  return said.filter(({ role, type }) => role === 'assistant' || type === 'function_call').length;
}

/** A call of the tool by the parent's model. */
export function send(tasks: readonly object[], more: object = {}, id = 'toolu_team'): Reply {
  return { calls: [{ id, name: 'subagents', arguments: { tasks, ...more } }] };
}

/** `count` tasks: `t1` with the text `task 1`, and so on. */
export function tasks(count: number): { id: string; task: string }[] {
  return Array.from({ length: count }, (_, n) => ({ id: `t${n + 1}`, task: `task ${n + 1}` }));
}

/** An agent with subagents on a scripted server. */
export function team(
  server: ModelServer,
  options: SubagentOptions = {},
  { fold = {}, agent = {}, ...world }: World = {},
): ReturnType<typeof begin> {
  const subagents = createSubagents(options);
  const runs: Runs = [];
  const tools = { ...ownTools(runs), ...subagents.tools };
  return begin(server, { ...world, fold: { tools, ...fold }, agent: { subagents, ...agent } });
}

/** The report that the parent's model received. */
export function reportIn(events: readonly AgentEvent[]): SubagentReport | undefined {
  const result = events.find((event) => event.type === 'result' && event.name === 'subagents');
  return result?.type === 'result' ? (result.output as SubagentReport) : undefined;
}

/** The events of children, in order. */
export function innerEvents(events: readonly AgentEvent[]): AgentEvent[] {
  return events.flatMap((event) => (event.type === 'subagent' ? [event.event] : []));
}

/** The ends of children, by task. */
export function endsIn(events: readonly AgentEvent[]): Record<string, string> {
  return Object.fromEntries(
    events.flatMap((event) => (event.type === 'subagent-end' ? [[event.task, event.status]] : [])),
  );
}
