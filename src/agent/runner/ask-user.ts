import type { ModelMessage } from 'ai';
import type { ToolLayer } from '../../tools/index.ts';
import {
  type ApprovalPolicy,
  askedAgain,
  decided,
  type RemoteAnswers,
  type Settled,
  type Shown,
} from '../approvals/index.ts';
import { changedTools, rebound } from '../conversation/index.ts';
import type { AgentEvent, ApprovalAnswer, PendingApproval } from '../events/index.ts';

interface Asking {
  readonly policy: ApprovalPolicy;
  readonly layer: ToolLayer;
  readonly signal: AbortSignal;
  readonly remote: RemoteAnswers;
  /** Called with the calls before the user is asked about them. */
  readonly onAsk: (asked: readonly PendingApproval[]) => Promise<void>;
  /** What the user was shown of a call the last time. */
  readonly shown: (asked: PendingApproval) => Shown | undefined;
  /** Called with each answer before it takes effect. */
  readonly onAnswer: (asked: PendingApproval, answer: ApprovalAnswer) => Promise<void>;
}

interface Answered {
  /** The messages, with the approved calls bound to the tools as they are now. */
  readonly reached: readonly ModelMessage[];
  /** By approval id. */
  readonly answers: Readonly<Record<string, ApprovalAnswer>>;
}

/** Asks the user about each call, and again if the tool or its arguments have changed since then. */
export async function* askUser(
  asked: readonly PendingApproval[],
  messages: readonly ModelMessage[],
  { policy, layer, signal, remote, onAsk, shown, onAnswer }: Asking,
): AsyncGenerator<AgentEvent, Answered> {
  const answers: Record<string, ApprovalAnswer> = {};
  let reached = messages;
  let open = asked;
  while (open.length > 0) {
    await onAsk(open);
    for (const one of open) {
      const { type: _, approvalId, ...request } = one;
      const { source, ...answer } = await firstOf(remote, approvalId, signal, {
        ask: (asking) => policy.settle({ ...request, signal: asking }),
        take: (given) => policy.take(request, given),
      });
      await onAnswer(one, answer);
      answers[approvalId] = answer;
      yield decided(one, answer, source);
    }
    const approved = open.filter(({ approvalId }) => answers[approvalId]?.approved === true);
    const changed = await changedTools(reached, approved, layer, signal, true);
    reached = rebound(reached, changed);
    open = open.flatMap((one) => {
      const now = changed.get(one.id);
      if (!now) return [];
      remote.forget(one.approvalId);
      return { ...one, ...askedAgain(one, now.input, shown(one), layer) };
    });
  }
  return { reached, answers };
}

interface Answering {
  readonly ask: (signal: AbortSignal) => Promise<Settled>;
  /** Takes an answer of another process. */
  readonly take: (answer: ApprovalAnswer) => Settled;
}

/** The answer of this process's user, or that of another process, whichever comes first. */
async function firstOf(
  remote: RemoteAnswers,
  approvalId: string,
  signal: AbortSignal,
  { ask, take }: Answering,
): Promise<Settled> {
  const early = remote.early(approvalId);
  if (early) return take(early);
  const given = new AbortController();
  const elsewhere = Promise.withResolvers<Settled>();
  const end = remote.wait(approvalId, (answer) => elsewhere.resolve(take(answer)));
  const asked = ask(AbortSignal.any([signal, given.signal]));
  try {
    return await Promise.race([asked, elsewhere.promise]);
  } finally {
    end();
    // The question is withdrawn if another process has answered it.
    given.abort();
    asked.catch(() => {});
  }
}
