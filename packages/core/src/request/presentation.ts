import type { Toolbox, View } from '../registry/index.ts';
import type { AppendForm, Bridges, Strategy, ToolDefinition, ToolEntry } from '../tool/index.ts';
import {
  type Active,
  type ActiveNote,
  ALL_ACTIVE,
  type EpochNote,
  type Insert,
  isAll,
  type Note,
  type TranscriptMessage,
  type TranscriptSummary,
} from '../transcript/index.ts';
import { describeActive } from './active-notice.ts';
import { type Delivery, planDeliveries } from './deliveries.ts';
import { declarableOf, type Epoch, fixedTools, type RefusedTool } from './epoch.ts';
import type { EpochChoice } from './epoch-choice.ts';
import type { LayerContext } from './layer-context.ts';
import { describeChange, LIST_RESTORED, listOfId, ownToolHint } from './tool-list.ts';

/** What decides which groups the next request needs. */
interface Needs {
  readonly view: View;
  readonly strategy: Strategy;
  /** The form in which a new epoch will append. */
  readonly append: AppendForm | undefined;
  /** Groups of which the conversation has loaded tools. */
  readonly loaded: readonly (string | undefined)[];
  /** The tools that are active where an epoch begins. */
  readonly active: View;
}

/**
 * Loads the groups whose schemas the next request must declare. A loader that fails is a warning.
 * Rejects only when the signal fires.
 */
export async function loadGroups(
  { toolbox, patience, warn }: LayerContext,
  { signal, ...needs }: Needs & { readonly signal: AbortSignal | undefined },
): Promise<void> {
  const groups = isFixed(needs) ? fixedGroups(toolbox, needs) : groupsToLoad(toolbox, needs);
  if (groups.length === 0) return signal?.throwIfAborted();
  // A schema that can be declared or appended later must not delay a request for long.
  const limit = needs.strategy.delivers === 'append' ? [AbortSignal.timeout(patience)] : [];
  const patient = AbortSignal.any([...(signal ? [signal] : []), ...limit]);
  const settled = await Promise.allSettled(groups.map((groupId) => toolbox.load(groupId, patient)));
  signal?.throwIfAborted();
  settled.forEach((result, index) => {
    if (result.status === 'rejected')
      warn(`group ${groups[index]} did not load: ${String(result.reason)}`);
  });
}

/** Whether the needed groups are the same for all messages. */
function isFixed({ strategy, append }: Needs): boolean {
  const { defers, delivers } = strategy;
  return defers !== 'nothing' && delivers === 'result' && append?.declares !== 'all';
}

interface GroupsToLoad {
  readonly toolbox: Toolbox;
  readonly version: number;
  readonly groups: readonly string[];
}

const fixed = new WeakMap<View, GroupsToLoad>();

/** The groups of such needs. They are determined once for a view, until the tools change. */
function fixedGroups(toolbox: Toolbox, needs: Needs): readonly string[] {
  const known = fixed.get(needs.view);
  if (known?.toolbox === toolbox && known.version === toolbox.version) return known.groups;
  const groups = groupsToLoad(toolbox, needs);
  fixed.set(needs.view, { toolbox, version: toolbox.version, groups });
  return groups;
}

/** Groups whose schemas are needed and that have not loaded yet. */
function groupsToLoad(
  toolbox: Toolbox,
  { view, strategy, append, loaded, active }: Needs,
): string[] {
  const visible = toolbox.listedTo(view);
  const needed: string[] = [];
  for (const [groupId, { group, listed }] of toolbox.registry.groups) {
    if (group.unavailable || toolbox.isLoaded(groupId)) continue;
    const shown = listed.filter(visible);
    const unlisted = listed.length === 0 && toolbox.couldShow(view, groupId, '');
    if (shown.length === 0 && !unlisted) continue;
    const inline =
      shown.some((entry) => toolbox.listedPlacement(entry).exposure === 'inline') ||
      (unlisted && toolbox.groupPlacement(groupId) === 'inline');
    // A loaded tool is declared, or appended, only with the definition that it has here.
    const again = strategy.delivers !== 'result' && loaded.includes(groupId);
    // Only tools that were active when the epoch began are declared unseen.
    const isActive =
      listed.length > 0
        ? shown.some(active.allows)
        : active.allows({ name: '', bare: '', groupId });
    const all = strategy.defers === 'nothing' || (append?.declares === 'all' && isActive);
    if (all || inline || again) needed.push(groupId);
  }
  return needed;
}

/** What to send now. */
export interface Presentation {
  /** Goes after the app's own system text; empty where nothing is deferred. */
  readonly system: string;
  /** The request's `tools`, in wire order. */
  readonly tools: readonly ToolDefinition[];
  /** Texts to put between the messages, as user messages, by position. The host may add some at the tail. */
  readonly inserts: Insert[];
  /** Schemas to append between the messages, by position; only in strategies that append. */
  readonly deliveries: readonly Delivery[];
  /**
   * Definitions that the provider needs and the model must not see; in `tools`, after the
   * others.
   */
  readonly deferred: readonly ToolDefinition[];
  /** Loaded tools that cannot be declared. */
  readonly refused: readonly RefusedTool[];
  /** To be kept with the assistant message that answers this request. */
  readonly note: Note | undefined;
}

/** The notices so far, for a host that keeps no notes with its messages. */
export interface Announcements {
  readonly inserts: readonly Insert[];
  readonly announced: string | undefined;
  readonly active: ActiveNote | undefined;
}

export const NO_ANNOUNCEMENTS: Announcements = {
  inserts: [],
  announced: undefined,
  active: undefined,
};

