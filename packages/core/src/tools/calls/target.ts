import type { Entry, Tool } from '../tool/index.ts';
import { namesAlike } from './near-tools.ts';
import { ambiguousTool, isInactive, loadFailed, missingTool, unknownTool } from './refusals.ts';
import type { Reply } from './route.ts';
import { groupsThatMayHave, type Scope } from './scope.ts';

export type Target = { readonly kind: 'found'; readonly entry: Entry; readonly tool: Tool } | Reply;

/**
 * Finds the tool of a name and loads it. A name that differs only in case or separators is
 * accepted if it can mean one tool only, and a trusted source says that this tool only reads.
 * `known`: the entry that the host found under this name.
 */
export async function findTarget(
  scope: Scope,
  name: string,
  signal?: AbortSignal,
  known?: Entry,
): Promise<Target> {
  const { toolbox, view } = scope;
  const { registry } = toolbox;
  const visible = toolbox.visibleTo(view);
  if (known && registry.get(known.name) === known && visible(known)) {
    return loadTarget(scope, name, known, signal);
  }
  const resolution = registry.resolve(name, visible);
  if (resolution.kind === 'found') return loadTarget(scope, name, resolution.entry, signal);
  if (resolution.kind === 'ambiguous') return ambiguousTool(name, resolution.entries);
  if (scope.wasRemoved(name) || isInactive(scope, name)) return unknownTool(scope, name);
  // The server may have a tool that the snapshot lacks.
  for (const { group } of groupsThatMayHave(scope, name)) {
    const failed = await loadGroup(scope, group.groupId, signal);
    if (failed) return loadFailed(name, group.groupId, failed.cause);
    const again = registry.resolve(name, visible);
    if (again.kind === 'found') return loadTarget(scope, name, again.entry, signal);
  }
  const [only, ...others] = namesAlike(scope, name);
  if (only && others.length === 0) {
    const target = await loadTarget(scope, name, only, signal);
    const isReadOnly = toolbox.trustedAnnotationsOf(only.name)?.readOnlyHint === true;
    if (target.kind === 'found' && isReadOnly) return target;
  }
  return unknownTool(scope, name);
}

async function loadTarget(
  scope: Scope,
  requested: string,
  entry: Entry,
  signal: AbortSignal | undefined,
): Promise<Target> {
  const { toolbox, view } = scope;
  const { name, groupId } = entry;
  if (groupId !== undefined && !toolbox.toolOf(entry)) {
    const failed = await loadGroup(scope, groupId, signal);
    if (failed) return loadFailed(name, groupId, failed.cause);
  }
  // Checked again after loading: the tool's own setting may hide it, and the list of tools may
  // have changed.
  const isThere = toolbox.registry.get(name) !== undefined && toolbox.visibleTo(view)(entry);
  if (!isThere) return unknownTool(scope, requested);
  const tool = toolbox.toolOf(entry);
  return tool ? { kind: 'found', entry, tool } : missingTool(entry);
}

/** Loads a group. Returns the error, if there is one. Rejects only with the reason of the signal. */
export async function loadGroup(
  { toolbox }: Scope,
  groupId: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly cause: unknown } | undefined> {
  try {
    await toolbox.load(groupId, signal);
    return;
  } catch (cause) {
    signal?.throwIfAborted();
    return { cause };
  }
}
