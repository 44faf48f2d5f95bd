import type { Strategy } from './strategy.ts';

/** Loaded tools join the declared ones: native calls, paid for with the cached prefix at each load. */
export const inject: Strategy = {
  name: 'inject',
  summary: 'load a group; its schemas are declared from the next step',
  keepsPrefix: false,
  defers: 'unmarked',
  delivers: 'tools',
  bridges: ({ namesDropped }) => (namesDropped ? ['load_tools', 'tool_search'] : ['load_tools']),
  hints: 'where they fit',
  guidance: (names) => `# More tools

The tools listed here are yours to use, but not loaded. Call ${names.load_tools} with a group id, and with tool_names where you need only some; from your next step on they are among your tools. Look through this list before you say that something cannot be done.`,
};
