// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of configuration files

import { canonicalJson } from '@toolfold/core/internal/tools/values';
import type { ToolLists } from '@toolfold/mcp/internal/mcp/clients';
import type { PortableEntry } from './entry.ts';

/** A server of a client's file, ready for the merged file. */
export interface Candidate {
  readonly name: string;
  /** The id of the client, as the end of another name. */
  readonly client: string;
  readonly file: string;
  readonly entry: PortableEntry;
  readonly isDisabled: boolean;
  readonly tools: ToolLists;
  /** What the user should know about it. */
  readonly notes: readonly string[];
  /** Variables that stand in the place of a secret. */
  readonly secrets: readonly string[];
}

/** A server of the merged file. */
export interface MergedServer extends Pick<Candidate, 'name' | 'entry'> {
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
  for (const { name, entry, isDisabled } of there)
    merged.set(name, { name, entry, isDisabled, isThere: true, from: [] });
  for (const candidate of candidates) {
    const { entry, isDisabled } = candidate;
    const name = nameFor(candidate, merged);
    const known = merged.get(name) ?? { name, entry, isDisabled, isThere: false, from: [] };
    merged.set(name, {
      ...known,
      isDisabled: known.isDisabled && (known.isThere || isDisabled),
      from: [...known.from, candidate],
    });
  }
  return [...merged.values()];
}

/** Servers of other names with an equal entry, by the name of the first. */
export function equalServers(servers: readonly MergedServer[]): [string, string][] {
  const first = new Map<string, string>();
  return servers.flatMap(({ name, entry }): [string, string][] => {
    const key = comparable(entry);
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, name);
    return earlier === undefined ? [] : [[name, earlier]];
  });
}

/** The name of an equal server of this name, in any client, or the first name that is free. */
function nameFor(
  { name, client, entry }: Candidate,
  merged: ReadonlyMap<string, MergedServer>,
): string {
  const key = comparable(entry);
  const isOf = (server: MergedServer): boolean =>
    server.name === name || server.from.some((candidate) => candidate.name === name);
  const equal = [...merged.values()].find(
    (server) => isOf(server) && comparable(server.entry) === key,
  );
  if (equal !== undefined) return equal.name;
  for (let n = 0; ; n += 1) {
    const tried = n === 0 ? name : n === 1 ? `${name}-${client}` : `${name}-${client}-${n}`;
    if (!merged.has(tried)) return tried;
  }
}

/** The entry in a form in which equal ones have the same text. */
function comparable({ headers = {}, ...entry }: PortableEntry): string {
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return canonicalJson({ ...entry, headers: Object.fromEntries(lower) }).replaceAll('${env:', '${');
}
