import { own } from '../values/index.ts';
import { readRequest } from './arguments.ts';
import { type Answer, failure, ok, type Scope } from './scope.ts';
import { findTarget } from './target.ts';

/** `request_tool`: declares one tool from the next step on. */
export async function requestTool(
  scope: Scope,
  input: unknown,
  signal?: AbortSignal,
): Promise<Answer> {
  const name = own(readRequest(input), 'name');
  if (typeof name !== 'string' || name.trim() === '') {
    return failure({ error: 'missing_name', message: 'Say which tool in `name`.' });
  }
  const target = await findTarget(scope, name.trim(), signal);
  if (!target.ok) return target.answer;
  const { entry, tool } = target;
  if (scope.declared.has(entry.name)) {
    return ok({ name: entry.name, declared: true, next: `Call ${entry.name} now.` });
  }
  scope.onToolsExpanded(entry.groupId ?? '', [tool]);
  return ok({
    name: entry.name,
    declared: true,
    next: `Call ${entry.name} from your next step on.`,
  });
}
