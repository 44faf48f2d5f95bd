import type { Strategy } from './strategy.ts';

/** Two passes: a name and a line for each tool, the schema from the step after it was asked for. */
export const lazy: Strategy = {
  name: 'lazy',
  summary: 'names and one line each; a requested schema is declared from the next step',
  keepsPrefix: false,
  defers: 'unmarked',
  delivers: 'tools',
  bridges: ({ namesDropped }) =>
    namesDropped ? ['request_tool', 'tool_search'] : ['request_tool'],
  hints: 'always',
  guidance: (names) => `# More tools

The tools listed here are yours to use, but their parameters are not shown yet. To use one, call ${names.request_tool} with its name; from your next step on it is among your tools. Answer directly when no tool is needed.`,
};
