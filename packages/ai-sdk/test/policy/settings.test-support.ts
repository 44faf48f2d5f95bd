import { experimental_toolCaller, type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { POLICIES } from './rules.test-support.ts';
import { type Coordinates, isUnknownYet, type Trial } from './trial.test-support.ts';
import type { Expected, Way } from './way.test-support.ts';

type Said = 'approved' | 'denied' | 'user-approval' | 'nothing';

/** The combined decision of the app's setting and a policy: the setting overrides `needsApproval`, never a hook. */
function together({ policy }: Coordinates, said: Said): Expected {
  const { comesTo, hook } = POLICIES[policy];
  if (comesTo === 'denied') return 'denied';
  if (said === 'denied') return 'not run';
  if (hook && comesTo === 'asks') return 'asks';
  return said === 'user-approval' ? 'asks' : 'runs';
}

const onlyThird = ({ field }: Coordinates) =>
  field === 'third field'
    ? undefined
    : "the app's setting reaches the SDK by the third field alone";
const onlyOverridden = ({ field }: Coordinates) =>
  field === 'overridden' ? undefined : 'it is what the app puts in place of the third field';
/** What is edited does not run; what was there before the edit may run. */
const orNothing = (expected: Expected): Expected => (expected === 'runs' ? 'either' : expected);
type Editable = { readonly toolCall: { readonly toolName: string; readonly input: object } };
type Call = { readonly toolCall: { readonly toolName: string } };

/** The app's own `toolApproval`, given to `fold.with`. */
export const APP_WAYS: readonly Way[] = [
  {
    name: 'app: approved, by name',
    app: ({ target }) => ({ [target]: 'approved' }),
    expects: (at) => together(at, 'approved'),
    skip: onlyThird,
  },
  {
    name: 'app: approved, by a function under the name',
    app: ({ target }) => ({ [target]: () => 'approved' }),
    expects: (at) => together(at, 'approved'),
    skip: onlyThird,
  },
  {
    name: 'app: approved, by a function',
    app:
      ({ target }) =>
      ({ toolCall }: Call) =>
        toolCall.toolName === target ? 'approved' : undefined,
    expects: (at) => together(at, 'approved'),
    skip: onlyThird,
  },
  {
    name: 'app: denied, by name',
    app: ({ target }) => ({ [target]: { type: 'denied', reason: 'The app forbids it.' } }),
    expects: (at) => together(at, 'denied'),
    skip: onlyThird,
  },
  {
    name: 'app: denied by the final input',
    app: (trial) => ({
      [trial.target]: (input: unknown) => (trial.isFinal(input) ? 'denied' : 'approved'),
    }),
    schema: z.object({ text: z.string(), to: z.string().default('all') }),
    final: { text: 'a', to: 'all' },
    // A denial of this setting becomes known when the tool runs.
    expects: (at) => (isUnknownYet(at) ? 'refused' : together(at, 'denied')),
    skip: onlyThird,
  },
  {
    name: 'app: user-approval, by name',
    app: ({ target }) => ({ [target]: 'user-approval' }),
    expects: (at) => together(at, 'user-approval'),
    skip: onlyThird,
  },
  {
    name: 'app: not-applicable, by name',
    app: ({ target }) => ({ [target]: 'not-applicable' }),
    expects: (at) => together(at, 'nothing'),
    skip: onlyThird,
  },
  {
    name: 'app: a function that says nothing',
    app: () => () => undefined,
    expects: (at) => together(at, 'nothing'),
    skip: onlyThird,
  },
  {
    name: 'app: a function that edits the arguments it is given',
    app:
      ({ target }) =>
      ({ toolCall }: Editable) => {
        if (toolCall.toolName === target) Object.assign(toolCall.input, { text: 'evil' });
        return undefined;
      },
    expects: (at) => orNothing(together(at, 'nothing')),
    resumes: () => 'either',
    skip: onlyThird,
  },
  {
    name: 'app: a function by name that edits the arguments it is given',
    app: ({ target }) => ({
      [target]: (input: object) => {
        Object.assign(input, { text: 'evil' });
        return 'approved';
      },
    }),
    expects: (at) => orNothing(together(at, 'approved')),
    resumes: () => 'either',
    skip: onlyThird,
  },
  {
    name: 'needsApproval edits the arguments it is given',
    tool: {
      needsApproval: (input: object) => {
        Object.assign(input, { text: 'evil' });
        return false;
      },
    },
    expects: (_, expected) => orNothing(expected),
    resumes: () => 'either',
    skip: (at) => (at.policy.startsWith('needsApproval') ? 'the policy is what edits' : undefined),
  },
  {
    name: 'app: says something of another tool',
    app: () => ({ note: 'approved' }),
    skip: onlyThird,
  },
];

/** The app's own `toolApproval`, given to the SDK in place of the fold's. */
export const OVERRIDING_WAYS: readonly Way[] = [
  {
    name: 'overriding: approved, by name',
    override: ({ target }) => ({ [target]: 'approved' }),
    skip: onlyOverridden,
  },
  {
    name: 'overriding: user-approval, by name',
    override: ({ target }) => ({ [target]: 'user-approval' }),
    // The user was asked, by whichever rule.
    expects: (_, expected) => (expected === 'denied' ? 'refused' : 'asks'),
    skip: onlyOverridden,
  },
  {
    name: 'overriding: denied, by name',
    override: ({ target }) => ({ [target]: 'denied' }),
    expects: () => 'not run',
    skip: onlyOverridden,
  },
  {
    name: 'overriding: says something of another tool',
    override: () => ({ note: 'approved' }),
    // The tool's `needsApproval` is asked, as in the SDK when a setting does not mention the tool.
    expects: ({ policy }, expected) => (POLICIES[policy].comesTo === 'asks' ? 'asks' : expected),
    skip: onlyOverridden,
  },
];

/** Tools whose `execute` calls other tools. */
export const CALLER_WAYS: readonly Way[] = [
  {
    name: 'called by a tool caller beside the fold',
    calls: () => [{ name: 'batch', arguments: {} }],
    fields: (fields, trial) => ({ ...fields, tools: { ...fields.tools, batch: batchOf(trial) } }),
    settings: ({ target }) => ({ experimental_toolCallers: { [target]: ['batch'] } }),
    expects: atInnerCall,
    skip: ({ kind }) => (kind.endsWith('dispatched') ? 'the caller dispatches' : undefined),
  },
  {
    name: 'called by a tool caller of the fold',
    calls: () => [{ name: 'batch', arguments: {} }],
    tools: (trial) => ({ batch: batchOf(trial) }),
    settings: ({ target }) => ({ experimental_toolCallers: { [target]: ['batch'] } }),
    expects: atInnerCall,
    skip: ({ kind }) => (kind.endsWith('dispatched') ? 'the caller dispatches' : undefined),
  },
];

/** The user cannot be asked during a run. The SDK does not define `needsApproval` there. */
function atInnerCall(at: Coordinates, expected: Expected): Expected {
  if (expected === 'denied') return 'refused';
  if (POLICIES[at.policy].comesTo !== 'asks') return expected;
  return POLICIES[at.policy].hook ? 'not run' : 'either';
}

function batchOf(trial: Trial): ToolSet[string] {
  const options = { description: 'Run several.', inputSchema: z.object({}) };
  const unbound = tool({ ...options, execute: () => 'not bound' });
  return experimental_toolCaller(unbound, {
    type: 'local',
    bind: (tools) =>
      tool({
        ...options,
        execute: (_, rest) => {
          const run = tools[trial.target]?.execute as (input: unknown, rest: unknown) => unknown;
          return run(trial.written, rest);
        },
      }),
  }) as unknown as ToolSet[string];
}
