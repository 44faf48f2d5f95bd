import { isNotePart, readResponseNote } from '@toolfold/ai-sdk/internal/messages';
import type { CallObserver } from '@toolfold/core/internal/host';
import { viewOf } from '@toolfold/core/internal/registry';
import type { ModelMessage, ToolSet } from 'ai';
import {
  areSamePlain,
  type Content,
  isCheaperWithout,
  isRecallDeclared,
  type Write,
} from '../entries/index.ts';
import {
  type AgentEvent,
  type Budget,
  type EndReason,
  endCodeOf,
  joinedTexts,
  turnError,
} from '../events/index.ts';
import { AnswerRecorder, readUsage } from '../log/index.ts';
import { settingsToKeep } from '../options/index.ts';
import { emptyRoleWarning } from '../routing/index.ts';
import type { OpenAnswer } from '../state/index.ts';
import { SUBAGENTS } from '../tasks/index.ts';
import { type AgentContext, foldSettings, frozenOf } from './context.ts';
import { roundsIn } from './rounds.ts';

/** What a running turn knows beside the log. */
export class Turn {
  /** Tool rounds at the last request, set once they are used up. */
  rounds = 0;
  /** Tool rounds of this turn that a compaction has removed from the messages. */
  cutRounds = 0;
  /** Requests of this turn. */
  requests = 0;
  /** Tokens of their prompts and answers. */
  tokens = 0;
  /** The budget that the next answer uses up, or that earlier ones have. */
  spent: Budget | undefined;
  /** Set where the generation stopped because its next request would not fit into the context window. */
  isFull = false;
  /** Tools of the current generation. */
  tools: ToolSet = {};
  readonly recorder: AnswerRecorder;
  /** Resolves when the last generation has been read. Never rejects. */
  reading: Promise<unknown> | undefined;
  /** Whether a tool has run or may have run since the last request. */
  hasRun = false;
  /** Running tools by call id: `promise` resolves at the end. */
  readonly running: Map<string, PromiseWithResolvers<void> & { readonly name: string }> = new Map();
  /** Fires when the turn is cancelled. */
  readonly signal: AbortSignal;
  /** Set when the turn has ended. No tool starts any more. */
  isOver = false;

  /** `replay`: the answer of an earlier process, which stands in place of the first request. */
  constructor(context: AgentContext, signal: AbortSignal, replay?: OpenAnswer) {
    const { log, sent, isReal, options } = context;
    this.signal = signal;
    this.recorder = new AnswerRecorder(
      {
        ...{ log, sent, isReal },
        refusesCalls: () => Object.keys(this.tools).length === 0,
        retries: options.settings?.maxRetries,
        onAnswer: ({ usage }) => takeAnswer(context, usage),
      },
      replay,
    );
  }

  /** The SDK is about to run a call. */
  enter({ toolCallId: id, toolName: name }: { toolCallId: string; toolName: string }): void {
    this.running.get(id)?.resolve();
    this.running.set(id, { name, ...Promise.withResolvers<void>() });
  }

  /** The call has a result or an error. */
  leave(id: string): void {
    this.hasRun = true;
    this.running.get(id)?.resolve();
    this.running.delete(id);
  }

  /** After the turn was interrupted, no run begins. */
  readonly observer: CallObserver = {
    started: () => {
      if (this.isOver || this.signal.aborted)
        throw new Error('The call was not run: the turn was cancelled first.');
      this.hasRun = true;
    },
  };
}

/** Takes the usage of an answer that is written, and writes the state of a new epoch. */
async function takeAnswer(context: AgentContext, usage: unknown): Promise<void> {
  const { log, options, use } = context;
  const { messages, answer } = log.state;
  use.answered(readUsage(usage), messages.length);
  if (!log.session || !answer?.content.some(beginsEpoch)) return;
  const given = { ...foldSettings(context), ...frozenOf(context) };
  const state = await options.fold.state(options.model, [...messages], given);
  await log.append(['epoch', { state }]);
}

/** Whether a part of an answer is a note that names new frozen bytes. */
function beginsEpoch(part: Content): boolean {
  const note = isNotePart(part) ? readResponseNote(part.providerOptions) : undefined;
  return note?.epoch !== undefined || note?.appended !== undefined;
}

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

type EndEvent = Extract<AgentEvent, { type: 'end' }>;

/** The `end` event of a turn, undefined if none has begun. `error` is used only with the reason `error`. */
export function endOf(
  context: AgentContext,
  turn: Turn | undefined,
  { reason, error }: { readonly reason: EndReason; readonly error?: unknown },
): EndEvent {
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
