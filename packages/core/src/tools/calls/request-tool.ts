import { type JsonObject, ownProperty } from '../values/index.ts';
import { missingName, notDeclarable, ok } from './refusals.ts';
import type { Reply } from './route.ts';
import { noRoom, type Scope } from './scope.ts';
import { findTarget } from './target.ts';

/** `request_tool`: declares one tool from the next step on. */
export async function requestTool(
  scope: Scope,
  request: JsonObject,
  signal?: AbortSignal,
): Promise<Reply> {
  const requested = ownProperty(request, 'name');
  if (typeof requested !== 'string' || requested.trim() === '') {
    return missingName('Say which tool in `name`.');
  }
  const target = await findTarget(scope, requested.trim(), signal);
  if (target.kind === 'answer') return target;
  const { name, groupId } = target.entry;
  const isDeclared = scope.declared.has(name);
  const refusal = scope.refusal(target.entry) ?? (isDeclared ? undefined : noRoom(scope));
  if (refusal !== undefined) return notDeclarable(target.entry, refusal);
  if (!isDeclared) scope.onToolsExpanded(groupId ?? '', [target.tool]);
  const when = isDeclared ? 'now' : 'from your next step on';
  return ok({ name, declared: true, next: `Call ${name} ${when}.` });
}
