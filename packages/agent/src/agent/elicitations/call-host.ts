import { errorMessage } from '@toolfold/core/internal/errors.ts';
import type {
  CallHost,
  ElicitationAnswer,
  SamplingAnswer,
  SamplingRequest,
} from '@toolfold/core/internal/tools/tool';
import type { AgentEvent } from '../events/index.ts';
import type { Elicitations } from './elicitations.ts';

/** What the hosts of an agent's calls need. */
export interface CallHostParts {
  /** The user behind the agent. */
  readonly user: object;
  readonly elicitations: Elicitations;
  readonly sample: (request: SamplingRequest) => Promise<SamplingAnswer>;
  /** The name of the call, which no other call has. */
  readonly callId: string;
  /** Emits an event of the call. */
  readonly emit: (event: AgentEvent) => void;
}

/** The host of one call: its requests and notices become events of the turn. */
export function callHost(
  { id, name }: { readonly id: string; readonly name: string },
  { user, elicitations, sample, callId, emit }: CallHostParts,
): CallHost {
  return {
    owner: user,
    callId,
    ...(elicitations.isOn && {
      elicit: async ({ signal, ...request }) => {
        // Unique beyond this agent, because a subagent's question is answered by the parent's user.
        const about = { elicitationId: globalThis.crypto.randomUUID(), id, name };
        emit({ type: 'elicitation', ...about, ...request });
        let answer: ElicitationAnswer = { action: 'cancel' };
        try {
          answer = await elicitations.ask({ ...about, ...request, signal });
        } catch (error) {
          emit({ type: 'warning', text: `The user could not be asked: ${errorMessage(error)}` });
        }
        emit({ type: 'elicitation-answered', ...about, action: answer.action });
        return answer;
      },
    }),
    sample,
    onProgress: (progress) => emit({ type: 'tool-progress', id, name, ...progress }),
    onLog: (log) => emit({ type: 'tool-log', id, name, ...log }),
  };
}
