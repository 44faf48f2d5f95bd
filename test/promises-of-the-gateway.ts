import { mutate, type ProductPromise, tests } from './promise.ts';

/** Promises of `toolfold serve`. */
export const ofGateway: readonly ProductPromise[] = [
  {
    number: 70,
    text: 'A call through the gateway answers, byte for byte, what a direct connection answers, and so do questions, progress, logs and lists; for both revisions at both ends.',
    status: 'held',
    tests: tests('fidelity', 'every-pairing'),
    mutations: [
      mutate(
        "if (!('resultType' in result)) return result;",
        'if (!result.resultType) return { content: [], ...result };',
        'fidelity',
      ),
      mutate('{ ...params, progressToken }', '{ progressToken, ...params }', 'fidelity'),
    ],
  },
  {
    number: 71,
    text: 'Clients of the gateway share a connection only where no state, question, root or log of one can reach another.',
    status: 'held',
    tests: tests('isolation', 'gateway/unanswered', 'resources'),
    mutations: [
      mutate(
        'canonicalJson({ capabilities, roots: roots ?? null })',
        'canonicalJson({ capabilities })',
        'isolation',
      ),
      mutate(
        "if (!canAsk || entry.kind === 'http') return work(connection);",
        'if (canAsk) return work(connection);',
        'isolation',
      ),
      mutate(
        'return this.#used.size - this.#asking.size < this.#atWork;',
        'return this.#used.size < this.#atWork;',
        'gateway/unanswered',
      ),
      mutate(
        "if (address.includes('?')) return [];",
        "if (address === '?') return [];",
        'resources',
      ),
    ],
  },
  {
    number: 72,
    text: 'A question that waits for a client of 2026-07-28 is answered once, by the request that it was asked for.',
    status: 'held',
    tests: tests('parked-calls', 'declared'),
    mutations: [
      mutate(
        'return isSame && this.#binding === bindingOf(incoming);',
        'return isSame;',
        'parked-calls',
      ),
      mutate(
        'if (isDeclared(question, capabilities)) return;',
        'if (question.method) return;',
        'declared',
      ),
    ],
  },
  {
    number: 73,
    text: 'Over HTTP, the gateway answers no page of another site, and beyond this machine nobody without the token.',
    status: 'held',
    tests: tests('http-server'),
    mutations: [
      mutate(
        'if (origin !== undefined && !isAllowedOrigin(origin, name))',
        'if (origin === name)',
        'http-server',
      ),
      mutate(
        'return timingSafeEqual(digest(text), digest(token));',
        'return token.startsWith(text);',
        'http-server',
      ),
    ],
  },
  {
    number: 74,
    text: 'A tool that is hidden from models cannot be listed, found or called through the gateway, and looks like one that does not exist.',
    status: 'held',
    tests: tests('view', 'gateway-lists/shown-tools'),
    mutations: [
      mutate(
        'known.filter(({ hidden }) => hidden === undefined)',
        'known.filter(({ hidden }) => hidden !== null)',
        'view',
      ),
      mutate("return exposure === 'hidden';", 'return false;', 'gateway-lists/shown-tools'),
    ],
  },
  {
    number: 75,
    text: 'No server outlives the gateway, and the gateway ends with its client.',
    status: 'held',
    tests: tests('serve'),
    mutations: [
      {
        ...mutate(
          'void within(LAST_TIME, client.finish()).then(() => resolve());',
          'void client.finish();',
        ),
        tests: tests('serve'),
      },
    ],
  },
];
