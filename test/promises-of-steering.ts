import { mutateTeam, type ProductPromise, team } from './promise.ts';

/** Promises about messages of the user for a running turn. */
export const ofSteering: readonly ProductPromise[] = [
  {
    number: 79,
    text: 'A message of the user for a running turn is in its next request, behind the results, exactly once, also if another process posts it; calls that have not begun do not run, and the end of the process loses nothing.',
    status: 'held',
    tests: team(
      'inbox/at-each-point',
      'inbox/in-between',
      'log/chaos/kill-messages',
      'log/chaos/kill-smoke',
    ),
    mutations: [
      mutateTeam(
        'loop/turn-settings',
        'await raceAbort(log.look(), signal);',
        '',
        'inbox/at-each-point',
      ),
      mutateTeam(
        'loop/turn-settings',
        "return isKnown ? [] : [['user'",
        "return [['user'",
        'inbox/in-between',
      ),
      mutateTeam(
        'inbox/steering',
        "isEnd || (this.isAccepted && when === 'now');",
        'isEnd;',
        'inbox/at-each-point',
      ),
      mutateTeam('log/log', 'if (isKnown || !isOfUser) void', 'void', 'inbox/in-between'),
      mutateTeam(
        'loop/call-limits',
        '!askedCalls.has(toolCallId) && !runs.has(toolCallId)',
        '!askedCalls.has(toolCallId)',
        'inbox/in-between',
      ),
      mutateTeam(
        'loop/call-limits',
        'if (denied !== undefined && thrown === undefined)',
        'if (!runs)',
        'inbox/in-between',
      ),
      mutateTeam('set-up', 'fixed.steering.isDue &&', 'false &&', 'inbox/at-each-point'),
    ],
  },
];
