import { createAnthropic } from '@ai-sdk/anthropic';
import type { Reply } from '@toolfold/testing';
import type { Scenario } from '../scenario.ts';
import { resultGroup } from './result-group.ts';
import { webSearch } from './streams.ts';

const done = { text: 'Done.' };

/** A call of a tool of the group `results`. */
const result = (name: string): Reply => ({
  calls: [{ name: 'deferred_tool_call', arguments: { tool_name: `results__${name}` } }],
});

/** Results of all forms. */
export const RESULTS: readonly Scenario[] = [
  {
    name: 'pictures',
    options: (world) => ({ groups: [resultGroup(world)] }),
    script: [result('picture'), result('failing'), done],
  },
  {
    name: 'provider-executed',
    options: () => ({
      strategy: 'eager',
      tools: { web_search: createAnthropic().tools.webSearch_20250305({ maxUses: 2 }) },
    }),
    streams: [webSearch()],
    script: [done],
  },
];
