import type { Toolbox, View } from '../registry/index.ts';
import { type Bridges, isDispatcher, type ToolDefinition, type ToolEntry } from '../tool/index.ts';
import { type ActiveNote, isActive, listedEntries, viewOfNote } from '../transcript/index.ts';
import { byCodePoint, plainCount, plainLine } from '../values/index.ts';

const MAX_NAMES = 20;

/** What the start of the prompt shows, as the epoch has it. */
interface ShownAtStart {
  /** The tools that were active then. */
  readonly active: ActiveNote;
  /** The app's own tools that are declared. */
  readonly ownNames: readonly string[];
  /** The tools of groups that are declared. */
  readonly groupTools: readonly ToolDefinition[];
  readonly bridges: readonly ToolDefinition[];
}

interface NoticeInputs {
  readonly toolbox: Toolbox;
  /** The role's view. */
  readonly view: View;
  readonly start: ShownAtStart;
  readonly bridges: Bridges;
  /** Tools of the host that the layer does not know. */
  readonly beside: readonly string[];
  readonly usesBridges?: boolean;
}

/** How the active tools differ from those that the start of the prompt shows. */
interface Difference {
  /** Shown there, and not active. */
  readonly missing: readonly string[];
  /** Not shown there, and active. */
  readonly extra: readonly ToolEntry[];
  /** All active tools; empty if no real tool is active. */
  readonly active: readonly string[];
}

/**
 * The notice about active tools, given the last notice. Undefined if that one still holds. The
 * text describes the whole present state, so that it needs no earlier notice.
 */
export function describeActive(
  inputs: NoticeInputs,
  before: ActiveNote | undefined,
  now: ActiveNote,
): string | undefined {
  const last = before && differenceOf(inputs, before);
  const { missing, extra, active } = differenceOf(inputs, now);
  const [were, are] = [last?.extra ?? [], new Set(extra)];
  if (isSame(last?.missing ?? [], missing) && isSame(namesOf(were), namesOf(extra))) return;
  if (active.length === 0) return noticeText('no tool may be used now.');
  const gone = [...missing, ...namesOf(were.filter((entry) => !are.has(entry)))];
  if (gone.length === 0 && extra.length === 0)
    return noticeText('all tools that were shown at the start may be used now.');
  if (active.length < gone.length)
    return noticeText(`only these tools may be used now: ${shortList(active)}.`);
  const also = extra.length > 0 ? shortListOfEntries(extra) : undefined;
  if (gone.length === 0)
    return noticeText(
      `all tools that were shown at the start may be used now, and so may these: ${also}.`,
    );
  const others = also === undefined ? '' : `, and so may these: ${also}`;
  return noticeText(
    `these tools may not be used now: ${shortList(gone)}. All others that were shown at the start may be used${others}.`,
  );
}

function differenceOf(
  { toolbox, view, start, bridges, beside, usesBridges }: NoticeInputs,
  note: ActiveNote,
): Difference {
  const allows = viewOfNote(note).allows;
  const wasShown = viewOfNote(start.active).allows;
  const declared = new Set([...start.ownNames, ...start.groupTools.map(({ name }) => name)]);
  const entries = listedEntries(toolbox, view);
  const shown = entries.filter((entry) => declared.has(entry.name) || wasShown(entry));
  // A dispatcher is an envelope: only the tool in it is active or not.
  const mayUse = (name: string) =>
    usesBridges || isDispatcher(bridges.kinds.get(name)) || isActive(note, name);
  const usable = entries.filter(allows);
  const besideShown = beside.filter((name) => isActive(start.active, name));
  const besideUsable = beside.filter((name) => isActive(note, name));
  const bridgeNames = start.bridges.map(({ name }) => name);
  const real = [...besideUsable, ...namesOf(usable)];
  return {
    missing: [
      ...namesOf(shown.filter((entry) => !allows(entry))),
      ...besideShown.filter((name) => !isActive(note, name)),
      ...bridgeNames.filter((name) => !mayUse(name)),
    ],
    extra: usable.filter((entry) => !declared.has(entry.name) && !wasShown(entry)),
    active: real.length === 0 ? [] : [...real, ...bridgeNames.filter(mayUse)],
  };
}

function noticeText(text: string): string {
  return `[Notice from the application, not from the user: ${text}]`;
}

function namesOf(entries: readonly ToolEntry[]): string[] {
  return entries.map(({ name }) => name);
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, index) => name === b[index]);
}

function shortList(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  const shown = names.slice(0, MAX_NAMES).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}

/** By name while they are few; else by group, whose tools can then be loaded. */
function shortListOfEntries(entries: readonly ToolEntry[]): string {
  if (entries.length <= MAX_NAMES) return namesOf(entries).join(', ');
  const groups = new Map<string, number>();
  for (const { groupId, name } of entries) {
    const key = groupId ?? name;
    groups.set(key, (groups.get(key) ?? 0) + 1);
  }
  const lines = [...groups].sort(([a], [b]) => byCodePoint(a, b));
  return shortList(
    lines.map(([id, count]) => `${plainLine(id, 80)} (${plainCount(count, 'tool')})`),
  );
}
