import type { ModelMessage } from 'ai';
import type { AppApprovalQuestion, Notice, WithOptions } from '../../ai-sdk/index.ts';
import { NO_ROUNDS, ROUNDS_SPENT, roundsIn } from '../calls/index.ts';
import type { AgentContext } from '../context/index.ts';
import { openCalls, TOOLS_ARE_OFF, TOOLS_OFF, TOOLS_ON } from '../state/index.ts';
import type { Turn } from './turn.ts';

interface CallLimits {
  /** Whether no tool may be called any more after these messages. */
  readonly isSpent: (messages: readonly ModelMessage[]) => boolean;
  /** What the model is told about it. */
  readonly notice: Notice;
  /** Decides approval by the name of the real tool, also for calls through a bridge tool. */
  readonly toolApproval: NonNullable<WithOptions['toolApproval']>;
}

/** Which calls of a generation may run. `limit`: of tool rounds. */
export function callLimits(context: AgentContext, turn: Turn, limit: number): CallLimits {
  const { log, switches, isReal, policy } = context;
  const isSpent = (messages: readonly ModelMessage[]) =>
    !switches.areToolsOn || roundsIn(messages, isReal) + turn.cutRounds >= limit;
  return {
    isSpent,
    notice: ({ isNew, rounds: shown }) => {
      const rounds = shown + turn.cutRounds;
      if (!switches.areToolsOn) return isNew ? TOOLS_OFF : undefined;
      const notices = log.state.saysToolsAreOff ? [TOOLS_ON] : [];
      if (rounds >= limit) {
        if (turn.rounds < limit) void log.report({ type: 'rounds', limit, roundsLeft: 0 });
        turn.rounds = rounds;
        notices.push(ROUNDS_SPENT);
      }
      return notices.length > 0 ? notices.join('\n\n') : undefined;
    },
    toolApproval: async ({ toolCall, messages, needsApproval }: AppApprovalQuestion) => {
      const { toolName: name, toolCallId } = toolCall;
      if (!isReal(name)) return undefined;
      if (isSpent(before(messages, toolCallId))) {
        const reason = switches.areToolsOn ? NO_ROUNDS : TOOLS_ARE_OFF;
        return { type: 'denied' as const, reason };
      }
      if (await needsApproval())
        return { type: 'user-approval' as const, reason: 'the application requires approval' };
      return policy.requiresApproval(name, toolCall.input) ? ('user-approval' as const) : undefined;
    },
  };
}

/** The messages before a call. After a resume they hold the call itself, which must not count as a round yet. */
function before(messages: readonly ModelMessage[], toolCallId: string): readonly ModelMessage[] {
  const at = messages.findLastIndex(({ role }) => role === 'assistant');
  // A call that has a result is another call: endpoints may reuse call ids in each response.
  const isOpen = at >= 0 && openCalls(messages.slice(at)).some(({ id }) => id === toolCallId);
  return isOpen ? messages.slice(0, at) : messages;
}
