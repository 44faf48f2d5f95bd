import type { Registry } from '../registry/index.ts';
import { OWN_GROUP, type ToolDefinition, type ToolEntry } from '../tool/index.ts';
import type { JsonObject } from '../values/index.ts';
import type { ActiveNote } from './active.ts';
import { type KindOf, readMessage } from './reduce.ts';
import {
  type Answered,
  type ClaimedName,
  copyState,
  type EpochNote,
  type Expansion,
  emptyState,
  type Insert,
  type LoadedName,
  type PositionedCalls,
  type ShownSchema,
  type TranscriptMessage,
  type TranscriptState,
} from './transcript.ts';

/** Schemas that came into the conversation at one place. */
export interface Appearance {
  /** Index of the assistant message that first knew them; the number of messages, where none does yet. */
  readonly position: number;
  /** Index of the message right behind the results they came with. */
  readonly behind: number;
  readonly tools: readonly ToolDefinition[];
  /** Names of those that were shown as text and stay text, `*` for all; see `Note.asText`. */
  readonly asText: ReadonlySet<string>;
  /** The call whose result holds them, and that result; absent where a note holds them. */
  readonly callId?: string;
  readonly result?: JsonObject;
}

/** Everything a conversation says about its tools, for the tools there are. */
export interface TranscriptSummary {
  readonly expansions: readonly Expansion[];
  /** Every tool whose schema was asked for, in that order. */
  readonly loaded: readonly LoadedName[];
  readonly epoch: EpochNote | undefined;
  readonly announced: string | undefined;
  /** The tools that were active when this was last announced. */
  readonly active: ActiveNote | undefined;
  readonly inserts: readonly Insert[];
  /** Whole definitions in results and notes, in order, in whichever strategy they came. */
  readonly appearances: readonly Appearance[];
  /** How often each call (see `callSignature`) has failed since it last succeeded. */
  readonly failures: ReadonlyMap<string, number>;
  /** Schemas that results of bridge tools show, by canonical name, in order. */
  readonly shownSchemas: readonly ShownSchema[];
  /** Tools whose schemas a text showed, in this epoch or an earlier one, by canonical name. */
  readonly preloaded: ReadonlySet<string>;
  /** The answers of bridge tools that the messages hold, by bridge tool and input; see `callSignature`. */
  readonly answered: ReadonlyMap<string, Answered>;
  /** Searches since anything else was called. */
  readonly searches: number;
}

/** Whether a tool of this name may be one of the group. */
type IsOf = (name: string, groupId: string) => boolean;

/** Reads messages, on top of what was known before them. Depends on them and on `kindOf` alone. */
export function readTranscript(
  messages: readonly TranscriptMessage[],
  kindOf: KindOf,
  before?: TranscriptState,
): TranscriptState {
  const state = before ? copyState(before) : emptyState();
  const calls: PositionedCalls = new Map();
  messages.forEach((message, position) => {
    readMessage(state, calls, message, position, kindOf);
  });
  return state;
}

/**
 * What follows from a state. A result speaks of the tools of its group alone: `isOf` says, for the
 * tools there are now, which these are.
 */
export function conversationOf(
  state: TranscriptState,
  messages: readonly TranscriptMessage[],
  isOf: IsOf = () => true,
): TranscriptSummary {
  const { expansions, epoch, announced, active, inserts, failures, answered, preloaded, searches } =
    state;
  const isMeant: IsMeant = ({ name, claimedBy }) =>
    claimedBy === undefined || isOf(name, claimedBy);
  return {
    expansions,
    loaded: state.loaded.filter(isMeant),
    epoch,
    announced,
    active,
    inserts,
    appearances: appearancesOf(state, messages, isMeant),
    failures,
    answered,
    shownSchemas: [...state.shownSchemas.values()].filter(isMeant),
    preloaded,
    searches,
  };
}

type IsMeant = (shown: Pick<ClaimedName, 'name' | 'claimedBy'>) => boolean;

function appearancesOf(
  state: TranscriptState,
  messages: readonly TranscriptMessage[],
  isMeant: IsMeant,
): Appearance[] {
  if (state.shownTools.length === 0) return [];
  const found = state.shownTools.map(({ after, tools, claimedBy, ...source }) => ({
    ...source,
    tools: tools.filter(({ name }) => isMeant({ name, claimedBy })),
    asText: new Set<string>(),
    position: positionAfter(after, messages, (role) => role === 'assistant'),
    behind: positionAfter(after, messages, (role) => role !== 'tool'),
  }));
  for (const { key, before } of state.asText) {
    const at = key.lastIndexOf('/');
    const [id, name] = [key.slice(0, at), key.slice(at + 1)];
    const holder = found
      .slice(0, before)
      .findLast(
        ({ callId = '', tools }) =>
          callId === id &&
          tools.length > 0 &&
          (name === '*' || tools.some((tool) => tool.name === name)),
      );
    holder?.asText.add(name);
  }
  return found.filter(({ tools }) => tools.length > 0);
}

