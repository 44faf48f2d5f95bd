import { host, mutateHost, mutateSdk, mutateTeam, type ProductPromise, sdk } from './promise.ts';

/** Promises about calls of cancelled turns, and about what users are shown. */
export const ofShownCalls: readonly ProductPromise[] = [
  {
    number: 65,
    text: 'After a turn is cancelled no tool starts, and no hook keeps the turn waiting.',
    status: 'held',
    tests: sdk('attacks/aborted'),
    mutations: [
      mutateSdk('tool-set/run', 'signal?.throwIfAborted();', '', 'attacks/aborted'),
      {
        ...mutateHost('hooks', 'raceAbort(outcomeOf(hook), signal)', 'outcomeOf(hook)'),
        tests: ['packages/ai-sdk/src/attacks/aborted.test.ts'],
      },
      {
        ...mutateHost(
          'life',
          'const signal = call.signal ?? record.signal;',
          'const { signal } = call;',
        ),
        tests: ['packages/ai-sdk/src/attacks/aborted.test.ts'],
      },
      {
        ...mutateHost(
          'life',
          'const isLeftToTool = record.approval !== undefined && call.isRunHere;',
          'const isLeftToTool = false;',
        ),
        tests: ['packages/ai-sdk/src/attacks/aborted.test.ts'],
      },
      {
        ...mutateHost(
          'execute',
          'withGrace(hooks.after(hooked, ran), signal)',
          'hooks.after(hooked, ran)',
        ),
        tests: sdk('attacks/aborted'),
      },
    ],
  },
  {
    number: 66,
    text: 'What runs is what the user was shown, after schemas and hooks, or what the reason of the question names. Stores may sort keys.',
    status: 'held',
    tests: [
      ...host('life'),
      ...sdk('attacks/shown-is-run', 'attacks/sorted-keys', 'attacks/changed-calls'),
      'packages/agent/src/agent/shown-calls.test.ts',
    ],
    mutations: [
      {
        ...mutateHost('input-text/input-text', 'inOrder(member);', 'member;'),
        tests: ['packages/ai-sdk/src/attacks/sorted-keys.test.ts'],
      },
      {
        ...mutateHost(
          'stamp',
          'const isSame = final === input || inputText(final) === text;',
          'const isSame = true;',
        ),
        tests: ['packages/ai-sdk/src/attacks/shown-is-run.test.ts'],
      },
      {
        ...mutateHost(
          'life',
          'const digest = callDigest(name, input, isShown ? input : final, expected);',
          'const digest = callDigest(name, input, input);',
        ),
        tests: ['packages/ai-sdk/src/attacks/shown-is-run.test.ts'],
      },
      {
        ...mutateHost(
          'life',
          "if (again.kind === 'answer' || projectedText(again.final) !== projectedText(final))",
          'if (false)',
        ),
        tests: ['packages/ai-sdk/src/attacks/shown-is-run.test.ts'],
      },
      {
        ...mutateHost(
          'life',
          'isLate ? AS_WRITTEN : isShown ? undefined : whatRuns(final)',
          'undefined',
        ),
        tests: ['packages/ai-sdk/src/attacks/shown-is-run.test.ts'],
      },
      mutateHost(
        'decide',
        'if (verdict?.isChanged) return refused(approvalNeeded(name, ARGUMENTS_CHANGED), false);',
        '',
        'life',
      ),
      {
        ...mutateHost(
          'life',
          'if (recordOf(call.metadata)) rebindStamp(call.metadata, digest, binding);',
          '',
        ),
        tests: sdk('attacks/changed-calls'),
      },
      {
        ...mutateTeam(
          'state/shown-input',
          'return { ...shown, isChanged: true };',
          'return { ...shown, isChanged: false };',
        ),
        tests: ['packages/agent/src/agent/shown-calls.test.ts'],
      },
    ],
  },
];