interface PresentationInputs {
  readonly layer: LayerContext;
  /** The tools that the role allows. */
  readonly view: View;
  /** The tools that are active in this request. */
  readonly active: Active;
  readonly bridges: Bridges;
  readonly choice: EpochChoice;
  readonly epoch: Epoch;
  readonly conversation: TranscriptSummary;
  readonly messages: readonly TranscriptMessage[];
  /** Tools loaded in this conversation, in order. */
  readonly loaded: readonly ToolEntry[];
  readonly announcements: Announcements;
}

/** Builds one request: frozen bytes first, then earlier notices, then what is new. */
export function presentTurn(inputs: PresentationInputs): Presentation {
  const { layer, choice, epoch, conversation, messages } = inputs;
  const same =
    conversation.epoch?.fingerprint === epoch.fingerprint &&
    conversation.epoch.scope === choice.scopeId;
  const announcements = announcementsSoFar(inputs, same);
  const { tools, refused } = declaredTools(inputs);
  const inserts = [...announcements.inserts];
  const now = choice.currentList(epoch.list);
  const { announced } = announcements;
  const found = announced && layer.lists.get(`${choice.scopeId}|${announced}`);
  const known = found && listOfId(epoch.list, announced, found);
  // If the announced list is unknown here, changes are described against the catalog, which
  // stands in the prompt.
  const before = known || epoch.list;
  // A notice after an assistant message would separate a call from its result.
  const tail = messages.at(-1)?.role !== 'assistant';
  const deferring = epoch.strategy.defers !== 'nothing';
  const isForgotten =
    announcements.announced !== undefined && !known && announcements.announced !== epoch.list.id;
  const { allows } = inputs.active.view;
  const hint = layer.catalog.hints === false ? undefined : ownToolHint(layer.toolbox);
  const change =
    describeChange(before, now, allows, hint) ?? (isForgotten ? LIST_RESTORED : undefined);
  const notice = deferring && tail ? change : undefined;
  const narrowing = deferring && tail ? activeNotice(inputs, announcements) : undefined;
  const said = [notice, narrowing].filter((text) => text !== undefined);
  for (const text of said) inserts.push({ position: messages.length, text });
  const fixed = new Set(tools.map((tool) => tool.name));
  const { toolbox, definitions } = layer;
  const { appearances } = conversation;
  const { view } = inputs;
  const delivered = planDeliveries({ epoch, view, toolbox, definitions, appearances, fixed });
  const note: Note = {
    ...(delivered.asText.length > 0 ? { asText: delivered.asText } : {}),
    ...(same ? {} : { epoch: epochNote(choice, epoch) }),
    ...(said.length > 0 ? { inserts: said } : {}),
    ...(narrowing === undefined ? {} : { active: inputs.active.note }),
    ...(same && notice === undefined
      ? {}
      : { announced: notice === undefined ? (announcements.announced ?? epoch.list.id) : now.id }),
  };
  return {
    system: epoch.system,
    tools,
    inserts,
    deliveries: delivered.deliveries,
    deferred: delivered.deferred,
    refused,
    note: Object.keys(note).length === 0 ? undefined : note,
  };
}

function epochNote(choice: EpochChoice, epoch: Epoch): EpochNote {
  const insteadOf = choice.insteadOf(epoch);
  return {
    strategy: epoch.strategy.name,
    fingerprint: epoch.fingerprint,
    scope: choice.scopeId,
    ...(isAll(epoch.active) ? {} : { active: epoch.active }),
    ...(insteadOf === undefined ? {} : { insteadOf }),
  };
}

/** The notice about active tools; most conversations never need one. */
function activeNotice(
  inputs: PresentationInputs,
  announcements: Announcements,
): string | undefined {
  const { layer, view, active, bridges, epoch } = inputs;
  const before = announcements.active;
  if (isAll(active.note) && isAll(before ?? ALL_ACTIVE) && isAll(epoch.active)) return;
  const { toolbox } = layer;
  return describeActive({ ...active, toolbox, view, start: epoch, bridges }, before, active.note);
}

/**
 * What this epoch has announced, by the notes of the messages, else by the memory of this
 * session.
 */
function announcementsSoFar(
  { conversation, announcements, messages }: PresentationInputs,
  same: boolean,
): Announcements {
  if (same) return conversation;
  if (conversation.epoch) return NO_ANNOUNCEMENTS;
  // The message with the note of the epoch was dropped; later notes are still there.
  if (conversation.announced !== undefined || conversation.active !== undefined)
    return conversation;
  // A notice beyond the end belonged to messages that were dropped. It is announced again.
  const isThere = announcements.inserts.every(({ position }) => position <= messages.length);
  return isThere ? announcements : NO_ANNOUNCEMENTS;
}

/**
 * The declared tools. In strategies that declare what was loaded, these come last, in the order of their
 * loads, as far as the endpoint accepts them.
 */
function declaredTools({
  layer: { toolbox },
  epoch,
  loaded,
}: PresentationInputs): Pick<Presentation, 'refused'> & { tools: ToolDefinition[] } {
  const tools = fixedTools(epoch, toolbox);
  const refused: RefusedTool[] = [];
  const { accepts, strategy } = epoch;
  if (strategy.delivers !== 'tools' || strategy.defers === 'nothing') return { tools, refused };
  const { by, most = Number.POSITIVE_INFINITY } = accepts ?? {};
  const declared = new Set(tools.map((tool) => tool.name));
  for (const entry of loaded) {
    const { name } = entry;
    const verdict = declared.has(name) ? undefined : declarableOf(toolbox, entry, accepts);
    if (!verdict) continue;
    const isFull = tools.length >= most;
    const why = isFull ? `${by} accepts at most ${most} declared tools` : verdict.problem;
    if (why !== undefined) refused.push({ name, why, instead: 'left out' });
    else if (verdict.tool) tools.push(verdict.tool);
  }
  return { tools, refused };
}
