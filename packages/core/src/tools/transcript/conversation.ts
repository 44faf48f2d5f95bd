import type { ActiveNote } from '../active/index.ts';
import type { ToolDefinition } from '../tool/index.ts';
import type { JsonObject } from '../values/index.ts';
import { type KindOf, readMessage } from './reduce.ts';
import type { EpochNote, TranscriptMessage } from './transcript.ts';
import {
  type Answered,
  type AskedCalls,
  type ClaimedName,
  copyState,
  type Expansion,
  emptyState,
  type Insert,
  type LoadedName,
  type ShownSchema,
  type TranscriptState,
} from './transcript-state.ts';

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
export interface Conversation {
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
export type IsOf = (name: string, groupId: string) => boolean;

/** Reads messages, on top of what was known before them. Depends on them and on `kindOf` alone. */
export function readTranscript(
  messages: readonly TranscriptMessage[],
  kindOf: KindOf,
  before?: TranscriptState,
): TranscriptState {
  const state = before ? copyState(before) : emptyState();
  const calls: AskedCalls = new Map();
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
): Conversation {
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
