import { cli, gateway, mutateGateway, type ProductPromise } from './promise.ts';

/** Promises of `toolfold serve`. */
export const ofGateway: readonly ProductPromise[] = [
  {
    number: 70,
    text: 'A call through the gateway answers, byte for byte, what a direct connection answers, and so do questions, progress, logs and lists; for both revisions at both ends.',
    status: 'held',
    tests: gateway('fidelity', 'every-pairing'),
    mutations: [
      mutateGateway(
        'front/revision',
        "if (!('resultType' in result)) return result;",
        'if (!result.resultType) return { content: [], ...result };',
        'fidelity',
      ),
      mutateGateway(
        'relay/asker',
        '{ ...params, progressToken }',
        '{ progressToken, ...params }',
        'fidelity',
      ),
    ],
  },
  {
    number: 71,
    text: 'Clients of the gateway share a connection only where no state, question, root or log of one can reach another.',
    status: 'held',
    tests: gateway('isolation/isolation', 'isolation/unanswered', 'resources/resources'),
    mutations: [
      mutateGateway(
        'isolation/client-class',
        'canonicalJson({ capabilities, roots: roots ?? null })',
        'canonicalJson({ capabilities })',
        'isolation/isolation',
      ),
      mutateGateway(
        'isolation/upstreams',
        "if (!canAsk || entry.kind === 'http') return work(connection);",
        'if (canAsk) return work(connection);',
        'isolation/isolation',
      ),
      mutateGateway(
        'isolation/leases',
        'return this.#used.size - this.#asking.size < this.#atWork;',
        'return this.#used.size < this.#atWork;',
        'isolation/unanswered',
      ),
      mutateGateway(
        'resources/owners',
        "if (address.includes('?')) return [];",
        "if (address === '?') return [];",
        'resources/resources',
      ),
    ],
  },
  {
    number: 72,
    text: 'A question that waits for a client of 2026-07-28 is answered once, by the request that it was asked for.',
    status: 'held',
    tests: gateway('relay/parked-calls', 'relay/declared'),
    mutations: [
      mutateGateway(
        'relay/parked-calls',
        'return isSame && this.#binding === bindingOf(incoming);',
        'return isSame;',
        'relay/parked-calls',
      ),
      mutateGateway(
        'relay/declared',
        'if (isDeclared(question, capabilities)) return;',
        'if (question.method) return;',
        'relay/declared',
      ),
    ],
  },
  {
    number: 73,
    text: 'Over HTTP, the gateway answers no page of another site, and beyond this machine nobody without the token.',
    status: 'held',
    tests: gateway('http/http-server'),
    mutations: [
      mutateGateway(
        'http/access',
        'if (origin !== undefined && !isAllowedOrigin(origin, name))',
        'if (origin === name)',
        'http/http-server',
      ),
      mutateGateway(
        'http/access',
        'return timingSafeEqual(digest(text), digest(token));',
        'return token.startsWith(text);',
        'http/http-server',
      ),
    ],
  },
  {
    number: 74,
    text: 'A tool that is hidden from models cannot be listed, found or called through the gateway, and looks like one that does not exist.',
    status: 'held',
    tests: gateway('lists/view', 'lists/passed-tools'),
    mutations: [
      mutateGateway('lists/known', 'hidden === undefined', 'hidden !== null', 'lists/view'),
      mutateGateway(
        'lists/passed-tools',
        "return exposure === 'hidden';",
        'return false;',
        'lists/passed-tools',
      ),
    ],
  },
  {
    number: 75,
    text: 'No server outlives the gateway, and the gateway ends with its client.',
    status: 'held',
    tests: cli('serve/serve'),
    mutations: [
      {
        ...mutateGateway(
          'front/stdio',
          'void within(LAST_TIME, client.finish()).then(() => resolve());',
          'void client.finish();',
        ),
        tests: cli('serve/serve'),
      },
    ],
  },
];
