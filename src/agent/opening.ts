import type { ModelMessage } from 'ai';
import { viewOf } from '../tools/access/index.ts';
import type { AgentEvent } from './events/index.ts';
import { unmatchedRoles } from './roles/index.ts';
import { modelName } from './settings/index.ts';
import { SUBAGENTS } from './subagents/engine/index.ts';
import { type AgentContext, choiceOf, ownSettings } from './turn-settings.ts';

/** The `start` event, if the last message is the user's. */
export function startOf(
  context: AgentContext,
  messages: readonly ModelMessage[],
): AgentEvent | undefined {
  if (messages.at(-1)?.role !== 'user') return;
  const { options, model } = context;
  const { fold, role } = options;
  const given = role === undefined ? {} : { role };
  const own = ownSettings(options, model);
  const { strategy, reason } = fold.explain(options.model, { ...choiceOf(context), ...own });
  return { type: 'start', model: modelName(model), ...given, strategy, reason };
}

/** Warnings about options that have no effect. */
export function* warningsOf({ options, lineage }: AgentContext): Iterable<AgentEvent> {
  const { fold, model, role, roles = {}, subagents } = options;
  const hasTool = fold.layer.fingerprintOf(SUBAGENTS) !== undefined;
  if (hasTool && !subagents && !lineage) {
    const text = `The fold has the tool ${SUBAGENTS}, but this agent has no subagents, so the tool is hidden. Pass them: createAgent({ subagents }).`;
    yield { type: 'warning', text };
  }
  const settings = role === undefined ? undefined : roles[role];
  if (role === undefined || !settings) return;
  if (subagents && !viewOf(roles, role).allows(fold.layer.addressOf(SUBAGENTS))) {
    const text = `The role "${role}" does not allow the tool ${SUBAGENTS}, so it cannot start subagents. Add the tool to the role.`;
    yield { type: 'warning', text };
  }
  const tools = fold.explain(model).tools.map(({ name }) => fold.layer.addressOf(name));
  for (const { matchesNothing } of unmatchedRoles({ [role]: settings }, tools)) {
    if (!matchesNothing) continue;
    const text = `The role "${role}" names tools, but no available tool matches. Check its tool patterns and the connected servers.`;
    yield { type: 'warning', text };
  }
}
