import { mutate, type ProductPromise, tests } from './promise.ts';

/** Promises about schemas that are appended in mid-conversation. */
export const ofNative: readonly ProductPromise[] = [
  {
    number: 41,
    text: 'An appended schema stands once, where it was first known; no later change edits it.',
    status: 'held',
    tests: [...tests('deliveries'), ...tests('native', 'forged')],
    mutations: [
      mutate('let at = after + 1', 'let at = 0', 'deliveries'),
      mutate('if (standing.get(shown.name) === json) continue;', '', 'deliveries'),
      mutate('fixed.has(shown.name) || ', '', 'deliveries'),
      mutate('!(isDeclared || isKnown(inputs, shown.name, json))', 'false', 'deliveries'),
      mutate('wasText || ', '', 'deliveries'),
      mutate("strategy.delivers !== 'result'", "strategy.delivers === 'tools'", 'deliveries'),
      mutate('const name = groupSlug(groupId);', 'const name = groupId;', 'forged'),
      mutate('&& !this.#inResults.has(delivery)', '', 'native'),
    ],
  },
  {
    number: 42,
    text: 'If an endpoint refuses appended tools, dispatch is used instead: the fallback happens once, is remembered and is reported.',
    status: 'held',
    tests: [...tests('deliveries'), ...tests('fallback', 'odd')],
    mutations: [
      mutate('isFirst || refusal.isAboutForm', 'false', 'fallback'),
      mutate('isFirst || refusal.isAboutForm', 'true', 'odd'),
      mutate('isRetryable(second) ? second : error', 'second', 'fallback'),
      mutate(
        "return strategies[wanted].delivers === 'append' && insteadOf === wanted;",
        'return false;',
        'deliveries',
      ),
    ],
  },
];
