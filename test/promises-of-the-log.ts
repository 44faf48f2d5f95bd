import { mutateTeam, type ProductPromise, team } from './promise.ts';

/** Promises about the log of a conversation. */
export const ofLog: readonly ProductPromise[] = [
  {
    number: 67,
    text: 'A conversation is one log: an event follows from an entry or a draft, and is emitted when what stands before it is durable.',
    status: 'held',
    tests: team('log/log'),
    mutations: [
      mutateTeam('log/log', '(isKept || this.#writing) && !this.#isHurried', 'false', 'log/log'),
      mutateTeam('log/log', 'if (item.write) this.#keep(item.write);', '', 'log/log'),
    ],
  },
];
