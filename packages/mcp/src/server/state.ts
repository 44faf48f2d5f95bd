import { pick } from '@toolfold/core/internal/values';
import type { Failure, LoginNeeded } from '../transport/index.ts';
import type { Manifest } from './manifest.ts';

/** The state of the connection to one server. */
export type ConnectionState =
  /** Not started, or stopped because nobody used it. A call starts it. */
  | { readonly kind: 'idle' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'ready' }
  /** The server wants a login. `url`: the page to open, where it is known. */
  | ({ readonly kind: 'needs-auth' } & LoginNeeded)
  /** `retryAt`: the time, in milliseconds since 1970, before which no attempt is made. */
  | ({ readonly kind: 'failed'; readonly retryAt: number } & Failure)
  | { readonly kind: 'closed' };

/** What can happen to a connection. */
export type ConnectionInput =
  | { readonly kind: 'start' }
  | { readonly kind: 'opened' }
  | ({ readonly kind: 'login-needed' } & LoginNeeded)
  | ({ readonly kind: 'broke'; readonly retryAt: number } & Failure)
  | { readonly kind: 'stop' }
  | { readonly kind: 'close' };

type StateKind = ConnectionState['kind'];

/** The state after each input. What is not listed changes nothing. */
export const transitions: Readonly<
  Record<StateKind, Readonly<Partial<Record<ConnectionInput['kind'], StateKind>>>>
> = {
  idle: { start: 'connecting', close: 'closed' },
  connecting: {
    opened: 'ready',
    'login-needed': 'needs-auth',
    broke: 'failed',
    stop: 'idle',
    close: 'closed',
  },
  ready: { 'login-needed': 'needs-auth', broke: 'failed', stop: 'idle', close: 'closed' },
  'needs-auth': { start: 'connecting', stop: 'idle', close: 'closed' },
  failed: { start: 'connecting', stop: 'idle', close: 'closed' },
  closed: {},
};

/** The state after an input; the same object if nothing changes. */
export function nextState(state: ConnectionState, input: ConnectionInput): ConnectionState {
  const to = transitions[state.kind][input.kind];
  return to === undefined ? state : ({ ...input, kind: to } as ConnectionState);
}

/** Status of one server, as a row for display. */
export interface ServerStatus {
  readonly name: string;
  readonly state: 'idle' | 'connecting' | 'ready' | 'needs-auth' | 'failed' | 'closed';
  /** Why the server failed or wants a login. */
  readonly reason?: string;
  /** What to do about it, in one line. */
  readonly remedy?: string;
  /** The page of a login, where it is known. */
  readonly url?: string;
  /** Problems of the list of tools, as texts for people. */
  readonly warnings?: readonly string[];
  /** Tool names that the server lists more than once. */
  readonly duplicates?: readonly string[];
  /** Number of tools, as last listed. */
  readonly tools: number;
  /** When the tools were last listed, in milliseconds since 1970. */
  readonly listedAt?: number;
  /** Milliseconds that the last attempt to connect took. */
  readonly ms: number;
}

/** What happens to the servers of a pool, for screens and logs. Texts hold no secrets. */
export type PoolEvent =
  | {
      readonly kind: 'state';
      readonly server: string;
      readonly from: ConnectionState;
      readonly to: ConnectionState;
      readonly status: ServerStatus;
    }
  /** The tools differ from the ones listed before. Bare names. */
  | {
      readonly kind: 'tools-changed';
      readonly server: string;
      readonly added: readonly string[];
      readonly removed: readonly string[];
      readonly changed: readonly string[];
    }
  | { readonly kind: 'warning'; readonly server: string; readonly text: string };

interface StatusInput {
  readonly name: string;
  readonly state: ConnectionState;
  readonly manifest: Pick<Manifest, 'listing'> | Manifest | undefined;
  readonly startedIn: number;
}

/** The row of a connection for display, or of a list of tools that was captured. */
export function statusOf({ name, state, manifest, startedIn }: StatusInput): ServerStatus {
  const { tools = [], warnings = [], duplicates = [] } = manifest?.listing ?? {};
  const listed = manifest && 'listedAt' in manifest && pick(manifest, 'listedAt');
  const row = { tools: tools.length, ms: Math.round(startedIn), ...listed };
  if (state.kind === 'failed' || state.kind === 'needs-auth') {
    const { kind, reason, remedy } = state;
    const url = kind === 'needs-auth' ? pick(state, 'url') : {};
    return { name, state: kind, reason, remedy, ...row, ...url };
  }
  return {
    ...{ name, state: state.kind },
    ...(warnings.length > 0 && { warnings }),
    ...(duplicates.length > 0 && { duplicates }),
    ...row,
  };
}
