import type { LayerContext } from '../epoch/index.ts';
import type { Toolbox, View } from '../registry/index.ts';
import type { AppendForm, Strategy } from '../strategies/index.ts';

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

interface Fixed {
  readonly toolbox: Toolbox;
  readonly version: number;
  readonly groups: readonly string[];
}

const fixed = new WeakMap<View, Fixed>();

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
