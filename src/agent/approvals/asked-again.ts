import type { ToolLayer } from '../../tools/index.ts';
import type { PendingApproval } from '../events/index.ts';
import { changesBetween, type Shown } from './changes.ts';
import { definitionIn } from './definition.ts';

/** Why the user is asked again, and about which arguments. */
type Again = Required<Pick<PendingApproval, 'reason' | 'changes' | 'arguments'>>;

/** The reason of a repeated approval request. */
const CHANGED = 'the tool or its arguments have changed since you were asked';

/**
 * Why the user is asked again about a call whose tool or arguments have changed. `before`: what was shown
 * when the user was asked the last time, where that is known. `input`: the arguments that would run now.
 */
export function askedAgain(
  { name }: Pick<PendingApproval, 'name'>,
  input: unknown,
  before: Shown | undefined,
  layer: Pick<ToolLayer, 'bindingOf'>,
): Again {
  const now = { definition: definitionIn(layer, name), arguments: input };
  const changes = before ? changesBetween(before, now) : [];
  const reason = changes.length > 0 ? `${CHANGED}: ${changes.join('; ')}` : CHANGED;
  return { reason, changes, arguments: input };
}
