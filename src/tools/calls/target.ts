import type { Entry, Tool } from '../tool/index.ts';
import { namesAlike } from './near-tools.ts';
import { loadFailed, missingTool, unknownTool, unresolved } from './refusals.ts';
import { type Answer, groupsThatMayHave, isInactive, type Scope } from './scope.ts';

export type Target =
  | { readonly ok: true; readonly entry: Entry; readonly tool: Tool }
  | { readonly ok: false; readonly answer: Answer };

/**
 * Finds the tool of a name and loads it. A name that differs only in case or separators is
 * accepted if it can mean one tool only, and a trusted source says that this tool only reads.
 */
export async function findTarget(
  scope: Scope,
  name: string,
  signal?: AbortSignal,
): Promise<Target> {
  const { registry } = scope.toolbox;
  const resolution = registry.resolve(name, scope.toolbox.visibleTo(scope.view));
  if (resolution.kind === 'found') return loadTarget(scope, name, resolution.entry, signal);
  if (resolution.kind === 'unknown' && !scope.wasRemoved(name) && !isInactive(scope, name)) {
    const revealed = await revealTarget(scope, name, signal);
    if (revealed) return revealed;
    const repaired = await repairTarget(scope, name, signal);
    if (repaired) return repaired;
  }
  return { ok: false, answer: unresolved(scope, name, resolution) };
}

async function loadTarget(
  scope: Scope,
  requested: string,
  entry: Entry,
  signal?: AbortSignal,
): Promise<Target> {
  if (entry.groupId !== undefined && !scope.toolbox.toolOf(entry)) {
    try {
      await scope.toolbox.load(entry.groupId, signal);
    } catch (error) {
      signal?.throwIfAborted();
      return { ok: false, answer: loadFailed(entry, entry.groupId, error) };
    }
  }
  // Checked again after loading: the tool's own setting may hide it, and the list of tools may
  // have changed.
  const gone = scope.toolbox.registry.get(entry.name) === undefined;
  if (gone || !scope.toolbox.visibleTo(scope.view)(entry)) {
    return { ok: false, answer: unknownTool(scope, requested) };
  }
  const tool = scope.toolbox.toolOf(entry);
  return tool ? { ok: true, entry, tool } : { ok: false, answer: missingTool(entry) };
}

/** Loads the group of a full name: the server may have a tool that the snapshot lacks. */
async function revealTarget(
  scope: Scope,
  name: string,
  signal?: AbortSignal,
): Promise<Target | undefined> {
  const { registry } = scope.toolbox;
  for (const { group } of groupsThatMayHave(scope, name)) {
    try {
      await scope.toolbox.load(group.groupId, signal);
    } catch (error) {
      signal?.throwIfAborted();
      return { ok: false, answer: loadFailed({ name }, group.groupId, error) };
    }
    const again = registry.resolve(name, scope.toolbox.visibleTo(scope.view));
    if (again.kind === 'found') return loadTarget(scope, name, again.entry, signal);
  }
  return;
}

async function repairTarget(
  scope: Scope,
  name: string,
  signal?: AbortSignal,
): Promise<Target | undefined> {
  const candidates = namesAlike(scope, name);
  const [only] = candidates;
  if (!only || candidates.length > 1) return;
  const target = await loadTarget(scope, name, only, signal);
  return target.ok && scope.toolbox.hintsOf(only.name)?.readOnlyHint === true ? target : undefined;
}
