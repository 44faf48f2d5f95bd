/**
 * Ways to give many tools to a model, and the replies of a model that knows which tools it needs.
 */
import type { Reply } from '@toolfold/testing';
import type { Goal } from './task.ts';

export const WAYS = ['eager', 'dispatch', 'inject', 'bridge', 'toolSearch()'] as const;
export type Way = (typeof WAYS)[number];

/** The replies of one task, in order. */
export function repliesOf(way: Way, goals: readonly Goal[]): Reply[] {
  return [...SCRIPTS[way](goals), { text: 'That is all done.' }];
}

const SCRIPTS: Readonly<Record<Way, (goals: readonly Goal[]) => Reply[]>> = {
  eager: (goals) => goals.map(direct),
  dispatch: (goals) =>
    loadedFirst(goals, (goal) =>
      call('deferred_tool_call', { tool_name: nameOf(goal), arguments: goal.input }),
    ),
  inject: (goals) => loadedFirst(goals, direct),
  bridge: (goals) =>
    goals.flatMap((goal) => [
      call('tool_search', { query: queryOf(goal), limit: 3 }),
      call('tool_call', { name: nameOf(goal), arguments: goal.input }),
    ]),
  'toolSearch()': (goals) =>
    goals.flatMap((goal) => [call('find_tools', { query: queryOf(goal) }), direct(goal)]),
};

/** The name of a tool in a request. */
export function nameOf({ server, tool }: Pick<Goal, 'server' | 'tool'>): string {
  return `${server}__${tool}`;
}

function direct(goal: Goal): Reply {
  return call(nameOf(goal), goal.input);
}

function call(name: string, input: object): Reply {
  return { calls: [{ name, arguments: input }] };
}

function queryOf({ server, tool }: Goal): string {
  return `${server} ${tool.replaceAll('_', ' ')}`;
}

/** Loads all needed tools of a server at once, before the first call to it. */
function loadedFirst(goals: readonly Goal[], run: (goal: Goal) => Reply): Reply[] {
  return goals.flatMap((goal, index) => {
    const { server } = goal;
    if (goals.findIndex((other) => other.server === server) < index) return [run(goal)];
    const names = goals.filter((other) => other.server === server).map(({ tool }) => tool);
    return [call('load_tools', { group_id: `mcp:${server}`, tool_names: names }), run(goal)];
  });
}
