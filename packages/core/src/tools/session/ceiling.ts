import { ToolfoldError } from '../../errors.ts';
import type { LayerContext } from '../epoch/index.ts';
import type { Toolbox } from '../registry/index.ts';
import { intersectViews, type View, viewOfGlobs, viewWithout } from '../registry/index.ts';
import type { SessionOptions } from './session-options.ts';

/** Narrows a view by the globs of one session. */
export function narrowedView(view: View, { only, without }: SessionOptions): View {
  const within = only ? intersectViews(view, viewOfGlobs(only)) : view;
  return without && without.length > 0 ? viewWithout(within, without) : within;
}

/**
 * Throws `empty-role` if a child's role asks for tools and its parent allows none of them.
 * `role` and `view`: the child's view without and with the limit of its parent.
 */
export function checkChild(
  { toolbox, roles }: LayerContext,
  name: string,
  role: View,
  view: View,
): void {
  const { tools, groups } = roles[name] ?? {};
  const names = tools !== undefined || groups !== undefined;
  const wantsNone = tools === false || tools?.length === 0;
  // A role that names nothing asks for all tools.
  const wants = names ? !wantsNone : hasAny(toolbox, role);
  if (!wants || hasAny(toolbox, view)) return;
  throw new ToolfoldError(
    'empty-role',
    `None of the tools that the role "${name}" names may be used here.`,
    'Give the child another role or no role, or give its parent a wider one.',
  );
}

/** Whether a view has tools, as far as that is known before groups load. */
function hasAny(toolbox: Toolbox, view: View): boolean {
  if (toolbox.visibleEntries(view).length > 0) return true;
  return [...toolbox.registry.groups.values()].some((group) => toolbox.groupVisibleTo(view, group));
}
