import { mutateSdk, mutateTeam, type ProductPromise, team } from './promise.ts';

/** What holds of subagents. */
export const ofSubagents: readonly ProductPromise[] = [
  {
    number: 44,
    text: 'A subagent reaches nothing that its parent may not, by no route; what is withheld stays withheld.',
    status: 'held',
    tests: team('authority'),
    mutations: [
      {
        ...mutateSdk('fold', 'if (parent) return', 'if (parent && false) return'),
        tests: team('authority'),
      },
      {
        file: 'src/agent/turn-settings.ts',
        find: '...(has && !team ? [SUBAGENTS] : [])',
        replace: '',
        tests: team('authority'),
      },
      mutateTeam('team', '      without: withhold,', '      without: [],', 'authority'),
    ],
  },
  {
    number: 45,
    text: 'Once a cancelled turn or subagent has ended nothing of it runs, and what ran is kept with what is known of it.',
    status: 'held',
    tests: [
      ...team('cancel', 'odd-teams'),
      ...['broken-turns', 'interrupted', 'discarded', 'resume'].map(
        (name) => `src/agent/${name}.test.ts`,
      ),
    ],
    mutations: [
      {
        file: 'src/agent/within.ts',
        find: 'await Promise.race([late, Promise.allSettled(promises)]);',
        replace: '',
        tests: team('cancel'),
      },
      {
        file: 'src/agent/turn.ts',
        find: 'if (last.hasRun) return [...this.#reached, ...(await last.messages(this.tools))];',
        replace: '',
        tests: [...team('cancel', 'odd-teams'), 'src/agent/broken-turns.test.ts'],
      },
      {
        file: 'src/agent/turn.ts',
        find: 'if (this.#isOver || this.#signal.aborted)',
        replace: 'if (this.#isOver && false)',
        tests: ['src/agent/interrupted.test.ts'],
      },
      {
        file: 'src/agent/step.ts',
        find: 'if (run) run.hasBegun = true;',
        replace: '',
        tests: ['src/agent/interrupted.test.ts'],
      },
      {
        file: 'src/agent/step.ts',
        find: "if (part.type !== 'tool-call' || this.#read.calls.has(part.toolCallId)) continue;",
        replace: 'continue;',
        tests: ['src/agent/broken-turns.test.ts'],
      },
      {
        file: 'src/agent/generation.ts',
        find: 'if (discarded) yield* this.#told([discarded]);',
        replace: '',
        tests: ['src/agent/discarded.test.ts'],
      },
      {
        file: 'src/agent/broken-off.ts',
        find: "if (!note && messages.at(-1)?.role !== 'tool') return [];",
        replace: 'if (messages.length > 0) return [];',
        tests: ['src/agent/resume.test.ts'],
      },
    ],
  },
  {
    number: 46,
    text: 'Results of subagents stand in the order of their tasks, within their bytes, and say what was cut.',
    status: 'held',
    tests: team('report'),
    mutations: [
      mutateTeam('report', '...(shown !== answer && { truncated: true })', '', 'report'),
      mutateTeam('report', 'limit - jsonBytes(frame)', 'limit', 'report'),
    ],
  },
  {
    number: 47,
    text: 'No more subagents work at once than the limits say, and each fails for itself.',
    status: 'held',
    tests: team('team', 'in-process', 'input', 'every-strategy'),
    mutations: [
      mutateTeam(
        'input',
        'input.timeout ?? timeout, MAX_TIMEOUT',
        'input.timeout ?? timeout',
        'input',
      ),
      mutateTeam('in-process', 'working < slots && ', '', 'team', 'in-process'),
      mutateTeam('input', 'if (!check.ok) {', 'if (false) {', 'input', 'every-strategy'),
      mutateTeam(
        'last-answer',
        "if (reason === 'error') return { status: 'failed', text, error: told(error) };",
        '',
        'team',
      ),
    ],
  },
  {
    number: 48,
    text: "What subagents cost counts in their parent's ledger; a spent budget starts no others.",
    status: 'held',
    tests: team('cost', 'floods', 'odd-teams'),
    mutations: [
      mutateTeam('team', '    this.#given.ledger.take(event);', '', 'cost'),
      mutateTeam('team', "batch.send({ type: 'stop', reason })", 'undefined', 'cost'),
      mutateTeam('child', 'if (characters > MAX_ANSWER) flood.abort();', '', 'floods'),
      mutateTeam('in-process', 'child.stop(command.reason);', '{}', 'cost'),
    ],
  },
];
