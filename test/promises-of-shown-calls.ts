import { mutate, type ProductPromise, tests } from './promise.ts';

/** Promises about calls of cancelled turns, and about what users are shown. */
export const ofShownCalls: readonly ProductPromise[] = [
  {
    number: 65,
    text: 'After a turn is cancelled no tool starts, and no hook keeps the turn waiting.',
    status: 'held',
    tests: tests('aborted'),
    mutations: [
      mutate('check: () => {\n      signal?.throwIfAborted();', 'check: () => {', 'aborted'),
      {
        ...mutate('raceAbort(outcomeOf(hook), signal)', 'outcomeOf(hook)'),
        tests: [...tests('aborted')],
      },
      {
        ...mutate('const signal = call.signal ?? record.signal;', 'const { signal } = call;'),
        tests: [...tests('aborted')],
      },
      {
        ...mutate(
          'const isLeftToTool = record.approval !== undefined && call.isRunHere;',
          'const isLeftToTool = false;',
        ),
        tests: [...tests('aborted')],
      },
      {
        ...mutate('withGrace(hooks.after(hooked, ran), signal)', 'hooks.after(hooked, ran)'),
        tests: tests('aborted'),
      },
    ],
  },
  {
    number: 66,
    text: 'What runs is what the user was shown, after schemas and hooks, or what the reason of the question names. Stores may sort keys.',
    status: 'held',
    tests: [
      ...tests('life'),
      ...tests('shown-is-run', 'sorted-keys', 'changed-calls'),
      ...tests('shown-calls'),
    ],
    mutations: [
      {
        ...mutate('inOrder(member);', 'member;'),
        tests: [...tests('sorted-keys')],
      },
      {
        ...mutate(
          'const isSame = final === input || inputText(final) === text;',
          'const isSame = true;',
        ),
        tests: [...tests('shown-is-run')],
      },
      {
        ...mutate(
          'const digest = callDigest(name, input, isShown ? input : final, expected);',
          'const digest = callDigest(name, input, input);',
        ),
        tests: [...tests('shown-is-run')],
      },
      {
        ...mutate(
          "if (again.kind === 'answer' || projectedText(again.final) !== projectedText(final))",
          'if (false)',
        ),
        tests: [...tests('shown-is-run')],
      },
      {
        ...mutate('isLate ? AS_WRITTEN : isShown ? undefined : whatRuns(final)', 'undefined'),
        tests: [...tests('shown-is-run')],
      },
      mutate(
        'if (verdict?.isChanged) return refused(approvalNeeded(name, ARGUMENTS_CHANGED), false);',
        '',
        'life',
      ),
      {
        ...mutate('if (recordOf(call.metadata)) rebindStamp(call.metadata, digest, binding);', ''),
        tests: tests('changed-calls'),
      },
      {
        ...mutate(
          'return { ...shown, isChanged: true };',
          'return { ...shown, isChanged: false };',
        ),
        tests: [...tests('shown-calls')],
      },
    ],
  },
];
