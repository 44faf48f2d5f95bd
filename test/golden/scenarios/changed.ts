import { createRecall } from '@toolfold/agent';
import type { Scenario } from '../scenario.ts';
import { resultGroup } from './result-group.ts';

const done = { text: 'Done.' };
const recalled = {
  name: Object.keys(createRecall().tools)[0] ?? '',
  arguments: { id: 'toolu_1', limit: 200 },
};

/** Conversations that become shorter. */
export const CHANGED: readonly Scenario[] = [
  {
    name: 'compacted',
    options: (world) => ({ groups: [resultGroup(world)] }),
    next: [{ calls: [recalled] }],
    script: [
      { calls: [{ name: 'deferred_tool_call', arguments: { tool_name: 'results__long' } }] },
      { text: 'Read.' },
      { text: 'They read numbers.' },
      { calls: [{ ...recalled, id: 'toolu_9' }] },
      done,
    ],
    play: async ({ talk, read }) => {
      await read(talk.send('Go.'));
      await read(talk.compact());
      await read(talk.send('Read it again.'));
    },
  },
];
