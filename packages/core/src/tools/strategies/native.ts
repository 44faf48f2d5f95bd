import type { Strategy } from './strategy.ts';

/** Loaded schemas are appended in mid-conversation, in the provider's own form: native calls, whole prefix. */
export const native: Strategy = {
  name: 'native',
  summary: "load a group; the provider's own append declares it from there on",
  keepsPrefix: true,
  defers: 'unmarked',
  delivers: 'append',
  bridges: ({ namesDropped }) => (namesDropped ? ['load_tools', 'tool_search'] : ['load_tools']),
  hints: 'where they fit',
  guidance: (names) => `# More tools

The tools listed here are yours to use, but not loaded. Call ${names.load_tools} with a group id, and with tool_names where you need only some; from your next step on they are among your tools, to be called by the names they have there. Look through this list before you say that something cannot be done.`,
};
