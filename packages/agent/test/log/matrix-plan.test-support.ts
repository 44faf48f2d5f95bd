import {
  BRIDGE,
  DISPATCH,
  type Dialect,
  NATIVE,
} from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import type { Reply } from '@toolfold/testing/internal/doubles/model-server.ts';
import type { RecordedRequest } from '@toolfold/testing/internal/wire/recorded-request.ts';

/** Servers and their tools, by what the servers say of them. */
export const SERVERS = {
  notes: { read: { readOnlyHint: true }, set: { idempotentHint: true } },
  mail: { add: {}, send: {}, order: {} },
} as const;

export type ServerName = keyof typeof SERVERS;

/** The tool whose calls the user must approve. */
export const ASKED = 'mail__order';

/** The calls of each step: ten steps, half of the calls unsafe, some steps with several calls. */
export const STEPS: readonly (readonly string[])[] = [
  ['notes__read'],
  ['mail__add'],
  ['notes__set', 'mail__send'],
  ['mail__order'],
  ['notes__read', 'mail__add', 'mail__send', 'notes__set'],
  ['mail__send'],
  ['notes__read'],
  ['mail__add', 'notes__set'],
  ['notes__read'],
  ['mail__send'],
];

/** All calls in order. The number of a call is its place, from 1. */
export const CALLS: readonly string[] = STEPS.flat();

export const isUnsafe = (call: string): boolean => call.startsWith('mail__');

/** When a host is killed: at its commit, or at the call of a tool, counted from 1. */
export interface Kill {
  readonly when: 'before' | 'after' | 'called' | 'effect';
  readonly at: number;
}

export type StrategyOfMatrix = 'dispatch' | 'bridge' | 'native' | 'eager' | 'inject' | 'lazy';

/** What a host is started with. */
export interface HostSettings {
  /** Holds the store and the file `effects`. */
  readonly folder: string;
  readonly baseUrl: string;
  readonly strategy: StrategyOfMatrix;
  /** Whether the host asks while the turn waits. Otherwise the turn ends with `approval`. */
  readonly asks: boolean;
  /** Whether three subagents do the work. */
  readonly isTeam?: boolean;
  /** Whether the user writes during the second request. */
  readonly hasWord?: boolean;
  readonly kill?: Kill;
}

/** What the user writes during a turn, which the script does not answer. */
export const WORD = 'By the way.';

/** What a server is started with. */
export interface ServerSettings {
  readonly tools: (typeof SERVERS)[ServerName];
  /** The file of the effects. */
  readonly effects: string;
  readonly host: number;
  readonly kill?: Kill;
}

/** One effect of a tool. `call`: the id of the call, where the server was told it. */
export interface Effect {
  readonly name: string;
  readonly n: number;
  readonly call?: string;
}

/** What a host says at its end. */
export interface HostReport {
  readonly messages: readonly unknown[];
  /** The messages of another agent that opens the session again. */
  readonly reopened: readonly unknown[];
  /** Ids of the calls that `onUnknown` was asked about. */
  readonly unknown: readonly string[];
  /** Ids of the calls that `agent.unknown()` listed before a turn was resumed. */
  readonly listed: readonly string[];
  /** Names of tools that the user was asked about. */
  readonly approvals: readonly string[];
  readonly commits: number;
  /** The error of the turn, if it did not end well. */
  readonly error?: string;
}

export const dialectOf = (strategy: StrategyOfMatrix): Dialect => {
  if (strategy === 'dispatch') return DISPATCH;
  return strategy === 'bridge' ? BRIDGE : NATIVE;
};

/** A model that makes these calls. What it answers depends only on what it is sent. */
export function modelOfMatrix(dialect: Dialect): (request: RecordedRequest) => Reply {
  return ({ raw }) => {
    const step = STEPS.findIndex((_, index) => !raw.includes(`Step ${index + 1}.`));
    if (step < 0) return { text: 'All done.' };
    const first = STEPS.slice(0, step).flat().length + 1;
    const calls = (STEPS[step] ?? []).map((name, index) => ({
      ...dialect.call(name, { n: first + index }),
      id: `call_${first + index}`,
    }));
    return { text: `Step ${step + 1}.`, reasoning: 'Hm.', calls };
  };
}
