import { core, mutate, mutateSdk, type ProductPromise, sdk } from './promise.ts';

/** Promises about schemas that are appended in mid-conversation. */
export const ofNative: readonly ProductPromise[] = [
  {
    number: 41,
    text: 'An appended schema stands once, where it was first known; no later change edits it.',
    status: 'held',
    tests: [...core('request/deliveries'), ...sdk('native/native', 'native/forged')],
    mutations: [
      mutate('transcript/conversation', 'let at = after + 1', 'let at = 0', 'request/deliveries'),
      mutate(
        'request/deliveries',
        'if (standing.get(shown.name) === json) continue;',
        '',
        'request/deliveries',
      ),
      mutate('request/deliveries', 'fixed.has(shown.name) || ', '', 'request/deliveries'),
      mutate(
        'request/deliveries',
        '!(isDeclared || isKnown(inputs, shown.name, json))',
        'false',
        'request/deliveries',
      ),
      mutate('request/deliveries', 'wasText || ', '', 'request/deliveries'),
      mutate(
        'request/prepare',
        "strategy.delivers !== 'result'",
        "strategy.delivers === 'tools'",
        'request/deliveries',
      ),
      mutateSdk('native/openai', 'groupSlug(groupId);', 'groupId;', 'native/forged'),
      mutateSdk('native/placing', '&& !this.#inResults.has(delivery)', '', 'native/native'),
    ],
  },
  {
    number: 42,
    text: 'If an endpoint refuses appended tools, dispatch is used instead: the fallback happens once, is remembered and is reported.',
    status: 'held',
    tests: [...core('request/deliveries'), ...sdk('native/fallback', 'native/odd')],
    mutations: [
      mutateSdk('middleware', 'isFirst || refusal.isAboutForm', 'false', 'native/fallback'),
      mutateSdk('middleware', 'isFirst || refusal.isAboutForm', 'true', 'native/odd'),
      mutateSdk('middleware', 'isRetryable(second) ? second : error', 'second', 'native/fallback'),
      mutate(
        'epoch/epoch-choice',
        "return strategies[wanted].delivers === 'append' && insteadOf === wanted;",
        'return false;',
        'request/deliveries',
      ),
    ],
  },
];
