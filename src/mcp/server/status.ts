import { pick } from '../../tools/values/index.ts';
import { readyStatus, type ServerStatus } from '../groups/index.ts';
import type { Manifest } from '../manifest/index.ts';
import type { ConnectionState } from './state.ts';

interface Shown {
  readonly name: string;
  readonly state: ConnectionState;
  readonly manifest: Manifest | undefined;
  readonly startedIn: number;
}

/** The row of a connection for display. */
export function statusOf({ name, state, manifest, startedIn }: Shown): ServerStatus {
  const ms = Math.round(startedIn);
  const listed = manifest && { listedAt: manifest.listedAt, tools: manifest.listing.tools.length };
  if (state.kind === 'failed' || state.kind === 'needs-auth') {
    const { kind, reason, remedy } = state;
    const url = kind === 'needs-auth' ? pick(state, 'url') : {};
    return { name, state: kind, reason, remedy, tools: 0, ms, ...listed, ...url };
  }
  if (manifest === undefined) return { name, state: state.kind, tools: 0, ms };
  return { ...readyStatus(name, manifest.listing, ms, state.kind), ...listed };
}
