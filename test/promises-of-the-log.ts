import { mutateTeam, type ProductPromise, team } from './promise.ts';

/** Promises about the log of a conversation. */
export const ofLog: readonly ProductPromise[] = [
  {
    number: 67,
    text: 'A conversation is one log: an event follows from an entry or a draft, and is emitted when what stands before it is durable.',
    status: 'held',
    tests: team('log/log'),
    mutations: [
      mutateTeam('log/writer', '!(isKept || this.#writing)', 'true', 'log/log'),
      mutateTeam('log/writer', 'done.reject(error);', 'done.resolve();', 'log/log'),
      mutateTeam('log/log', 'if (write) this.#keep(write);', '', 'log/log'),
    ],
  },
];
