import type { AppendForm } from './append-form.ts';
import type { Strategy } from './strategies/strategy.ts';
import type { Toolbox } from './toolbox.ts';
import type { View } from './view.ts';

/** Groups whose schemas the next request must declare and that have not loaded yet. */
export function groupsToPrepare(
  toolbox: Toolbox,
  view: View,
  strategy: Strategy,
  append: AppendForm | undefined,
  loaded: readonly (string | undefined)[],
  active: View,
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
    const again = strategy.delivers === 'tools' && loaded.includes(groupId);
    // What is declared out of sight is only what was active when the epoch began.
    const isActive =
      listed.length > 0
        ? shown.some(active.allows)
        : active.allows({ name: '', bare: '', groupId });
    const all = strategy.defers === 'nothing' || (append?.declares === 'all' && isActive);
    if (all || inline || again) needed.push(groupId);
  }
  return needed;
}
