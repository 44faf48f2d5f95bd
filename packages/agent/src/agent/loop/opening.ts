import { viewOf } from '@toolfold/core/internal/tools/registry';
import type { ModelMessage } from 'ai';
import { roundsIn } from '../calls/index.ts';
import { type AgentContext, foldSettings } from '../context/index.ts';
import { areSamePlain, type Write } from '../entries/index.ts';
import {
  type AgentEvent,
  type EndReason,
  endCodeOf,
  joinedTexts,
  turnError,
} from '../events/index.ts';
import { settingsToKeep } from '../options/index.ts';
import { isRecallDeclared } from '../recall/index.ts';
import { emptyRoleWarning } from '../roles/index.ts';
import { SUBAGENTS } from '../subagents/engine/index.ts';
import { isCheaperWithout } from '../tool-tokens/index.ts';
import type { Turn } from './turn.ts';

/** What the log does not know yet of the agent's settings. */
export function changesOf({ log, options, switches, requests }: AgentContext): Write[] {
  const { settings, turn, areToolsOn, areToolsLeftOut, request } = log.state;
  const { areToolsOn: on } = switches;
  const isNew = turn === 0 && settings.model === undefined;
  const recall = settings.recall || (isNew && isRecallDeclared(options.fold.layer));
  const now = { ...settingsToKeep(options), ...(recall ? { recall } : {}) };
  const isSame = areSamePlain(settings, now);
  const isSwitched = areToolsOn !== on;
  // While they are off, no epoch begins with tools.
  const leavesOut =
    !on && (isSwitched ? !isSame || !request || isCheaperWithout(request.tokens) : !isSame);
  if (request && leavesOut && !areToolsLeftOut) requests.expect('tools are off and are left out');
  if (request && on && areToolsLeftOut) requests.expect('tools are on again');
  const leftOut = leavesOut || areToolsLeftOut ? { leftOut: true as const } : {};
  return [
    ...(isSame ? [] : [['settings', now] as const]),
    ...(isSwitched || (leavesOut && !areToolsLeftOut)
      ? [['tools', { on, ...(on ? {} : leftOut) }] as const]
      : []),
  ];
}

/** The `start` event, if the last message is from the user. */
export function startOf(
  context: AgentContext,
  messages: readonly ModelMessage[],
): AgentEvent | undefined {
  if (messages.at(-1)?.role !== 'user') return;
  const { options, modelName: model, switches, log } = context;
  const { fold, role } = options;
  const given = role === undefined ? {} : { role };
  if (!switches.areToolsOn) {
    const { areToolsLeftOut, request } = log.state;
    const strategy = areToolsLeftOut ? undefined : request?.strategy;
    const reason = `tools are off${strategy === undefined ? '' : ', and the epoch keeps its bytes'}`;
    return { type: 'start', model, ...given, strategy: strategy ?? 'none', reason };
  }
  const { strategy, reason } = fold.explain(options.model, foldSettings(context));
  return { type: 'start', model, ...given, strategy, reason };
}

type End = Extract<AgentEvent, { type: 'end' }>;

/** The `end` event of a turn, undefined if none has begun. `error` is used only with the reason `error`. */
export function endOf(
  context: AgentContext,
  turn: Turn | undefined,
  { reason, error }: { readonly reason: EndReason; readonly error?: unknown },
): End {
  const why =
    reason === 'error' ? { error: turnError(error, context.model), code: endCodeOf(error) } : {};
  if (!turn) return { type: 'end', reason, text: '', ...why };
  const { state } = context.log;
  const left = roundsLeft(context, turn);
  return { type: 'end', reason, text: joinedTexts(state.texts), roundsLeft: left, ...why };
}

/** The `rounds` event of a turn that the limit of requests has stopped, or that has no tools. */
export function roundsOf(context: AgentContext, turn: Turn, limit = 0): AgentEvent {
  if (!context.switches.areToolsOn) return { type: 'rounds', limit: 0, roundsLeft: 0 };
  return { type: 'rounds', limit, roundsLeft: roundsLeft(context, turn) };
}

function roundsLeft({ log, maxRounds, isReal }: AgentContext, { cutRounds }: Turn): number {
  return Math.max(0, maxRounds - roundsIn(log.state.messages, isReal) - cutRounds);
}

/** Warnings about options that have no effect. */
export function* warningsOf({ options, lineage, hidden }: AgentContext): Iterable<AgentEvent> {
  const { fold, role, subagents } = options;
  if (!subagents && !lineage && hidden.includes(SUBAGENTS)) {
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
