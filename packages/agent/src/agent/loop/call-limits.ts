import type { AppApprovalQuestion, Notice, WithOptions } from '@toolfold/ai-sdk';
import type { ModelMessage } from 'ai';
import {
  BUDGET_SPENT,
  LOADS_IN_A_ROW,
  loadsInARow,
  NO_BUDGET,
  NO_ROUNDS,
  ROUNDS_SPENT,
  roundsIn,
} from '../calls/index.ts';
import type { AgentContext } from '../context/index.ts';
import type { Budget } from '../events/index.ts';
import { openCalls, TOOLS_ARE_OFF, TOOLS_OFF, TOOLS_ON, USER_WROTE } from '../state/index.ts';
import type { Turn } from './turn.ts';

interface CallLimits {
  /** Whether no tool may be called any more after these messages. */
  readonly isSpent: (messages: readonly ModelMessage[]) => boolean;
  /** Checks the budgets before a request with these messages. */
  readonly begin: (messages: readonly ModelMessage[]) => void;
  /** What the model is told about it. */
  readonly notice: Notice;
  /** Decides approval by the name of the real tool, also for calls through a bridge tool. */
  readonly toolApproval: NonNullable<WithOptions['toolApproval']>;
}

/** Which calls of a generation may run. `limit`: of tool rounds. */
export function callLimits(context: AgentContext, turn: Turn, limit: number): CallLimits {
  const { log, switches, isReal, policy, budget, steering } = context;
  const isSpent = (messages: readonly ModelMessage[]) =>
    !switches.areToolsOn ||
    mayNotCall(turn) ||
    roundsIn(messages, isReal) + turn.cutRounds >= limit;
  const limits: Readonly<Record<Budget, number>> = { ...budget, loads: LOADS_IN_A_ROW };
  return {
    isSpent,
    begin: (messages) => {
      const { spent: before, requests, tokens } = turn;
      const used = { requests, tokens, loads: loadsInARow(messages, isReal) };
      const of = ORDER.find((name) => used[name] >= limits[name]);
      turn.spent = of;
      if (of && of !== before) void log.report({ type: 'rounds', limit: limits[of], of });
    },
    notice: ({ isNew, rounds: shown }) => {
      const rounds = shown + turn.cutRounds;
      if (!switches.areToolsOn) return isNew ? TOOLS_OFF : undefined;
      const notices = log.state.saysToolsAreOff ? [TOOLS_ON] : [];
      if (rounds >= limit) {
        if (turn.rounds < limit) void log.report({ type: 'rounds', limit, roundsLeft: 0 });
        turn.rounds = rounds;
        notices.push(ROUNDS_SPENT);
      } else if (turn.spent) notices.push(BUDGET_SPENT[turn.spent]);
      return notices.length > 0 ? notices.join('\n\n') : undefined;
    },
    toolApproval: async ({ toolCall, needsApproval }: AppApprovalQuestion) => {
      const { toolName: name, toolCallId } = toolCall;
      if (!isReal(name)) return undefined;
      const { askedCalls, runs } = log.state;
      // An earlier process has denied it. The model reads the same.
      const { denied, thrown } = runs.get(toolCallId)?.outcome ?? {};
      if (denied !== undefined && thrown === undefined)
        return { type: 'denied' as const, ...(denied && { reason: denied }) };
      // The SDK does not know what the user has written since the turn began.
      if (isSpent(before(log.state.messages, toolCallId))) {
        const used = mayNotCall(turn) ? NO_BUDGET : NO_ROUNDS;
        const reason = switches.areToolsOn ? used : TOOLS_ARE_OFF;
        return { type: 'denied' as const, reason };
      }
      const isOfApp = await needsApproval();
      const isAsked = isOfApp || policy.requiresApproval(name, toolCall.input);
      // One that was asked about before has its answer. One that has begun in an earlier process may have had an effect.
      const isNew = !askedCalls.has(toolCallId) && !runs.has(toolCallId);
      if (steering.isDue && isNew && (isAsked || !policy.isRead(name)))
        return { type: 'denied' as const, reason: USER_WROTE };
      if (isOfApp)
        return { type: 'user-approval' as const, reason: 'the application requires approval' };
      return isAsked ? ('user-approval' as const) : undefined;
    },
  };
}

/** The order in which budgets are named. */
const ORDER: readonly Budget[] = ['requests', 'tokens', 'loads'];

/** Whether a budget is used up without which no tool may run. */
function mayNotCall({ spent }: Turn): boolean {
  return spent !== undefined && spent !== 'loads';
}

/** The messages before a call. After a resume they hold the call itself, which must not count as a round yet. */
function before(messages: readonly ModelMessage[], toolCallId: string): readonly ModelMessage[] {
  const at = messages.findLastIndex(({ role }) => role === 'assistant');
  // A call that has a result is another call: endpoints may reuse call ids in each response.
  const isOpen = at >= 0 && openCalls(messages.slice(at)).some(({ id }) => id === toolCallId);
  return isOpen ? messages.slice(0, at) : messages;
}