/** The index of the first message after one whose role fits; their number, where there is none. */
function positionAfter(
  after: number,
  messages: readonly TranscriptMessage[],
  fits: (role: TranscriptMessage['role']) => boolean,
): number {
  // Schemas of a note on the first message come before everything.
  for (let at = after + 1; at < messages.length; at++)
    if (fits((messages[at] as TranscriptMessage).role)) return at;
  return messages.length;
}

/** Loaded state as plain JSON: null for a whole group, else bare names in the order of loading. */
export type ExpandedGroups = Readonly<Record<string, readonly string[] | null>>;

/**
 * Whether a schema of this name may come from this group. An unknown name may belong to a tool
 * that is gone or not yet known, unless it has the prefix of another group.
 */
export function isToolOf(registry: Registry, name: string, groupId: string): boolean {
  const entry = registry.get(name);
  if (entry) return (entry.groupId ?? OWN_GROUP) === groupId;
  const owner = registry.groupOf(name);
  return owner === undefined || owner === groupId;
}

/** The group that lists no names and may have a tool that is not known by this name yet. */
export function unlistedGroup(registry: Registry, name: string): string | undefined {
  const groupId = registry.get(name) ? undefined : registry.groupOf(name);
  if (groupId === undefined) return;
  return registry.groups.get(groupId)?.listed.length === 0 ? groupId : undefined;
}

/** The tools that a state reports as loaded, as far as they still exist. */
export function expandedEntries(expanded: ExpandedGroups, registry: Registry): ToolEntry[] {
  return Object.entries(expanded).flatMap(([groupId, names]) => {
    if (names === null) {
      const all = groupId === OWN_GROUP ? [...registry.appTools.values()] : undefined;
      return all ?? registry.groups.get(groupId)?.listed ?? [];
    }
    const own = (name: string) => (groupId === OWN_GROUP ? registry.appTools.get(name) : undefined);
    return names.flatMap((name) => registry.find(groupId, name) ?? own(name) ?? []);
  });
}

/** The loaded tools as plain JSON: from an earlier state, then from the transcript. */
export function expandedState(
  earlier: ExpandedGroups,
  conversation: TranscriptSummary,
  registry: Registry,
): ExpandedGroups {
  const groups = new Map<string, Set<string> | null>();
  for (const [groupId, names] of Object.entries(earlier))
    groups.set(groupId, names && new Set(names));
  for (const loaded of conversation.loaded) {
    const entry = registry.findLoaded(loaded);
    const groupId = loaded.groupId ?? entry?.groupId ?? OWN_GROUP;
    const known = groups.get(groupId);
    if (known === null || (loaded.groupId === undefined && !entry)) continue;
    groups.set(groupId, (known ?? new Set()).add(entry?.shown ?? loaded.name));
  }
  for (const { groupId, whole } of conversation.expansions) if (whole) groups.set(groupId, null);
  return Object.fromEntries([...groups].map(([groupId, names]) => [groupId, names && [...names]]));
}

/**
 * The names that were loaded from a group. Each has the number of names that were loaded before
 * the step that first asked for it, or earlier in the same call: calls of one step do not know
 * of each other.
 */
export function loadedRanks(
  earlier: ExpandedGroups,
  conversation: TranscriptSummary,
  groupId: string,
): Map<string, number> {
  const expansions = conversation.expansions.filter((expansion) => expansion.groupId === groupId);
  const inTranscript = new Set(expansions.flatMap(({ toolNames }) => toolNames));
  const kept = Object.hasOwn(earlier, groupId) ? earlier[groupId] : undefined;
  const onlyEarlier = (kept ?? []).filter((name) => !inTranscript.has(name));
  const ranks = new Map(onlyEarlier.map((name, index) => [name, index]));
  let step = -1;
  let before = ranks.size;
  for (const { toolNames, askedAt } of expansions) {
    if (askedAt !== step) before = ranks.size;
    step = askedAt;
    let fresh = 0;
    for (const name of toolNames) {
      // A name of an earlier step is served again. A name of this step was counted by this
      // call too.
      const rank = ranks.get(name);
      if (rank !== undefined && rank < before) continue;
      if (rank === undefined) ranks.set(name, before + fresh);
      fresh++;
    }
  }
  return ranks;
}
