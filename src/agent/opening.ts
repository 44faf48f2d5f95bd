import type { ModelMessage } from 'ai';
import { viewOf } from '../tools/access/index.ts';
import type { AgentEvent } from './events/index.ts';
import { unmatchedRoles } from './roles/index.ts';
import { modelName } from './settings/index.ts';
import { SUBAGENTS } from './subagents/engine/index.ts';
import { type AgentContext, choiceOf, ownSettings } from './turn-settings.ts';

/** What a turn begins with, where these messages begin one. */
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

/** What an agent asks for and does not get. */
export function* warningsOf({ options, lineage }: AgentContext): Iterable<AgentEvent> {
  const { fold, model, role, roles = {}, subagents } = options;
  const hasTool = fold.layer.fingerprintOf(SUBAGENTS) !== undefined;
  if (hasTool && !subagents && !lineage) {
    const text = `The fold has the tool ${SUBAGENTS}, this agent nobody to send: createAgent({ subagents }).`;
    yield { type: 'warning', text };
  }
  const settings = role === undefined ? undefined : roles[role];
  if (role === undefined || !settings) return;
  if (subagents && !viewOf(roles, role).allows(fold.layer.addressOf(SUBAGENTS))) {
    const text = `The role "${role}" does not name the tool ${SUBAGENTS}: it sends no subagents.`;
    yield { type: 'warning', text };
  }
  const tools = fold.explain(model).tools.map(({ name }) => fold.layer.addressOf(name));
  for (const { matchesNothing } of unmatchedRoles({ [role]: settings }, tools)) {
    if (!matchesNothing) continue;
    const text = `The role "${role}" asks for tools, and none of those there are matches.`;
    yield { type: 'warning', text };
  }
}
