/** The model: a script that knows which tools a turn needs, and gets their schemas in each way. */
import type { StrategyName } from '@toolfold/core';
import type { Reply } from '@toolfold/testing';
import type { Goal } from './tasks.ts';

/** The strategies; two of them also with schemas preloaded for the user's message; the choice of `auto`. */
export const WAYS = [
  'eager',
  'native',
  'native, preload',
  'dispatch',
  'dispatch, preload',
  'bridge',
  'inject',
  'lazy',
  'auto',
  'toolSearch()',
] as const;

export type Way = (typeof WAYS)[number];

/** A way in which the model gets its tools: that of `auto` is the strategy that it chose. */
export type UsedWay = Exclude<Way, 'auto'> | StrategyName;

/** The name of a tool for the model. */
const nameOf = ({ group, tool }: Goal): string =>
  group === undefined ? tool : `${group}__${tool}`;

/** What the model has seen and done. */
export interface Progress {
  /** The tools whose schemas the model has. */
  readonly shown: Set<string>;
  /** The calls of the turn that are made. */
  done: number;
}

/** The next reply in a turn. `raw`: the body of the request. */
export function nextReply(
  way: UsedWay,
  goals: readonly Goal[],
  progress: Progress,
  raw: string,
): Reply {
  const wanted = goals[progress.done];
  if (!wanted) return { text: 'That is done.' };
  const name = nameOf(wanted);
  const { shown } = progress;
  const call = (tool: string, input: object): Reply => ({
    calls: [{ name: tool, arguments: input }],
  });
  const run = (tool: string, input: object): Reply => {
    progress.done++;
    return call(tool, input);
  };
  // Preloaded with the user's message, as text or as an appended tool.
  if (way.endsWith('preload') && holds(raw, name)) shown.add(name);
  const isShown = shown.has(name);
  if (way === 'eager') return run(name, wanted.input);
  if (way === 'bridge' || way === 'lazy' || way === 'toolSearch()') {
    if (isShown && !holds(raw, name)) throw new Error(`${way} did not show ${name}.`);
    shown.add(name);
    const query = `${wanted.group ?? ''} ${wanted.tool.replaceAll('_', ' ')}`.trim();
    if (way === 'bridge')
      return isShown
        ? run('tool_call', { name, arguments: wanted.input })
        : call('tool_search', { query, limit: 3 });
    if (isShown) return run(name, wanted.input);
    return way === 'lazy' ? call('request_tool', { name }) : call('find_tools', { query });
  }
  if (!isShown) {
    // One load brings all tools of the group that the turn needs.
    const inGroup = goals.filter(({ group }) => group === wanted.group);
    for (const other of inGroup) shown.add(nameOf(other));
    const names = inGroup.map(({ tool }) => tool);
    const group_id = wanted.group === undefined ? 'app' : `mcp:${wanted.group}`;
    return call('load_tools', { group_id, tool_names: names });
  }
  return way.startsWith('dispatch')
    ? run('deferred_tool_call', { tool_name: name, arguments: wanted.input })
    : run(name, wanted.input);
}

/** Whether a request holds a name in quotes, as schemas do. The catalog lists names of own tools without them. */
function holds(raw: string, name: string): boolean {
  return raw.replaceAll('\\', '').includes(`"${name}"`);
}
