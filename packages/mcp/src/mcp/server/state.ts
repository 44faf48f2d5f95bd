import type { Failure, LoginNeeded } from '../transport/index.ts';

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

type Kind = ConnectionState['kind'];

/** The state after each input. What is not listed changes nothing. */
export const transitions: Readonly<
  Record<Kind, Readonly<Partial<Record<ConnectionInput['kind'], Kind>>>>
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
