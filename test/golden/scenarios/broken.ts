import type { Scenario } from '../scenario.ts';
import { direct, dispatched } from './dialect.ts';

const done = { text: 'Done.' };
const overloaded = { error: { status: 529, body: 'Overloaded.' } };

/** Turns that did not go to their end at once. */
export const BROKEN: readonly Scenario[] = [
  {
    name: 'failed-request-resumed',
    format: 'chat',
    options: () => ({ strategy: 'eager' }),
    script: [{ calls: [direct('add', 1)] }, overloaded, done],
    play: async ({ talk, read }) => {
      await read(talk.send('Go.'));
      await read(talk.resume());
    },
  },
  {
    name: 'unknown-call-happened',
    hasOddTools: true,
    script: [{ calls: [dispatched('hang', 1), dispatched('read', 2)] }, done],
    play: async ({ talk, read, reopen, hanging, free }) => {
      void read(talk.send('Go.'));
      await hanging;
      await free();
      const second = await reopen();
      const calls = await second.unknown();
      const choice = { choice: 'happened', note: 'It is there.' } as const;
      await read(
        second.resume({ unknown: Object.fromEntries(calls.map(({ id }) => [id, choice])) }),
      );
    },
  },
];
