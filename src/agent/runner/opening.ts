import type { ModelMessage } from 'ai';
import { viewOf } from '../../tools/registry/index.ts';
import type { Closed } from '../conversation/index.ts';
import { type AgentEvent, type EndReason, endCodeOf } from '../events/index.ts';
import { emptyRoleWarning } from '../roles/index.ts';
import { modelName } from '../settings/index.ts';
import { SUBAGENTS } from '../subagents/engine/index.ts';
import { roundsLeft, type Turn, turnError } from '../turn/index.ts';
import { type AgentContext, choiceOf, ownSettings } from './turn-settings.ts';

/** Runs before the first request of a turn. Returns a reason if the turn ends there. */
export type Opening = (
  turn: Turn,
  signal: AbortSignal,
) => AsyncGenerator<AgentEvent, EndReason | undefined>;

/** The messages that a turn begins with, and what its user said. */
export interface Beginning extends Closed {
  readonly said?: readonly AgentEvent[];
}

/** The `start` event, if the last message is from the user. */
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

/** The `end` event of a turn, undefined if none has begun. `error` is used only with the reason `error`. */
export function endOf(
  context: AgentContext,
  messages: readonly ModelMessage[],
  turn: Turn | undefined,
  { reason, error }: { readonly reason: EndReason; readonly error?: unknown },
): AgentEvent {
  const why =
    reason === 'error' ? { error: turnError(error, context.model), code: endCodeOf(error) } : {};
  if (!turn) return { type: 'end', reason, text: '', ...why };
  const left = roundsLeft(context, messages, turn);
  return { type: 'end', reason, text: turn.text, roundsLeft: left, ...why };
}

/** The `rounds` event of a turn that the limit of requests has stopped, or that has no tools. */
export function roundsOf(
  context: AgentContext,
  messages: readonly ModelMessage[],
  turn: Turn,
  limit = 0,
): AgentEvent {
  if (!context.areToolsOn()) return { type: 'rounds', limit: 0, roundsLeft: 0 };
  return { type: 'rounds', limit, roundsLeft: roundsLeft(context, messages, turn) };
}

/** Warnings about options that have no effect. */
export function* warningsOf({ options, lineage }: AgentContext): Iterable<AgentEvent> {
  const { fold, role, subagents } = options;
  const hasTool = fold.layer.fingerprintOf(SUBAGENTS) !== undefined;
  if (hasTool && !subagents && !lineage) {
    const text = `The fold has the tool ${SUBAGENTS}, but this agent has no subagents, so the tool is hidden. Pass them: createAgent({ subagents }).`;
    yield { type: 'warning', text };
  }
  if (role === undefined || !Object.hasOwn(fold.roles, role)) return;
  if (subagents && !viewOf(fold.roles, role).allows(fold.layer.addressOf(SUBAGENTS))) {
    const text = `The role "${role}" does not allow the tool ${SUBAGENTS}, so it cannot start subagents. Add the tool to the role.`;
    yield { type: 'warning', text };
  }
  const text = emptyRoleWarning(fold.roles, role, fold.layer.known());
  if (text !== undefined) yield { type: 'warning', text };
}
