import type { ConnectionState } from './state.ts';
import type { ServerStatus } from './status.ts';

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
