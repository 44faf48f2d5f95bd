import { mutate, type ProductPromise, tests } from './promise.ts';

/** Promises about the log of a conversation. */
export const ofLog: readonly ProductPromise[] = [
  {
    number: 67,
    text: 'A conversation is one log: an event follows from an entry or a draft, and is emitted when what stands before it is durable.',
    status: 'held',
    tests: tests('log'),
    mutations: [
      mutate('!(isKept || this.#writing)', 'true', 'log'),
      mutate('done.reject(error);', 'done.resolve();', 'log'),
      mutate('if (write) this.#keep(write);', '', 'log'),
    ],
  },
];
