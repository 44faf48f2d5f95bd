import type { Strategy } from './strategy.ts';

/** Schemas travel in results and calls through one dispatcher: nothing already sent ever changes. */
export const dispatch: Strategy = {
  name: 'dispatch',
  summary: 'load a group into the conversation; call through a dispatcher',
  keepsPrefix: true,
  defers: 'unmarked',
  delivers: 'result',
  bridges: ({ namesDropped }) =>
    namesDropped
      ? ['load_tools', 'deferred_tool_call', 'tool_search']
      : ['load_tools', 'deferred_tool_call'],
  hints: 'where they fit',
  guidance: (names) => `# More tools

The tools listed here are yours to use, but their parameters are not shown yet. Call ${names.load_tools} with a group id, and with tool_names where you need only some; then call the tool through ${names.deferred_tool_call}. If you already know a tool's arguments, call it at once. Search this list before you say that something cannot be done.`,
};
