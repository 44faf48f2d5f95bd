import { mutateSdk, mutateTeam, type ProductPromise, team } from './promise.ts';

/** Promises about subagents. */
export const ofSubagents: readonly ProductPromise[] = [
  {
    number: 44,
    text: 'A subagent cannot reach anything that its parent may not, by any route; withheld tools stay withheld.',
    status: 'held',
    tests: team('subagents/authority'),
    mutations: [
      {
        ...mutateSdk('sessions', 'if (parent) {', 'if (parent && false) {'),
        tests: team('subagents/authority'),
      },
      {
        file: 'packages/agent/src/agent/set-up.ts',
        find: '...(isWithoutTeam ? [SUBAGENTS] : [])',
        replace: '',
        tests: team('subagents/authority'),
      },
      mutateTeam(
        'subagents/team',
        '      without: withhold,',
        '      without: [],',
        'subagents/authority',
      ),
    ],
  },
  {
    number: 45,
    text: 'After a cancelled turn or subagent has ended, nothing of it runs; every tool that ran is kept with what is known of its result.',
    status: 'held',
    tests: [
      ...team('subagents/cancel', 'subagents/odd-teams'),
      ...['broken-turns', 'interrupted', 'discarded', 'resume'].map(
        (name) => `packages/agent/src/agent/${name}.test.ts`,
      ),
    ],
    mutations: [
      {
        file: 'packages/agent/src/agent/loop/break-off.ts',
        find: 'within(TOOL_GRACE, Promise.allSettled(all))',
        replace: 'Promise.resolve(all)',
        tests: team('subagents/cancel'),
      },
      {
        file: 'packages/agent/src/agent/loop/break-off.ts',
        find: 'const hasRun = turn.hasRun || calls.some(({ toolCallId }) => runs.has(toolCallId));',
        replace: 'const hasRun = calls.length > runs.size + 99;',
        tests: [
          ...team('subagents/cancel', 'subagents/odd-teams'),
          'packages/agent/src/agent/broken-turns.test.ts',
        ],
      },
      {
        file: 'packages/agent/src/agent/loop/turn.ts',
        find: 'if (this.isOver || this.signal.aborted)',
        replace: 'if (this.isOver && false)',
        tests: ['packages/agent/src/agent/interrupted.test.ts'],
      },
      {
        file: 'packages/agent/src/agent/calls/closings.ts',
        find: 'if (!state.runs.has(id))',
        replace: 'if (state)',
        tests: ['packages/agent/src/agent/interrupted.test.ts'],
      },
      {
        file: 'packages/agent/src/agent/log/entry-events.ts',
        find: "  return [{ type: 'failure', id, name, error, ...pick(result, 'duration', 'isUnknown') }];",
        replace: '  return [];',
        tests: ['packages/agent/src/agent/broken-turns.test.ts'],
      },
      {
        file: 'packages/agent/src/agent/loop/break-off.ts',
        find: 'if (recorder.isInFlight) return [interrupted(log, recorder)];',
        replace: 'if (recorder.isInFlight) return [];',
        tests: ['packages/agent/src/agent/discarded.test.ts'],
      },
      {
        file: 'packages/agent/src/agent/state/apply-entry.ts',
        find: "const said = text === '' ? [] : [{ type: 'text' as const, text }];",
        replace: 'const said: never[] = [];',
        tests: ['packages/agent/src/agent/discarded.test.ts'],
      },
    ],
  },
  {
    number: 46,
    text: 'Results of subagents stand in the order of their tasks, stay within their bytes, and state what was cut.',
    status: 'held',
    tests: team('subagents/report/report'),
    mutations: [
      mutateTeam(
        'subagents/report/report',
        '...(isCut && { truncated: true })',
        '',
        'subagents/report/report',
      ),
      mutateTeam(
        'subagents/report/report',
        'limit - jsonBytes(frame)',
        'limit',
        'subagents/report/report',
      ),
    ],
  },
  {
    number: 47,
    text: 'Never more subagents work at once than the limits allow, and the failure of one does not affect the others.',
    status: 'held',
    tests: team(
      'subagents/team',
      'subagents/engine/in-process',
      'subagents/tool/input',
      'subagents/every-strategy',
    ),
    mutations: [
      mutateTeam(
        'subagents/tool/input',
        'input.timeout ?? timeout, MAX_TIMEOUT',
        'input.timeout ?? timeout',
        'subagents/tool/input',
      ),
      mutateTeam(
        'subagents/engine/in-process',
        'working.length < slots && ',
        '',
        'subagents/team',
        'subagents/engine/in-process',
      ),
      mutateTeam(
        'subagents/tool/input',
        'if (!check.ok) {',
        'if (false) {',
        'subagents/tool/input',
        'subagents/every-strategy',
      ),
      mutateTeam(
        'subagents/report/answer',
        "if (reason === 'error') return { status: 'failed', text, error: messageOf(error) };",
        '',
        'subagents/team',
      ),
    ],
  },
  {
    number: 48,
    text: "The cost of subagents counts in their parent's ledger; once a budget is spent, no further subagents start.",
    status: 'held',
    tests: team('subagents/cost', 'subagents/floods', 'subagents/odd-teams'),
    mutations: [
      mutateTeam(
        'state/apply-entry',
        "if (event.type === 'usage' || event.type === 'subagent') state.accounts.take(event);",
        '',
        'subagents/cost',
      ),
      mutateTeam(
        'subagents/running-call',
        "this.#send({ type: 'stop', reason })",
        'undefined',
        'subagents/cost',
      ),
      mutateTeam(
        'subagents/child',
        'if (characters > MAX_ANSWER) flood.abort();',
        '',
        'subagents/floods',
      ),
      mutateTeam(
        'subagents/engine/task-run',
        "if (isWaiting) drop('not_started', command.reason);",
        'if (isWaiting) return;',
        'subagents/cost',
      ),
    ],
  },
];
