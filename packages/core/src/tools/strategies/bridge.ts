import type { Strategy } from './strategy.ts';

/** Search, describe, call: for catalogs too large to load by the group. */
export const bridge: Strategy = {
  name: 'bridge',
  summary: 'search and describe single tools; call through a dispatcher',
  keepsPrefix: true,
  defers: 'unmarked',
  delivers: 'result',
  bridges: () => ['tool_search', 'tool_describe', 'tool_call'],
  hints: 'where they fit',
  guidance: (names) => `# More tools

The tools listed here are yours to use, but their parameters are not shown. Find one with ${names.tool_search}, or look up a name you see here with ${names.tool_describe}; then call it through ${names.tool_call}. If you already know a tool's arguments, call it at once. Search before you say that something cannot be done.`,
};
