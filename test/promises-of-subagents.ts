import { mutate, type ProductPromise, tests } from './promise.ts';

/** Promises about subagents. */
export const ofSubagents: readonly ProductPromise[] = [
  {
    number: 44,
    text: 'A subagent cannot reach anything that its parent may not, by any route; withheld tools stay withheld.',
    status: 'held',
    tests: tests('authority'),
    mutations: [
      {
        ...mutate('if (parent) {', 'if (parent && false) {'),
        tests: tests('authority'),
      },
      {
        file: 'packages/agent/src/agent/set-up.ts',
        find: '...(isWithoutTeam ? [SUBAGENTS] : [])',
        replace: '',
        tests: tests('authority'),
      },
      mutate('      without: withhold,', '      without: [],', 'authority'),
    ],
  },
  {
    number: 45,
    text: 'After a cancelled turn or subagent has ended, nothing of it runs; every tool that ran is kept with what is known of its result.',
    status: 'held',
    tests: [
      ...tests('cancel', 'odd-teams'),
      ...tests('broken-turns', 'agent/test/interrupted', 'discarded', 'agent/test/resume'),
    ],
    mutations: [
      {
        file: 'packages/agent/src/loop/break-off.ts',
        find: 'within(TOOL_GRACE, Promise.allSettled(all))',
        replace: 'Promise.resolve(all)',
        tests: tests('cancel'),
      },
      {
        file: 'packages/agent/src/loop/break-off.ts',
        find: 'const hasRun = turn.hasRun || calls.some(({ toolCallId }) => runs.has(toolCallId));',
        replace: 'const hasRun = calls.length > runs.size + 99;',
        tests: [...tests('cancel', 'odd-teams'), ...tests('broken-turns')],
      },
      {
        file: 'packages/agent/src/loop/turn.ts',
        find: 'if (this.isOver || this.signal.aborted)',
        replace: 'if (this.isOver && false)',
        tests: [...tests('test/interrupted')],
      },
      {
        file: 'packages/agent/src/loop/call-log.ts',
        find: 'if (!state.runs.has(id))',
        replace: 'if (state)',
        tests: [...tests('test/interrupted')],
      },
      {
        file: 'packages/agent/src/state/apply-entry.ts',
        find: "  return [{ type: 'failure', id, name, error, ...pick(result, 'duration', 'isUnknown') }];",
        replace: '  return [];',
        tests: [...tests('broken-turns')],
      },
      {
        file: 'packages/agent/src/loop/break-off.ts',
        find: 'if (recorder.isInFlight) return [interrupted(log, recorder)];',
        replace: 'if (recorder.isInFlight) return [];',
        tests: [...tests('discarded')],
      },
      {
        file: 'packages/agent/src/state/apply-entry.ts',
        find: "const said = text === '' ? [] : [{ type: 'text' as const, text }];",
        replace: 'const said: never[] = [];',
        tests: [...tests('discarded')],
      },
    ],
  },
  {
    number: 46,
    text: 'Results of subagents stand in the order of their tasks, stay within their bytes, and state what was cut.',
    status: 'held',
    tests: tests('report'),
    mutations: [
      mutate('...(isCut && { truncated: true })', '', 'report'),
      mutate('limit - jsonBytes(frame)', 'limit', 'report'),
    ],
  },
  {
    number: 47,
    text: 'Never more subagents work at once than the limits allow, and the failure of one does not affect the others.',
    status: 'held',
    tests: tests('team', 'in-process', 'input', 'every-strategy'),
    mutations: [
      mutate('input.timeout ?? timeout, MAX_TIMEOUT', 'input.timeout ?? timeout', 'input'),
      mutate('working.length < slots && ', '', 'team', 'in-process'),
      mutate(
        'inputSchema(options) }, given);\n  if (!check.ok) {',
        'inputSchema(options) }, given);\n  if (false) {',
        'input',
        'every-strategy',
      ),
      mutate(
        "if (reason === 'error') return { status: 'failed', text, error: messageOf(error) };",
        '',
        'team',
      ),
    ],
  },
  {
    number: 48,
    text: "The cost of subagents counts in their parent's ledger; once a budget is spent, no further subagents start.",
    status: 'held',
    tests: tests('subagents/cost', 'floods', 'odd-teams'),
    mutations: [
      mutate(
        "if (event.type === 'usage' || event.type === 'subagent') state.accounts.take(event);",
        '',
        'subagents/cost',
      ),
      mutate("this.#send({ type: 'stop', reason })", 'undefined', 'subagents/cost'),
      mutate('if (characters > MAX_ANSWER) flood.abort();', '', 'floods'),
      mutate(
        "if (isWaiting) drop('not_started', command.reason);",
        'if (isWaiting) return;',
        'subagents/cost',
      ),
    ],
  },
];
