import { everything, type Registry, type Toolbox, type View } from '../registry/index.ts';
import type { Bridges, ToolEntry } from '../tool/index.ts';
import { byCodePoint } from '../values/index.ts';

/** What a host offers in one request, of all the names it has. */
export interface Offer {
  /** Every name the host has: real tools, bridge tools, and tools that the layer does not know. */
  readonly names: Iterable<string>;
  /** Those of them that may be used in this request. */
  readonly offered: Pick<ReadonlySet<string>, 'has'>;
  /** Tools of the host's that the layer does not know: a provider's, and those added beside it. */
  readonly beside: readonly string[];
  /** Bridge tools may be used, whether or not they are offered. */
  readonly usesBridges?: boolean;
}

/** The tools that may be used, as the shorter of two lists of names. It travels in notes. */
export type ActiveNote =
  | { readonly only: readonly string[] }
  | { readonly without: readonly string[] };

export const ALL_ACTIVE: ActiveNote = { without: [] };

/** What may be used in one request. */
export interface Active {
  /** Narrows the role's view for this request. */
  readonly view: View;
  /** The same for the note: only names that are known before anything loads. */
  readonly note: ActiveNote;
  readonly beside: readonly string[];
  /** As in the offer. */
  readonly usesBridges?: boolean;
}

/** Whether the note lets a name through. */
export function isActive(note: ActiveNote, name: string): boolean {
  return 'only' in note ? note.only.includes(name) : !note.without.includes(name);
}

export function isAll(note: ActiveNote): boolean {
  return 'without' in note && note.without.length === 0;
}

/** The view of a note. What a group has not listed has no name yet, so that nobody can have named it. */
export function viewOfNote(note: ActiveNote): View {
  if (isAll(note)) return everything;
  const names = new Set('only' in note ? note.only : note.without);
  const isOnly = 'only' in note;
  return {
    key: `active:${JSON.stringify(note)}`,
    allows: ({ name, bare }) => bare !== '' && names.has(name) === isOnly,
  };
}

/**
 * What may be used in a request: what the host offers; if it says nothing, what the last note says.
 * Names left out of an offer that are no tools of the view narrow nothing.
 */
export function activeOf(
  offer: Offer | 'all' | undefined,
  last: ActiveNote,
  { toolbox, view, bridges }: { toolbox: Toolbox; view: View; bridges: Bridges },
): Active {
  if (offer === undefined || offer === 'all') {
    const note = offer === 'all' ? ALL_ACTIVE : last;
    return { view: viewOfNote(note), note, beside: [] };
  }
  const { offered, beside } = offer;
  const { registry } = toolbox;
  const leftOut = [...offer.names].filter((name) => !offered.has(name));
  if (leftOut.length === 0) return { ...offer, view: everything, note: ALL_ACTIVE };
  const isVisible = toolbox.visibleTo(view);
  const isReal = (name: string) => {
    const entry = registry.get(name);
    return entry !== undefined && isVisible(entry);
  };
  const listed = listedNames(registry);
  const isNoted = (name: string) =>
    registry.get(name)
      ? listed.has(name) && isReal(name)
      : bridges.kinds.get(name) !== undefined || beside.includes(name);
  const without = leftOut.filter(isNoted).sort(byCodePoint);
  const only = [...new Set([...offer.names, ...beside])]
    .filter((name) => offered.has(name) && isNoted(name))
    .sort(byCodePoint);
  return {
    ...offer,
    view: leftOut.some(isReal)
      ? { key: 'offered', allows: ({ name }) => offered.has(name) }
      : everything,
    note: only.length < without.length ? { only } : { without },
  };
}

/** Tools known before anything loads that the view may be shown, the app's own first. */
export function listedEntries(toolbox: Toolbox, view: View): ToolEntry[] {
  const { appTools, groups } = toolbox.registry;
  const all = [...appTools.values(), ...[...groups.values()].flatMap(({ listed }) => listed)];
  return all.filter(toolbox.listedTo(view));
}

function listedNames({ appTools, groups }: Registry): Set<string> {
  const names = new Set(appTools.keys());
  for (const { listed } of groups.values()) for (const { name } of listed) names.add(name);
  return names;
}
