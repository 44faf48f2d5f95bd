import { core, mutate, mutateSdk, type ProductPromise, sdk } from './promise.ts';

/** What holds of what may run. */
export const ofPolicy: readonly ProductPromise[] = [
  {
    number: 49,
    text: 'A tool left out of activeTools is not found, shown, loaded, described or called; the prefix stays.',
    status: 'held',
    tests: [...core('active'), ...sdk('active-tools', 'active-odd')],
    mutations: [
      {
        ...mutate(
          'session',
          'active.view === everything ? this.#view : intersect(this.#view, active.view)',
          'this.#view',
        ),
        tests: sdk('active-tools', 'active-odd'),
      },
      {
        ...mutate('epoch', 'const catalog = isAll(active)', 'const catalog = isAll(ALL_ACTIVE)'),
        tests: sdk('active-tools'),
      },
      {
        ...mutate('fold', "active = readActive(own(note, 'active')) ?? active;", ''),
        tests: sdk('active-tools'),
      },
      mutateSdk(
        'tail',
        'turn.isActive(entry) ? turn.definitionOf(entry) : undefined',
        'turn.definitionOf(entry)',
        'active-odd',
      ),
      mutateSdk(
        'tool-runner',
        'arrival?.turn ?? this.#inputs.bridgeTurnOf(',
        'this.#inputs.turnOf(',
        'active-tools',
      ),
    ],
  },
];
