import { type Mutation, mutateTeam, type ProductPromise, team } from './promise.ts';

const mutateSession = (file: string, find: string, replace: string, test: string): Mutation => ({
  file: `packages/agent/src/agent/${file}.ts`,
  find,
  replace,
  tests: team(test),
});

const DAMAGE = 'packages/agent/src/sessions/sqlite/damage.test.ts';

const mutateFile = (file: string, find: string, replace: string): Mutation => ({
  file: `packages/agent/src/sessions/sqlite/${file}.ts`,
  find,
  replace,
  tests: [DAMAGE],
});

/** Promises about sessions. */
export const ofSessions: readonly ProductPromise[] = [
  {
    number: 58,
    text: 'After the end of a process at any point, no call runs again that may have had an effect, unless a trusted source calls this safe or the user wants it.',
    status: 'held',
    tests: team(
      'calls/call-log',
      'inbox/taken',
      'inbox/unknown',
      'log/session',
      'subagents/sessions',
      'subagents/unknown-calls',
    ),
    mutations: [
      mutateTeam(
        'calls/call-log',
        'if (past?.outcome) return replay(past.outcome);',
        '',
        'calls/call-log',
      ),
      mutateTeam(
        'calls/call-log',
        'past && !this.#options.isRepeatable(name) ? await this.#chosen(call, signal) : undefined',
        'undefined',
        'calls/call-log',
      ),
      mutateTeam(
        'subagents/unknown-calls',
        'if (!parent.state.paid.has(child)) return false;',
        'return false;',
        'subagents/unknown-calls',
      ),
      mutateTeam(
        'set-up',
        "return typeof subagents?.options.engine !== 'object';",
        'return true;',
        'subagents/unknown-calls',
      ),
      mutateTeam(
        'inbox/remote-answers',
        'if (at <= since) return;',
        '',
        'inbox/taken',
        'inbox/unknown',
      ),
      mutateTeam(
        'log/log',
        "void this.append(['message', message]).catch(() => {});",
        '',
        'inbox/taken',
      ),
    ],
  },
  {
    number: 59,
    text: 'A conversation goes on in another process with the same bytes; its answers are written before their calls run, and no request carries a call without a result. A message without an answer gets a mark before the next one.',
    status: 'held',
    tests: team('log/kept', 'unanswered'),
    mutations: [
      mutateSession(
        'log/answer-recorder',
        'await log.append(...this.#entries(part)).catch(',
        'await Promise.resolve().catch(',
        'log/kept',
      ),
      mutateSession(
        'log/answer-recorder',
        'if (replay) return { stream: replayed(replay) };',
        '',
        'log/kept',
      ),
      mutateSession('agent', 'return turn > 0 &&', 'return turn < 0 &&', 'unanswered'),
    ],
  },
  {
    number: 60,
    text: 'One process at a time writes a session; another one that tries is told who writes, and one that has lost it writes nothing.',
    status: 'held',
    tests: ['packages/agent/src/sessions/sqlite/sqlite-store.test.ts'],
    mutations: [
      {
        file: 'packages/agent/src/sessions/sqlite/tables/leases.ts',
        find: 'if (row.fence !== fence || !row.owner) {',
        replace: 'if (fence < 0) {',
        tests: ['packages/agent/src/sessions/sqlite/sqlite-store.test.ts'],
      },
    ],
  },
];

/** The promise about damaged files of sessions. */
export const ofDamagedFiles: readonly ProductPromise[] = [
  {
    number: 80,
    text: 'A damaged file of sessions is not written. What is read of it is what was written, and what is lost is marked or said.',
    status: 'held',
    tests: [DAMAGE, 'packages/toolfold/src/cli/sessions/damaged-session.test.ts'],
    mutations: [
      mutateFile('open-file', 'if (damage) return openDamaged(file, damage);', ''),
      mutateFile('open-file', 'readOnly: (log?.size ?? 0) > 0', 'readOnly: false'),
      mutateFile('session-file', 'if (damage) throw damage;', ''),
      mutateFile('log-check', 'if (commits < 2) return;', 'if (commits >= 0) return;'),
      mutateFile(
        'tables/entries',
        "if (typeof json !== 'string' || !isUnchanged({ json, checksum }, besideBody(row))) return;",
        "if (typeof json !== 'string') return;",
      ),
    ],
  },
];
