import { type ActiveNote, isAll } from '../active/index.ts';
import type { ToolDefinition } from '../tool/index.ts';
import type { ExpandedGroups } from '../transcript/index.ts';
import type { Epoch } from './epoch.ts';

/** The state of a session, for a host that cannot rely on messages alone. */
export interface ToolState {
  readonly strategy: string;
  readonly fingerprint: string;
  readonly expandedGroups: ExpandedGroups;
  /** The requested strategy, which the endpoint refused. */
  readonly insteadOf?: string;
  /** Keys of appended definitions; see `KnownDefinitions`. */
  readonly appended?: readonly string[];
  /** The frozen bytes, for a process in which the tools have changed since. */
  readonly frozen?: FrozenEpoch;
}

export interface FrozenEpoch {
  readonly system: string;
  readonly bridges: readonly ToolDefinition[];
  readonly groupTools: readonly ToolDefinition[];
  readonly ownNames: readonly string[];
  /** The tools that the host offered when the epoch began, if it left some out. */
  readonly active?: ActiveNote;
  /** Definitions that are declared and that the model does not see, in strategies that append. */
  readonly deferred?: readonly ToolDefinition[];
  readonly list: readonly (readonly [
    string,
    { names: readonly string[]; version?: string | undefined; unavailable: boolean },
  ])[];
}

/** The frozen bytes of an epoch as plain JSON. */
export function freeze(epoch: Epoch): FrozenEpoch {
  const { system, bridges, groupTools, ownNames, deferred, list, active } = epoch;
  // `undefined` is not JSON: a parsed state must equal the state that was given.
  const groups = [...list.groups].map(([groupId, { version, ...group }]) => {
    return [groupId, version === undefined ? group : { ...group, version }] as const;
  });
  const unseen = deferred.length > 0 ? { deferred } : {};
  const narrowed = isAll(active) ? {} : { active };
  return { system, bridges, groupTools, ownNames, ...narrowed, ...unseen, list: groups };
}
