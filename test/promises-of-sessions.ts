import { mutate, type ProductPromise, tests } from './promise.ts';

/** Promises about sessions. */
export const ofSessions: readonly ProductPromise[] = [
  {
    number: 58,
    text: 'After the end of a process at any point, no call runs again that may have had an effect, unless a trusted source calls this safe or the user wants it.',
    status: 'held',
    tests: tests(
      'call-log',
      'taken',
      'unknown',
      'log/session',
      'subagents/sessions',
      'unknown-calls',
    ),
    mutations: [
      mutate('if (past?.outcome) return replay(past.outcome);', '', 'call-log'),
      mutate(
        'past && !this.#options.isRepeatable(name) ? await this.#chosen(call, signal) : undefined',
        'undefined',
        'call-log',
      ),
      mutate('if (!parent.state.paid.has(child)) return false;', 'return false;', 'unknown-calls'),
      mutate(
        "return typeof subagents?.options.engine !== 'object';",
        'return true;',
        'unknown-calls',
      ),
      mutate('if (at <= since) return;', '', 'taken', 'unknown'),
      mutate("void this.append(['message', message]).catch(() => {});", '', 'taken'),
    ],
  },
  {
    number: 59,
    text: 'A conversation goes on in another process with the same bytes; its answers are written before their calls run, and no request carries a call without a result. A message without an answer gets a mark before the next one.',
    status: 'held',
    tests: tests('log/kept', 'test/unanswered'),
    mutations: [
      mutate(
        'await log.append(...this.#entries(part)).catch(',
        'await Promise.resolve().catch(',
        'log/kept',
      ),
      mutate('if (replay) return { stream: replayed(replay) };', '', 'log/kept'),
      mutate('return turn > 0 &&', 'return turn < 0 &&', 'test/unanswered'),
    ],
  },
  {
    number: 60,
    text: 'One process at a time writes a session; another one that tries is told who writes, and one that has lost it writes nothing.',
    status: 'held',
    tests: [...tests('sqlite-store')],
    mutations: [
      {
        file: 'packages/agent/src/sqlite/leases.ts',
        find: 'if (row.fence === fence && row.owner) return row;',
        replace: 'if (fence > 0) return row;',
        tests: [...tests('sqlite-store')],
      },
    ],
  },
];

/** The promise about damaged files of sessions. */
export const ofDamagedFiles: readonly ProductPromise[] = [
  {
    number: 80,
    text: 'A damaged file of sessions, and one beside a log of another file or state, is not written. What is read of it is what was written, and what is lost is marked or said.',
    status: 'held',
    tests: tests('damage', 'damaged-session', 'foreign-log', 'overwritten'),
    mutations: [
      mutate('if (damage) return openDamaged(file, damage);', '', 'damage'),
      mutate('readOnly: (log?.size ?? 0) > 0', 'readOnly: false', 'damage'),
      mutate('if (damage) throw damage;', '', 'damage'),
      mutate('if (commits < 2) return', 'if (commits >= 0) return', 'damage'),
      mutate('if (foreign) throw foreignLogError(file, foreign);', '', 'foreign-log'),
      mutate('commitNumberAfter(last.number) | 0', 'last.number', 'foreign-log'),
      mutate('? this.#overwritten(last)', '? undefined', 'overwritten'),
      mutate(
        "if (typeof json !== 'string' || !isUnchanged({ json, checksum }, besideBody(row))) return;",
        "if (typeof json !== 'string') return;",
        'damage',
      ),
    ],
  },
];
