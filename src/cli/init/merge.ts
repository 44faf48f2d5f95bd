import { canonicalJson } from '../../tools/values/index.ts';
import type { PortableEntry } from './entry.ts';

/** A server of a client's file, ready for the merged file. */
export interface Candidate {
  readonly name: string;
  /** The id of the client, as the end of another name. */
  readonly client: string;
  readonly file: string;
  readonly entry: PortableEntry;
  readonly isDisabled: boolean;
}

/** A server of the merged file. */
export interface MergedServer {
  readonly name: string;
  readonly entry: PortableEntry;
  /** Disabled in all places that it comes from. */
  readonly isDisabled: boolean;
  /** Whether it already stands in the file that is written. */
  readonly isThere: boolean;
  readonly from: readonly Candidate[];
}

/**
 * Merges the servers of the clients into those that are there. Equal servers of one name become one.
 * If their entries differ, the first keeps the name, and each other one gets its client as a suffix.
 */
export function mergeServers(
  there: readonly Candidate[],
  candidates: readonly Candidate[],
): MergedServer[] {
  const merged = new Map<string, MergedServer>();
  for (const server of there) {
    const { name, entry, isDisabled } = server;
    merged.set(name, { name, entry, isDisabled, isThere: true, from: [] });
  }
  for (const candidate of candidates) {
    const { entry, isDisabled } = candidate;
    const name = nameFor(candidate, merged);
    const known = merged.get(name);
    merged.set(name, {
      name,
      entry: known?.entry ?? entry,
      isDisabled: known?.isThere ? known.isDisabled : isDisabled && (known?.isDisabled ?? true),
      isThere: known?.isThere ?? false,
      from: [...(known?.from ?? []), candidate],
    });
  }
  return [...merged.values()];
}

/** Servers of other names with an equal entry, by the name of the first. */
export function equalServers(servers: readonly MergedServer[]): [string, string][] {
  const first = new Map<string, string>();
  return servers.flatMap(({ name, entry }): [string, string][] => {
    const key = canonicalJson(entry);
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, name);
    return earlier === undefined ? [] : [[name, earlier]];
  });
}

/** The first name that is free, or that an equal server has. */
function nameFor(
  { name, client, entry }: Candidate,
  merged: ReadonlyMap<string, MergedServer>,
): string {
  const key = canonicalJson(entry);
  for (let n = 0; ; n += 1) {
    const tried = n === 0 ? name : n === 1 ? `${name}-${client}` : `${name}-${client}-${n}`;
    const known = merged.get(tried);
    if (known === undefined || canonicalJson(known.entry) === key) return tried;
  }
}
