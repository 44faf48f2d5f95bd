import type { ApprovalSettings } from '@toolfold/config/internal/settings';
import type { ElicitationAnswer, ElicitationRequest } from '@toolfold/core/internal/tool';
import { isRecord, ownProperty } from '@toolfold/core/internal/values';

/** A call of a tool. */
export interface CallIdentity {
  readonly id: string;
  readonly name: string;
}

/** Who requires the user's approval of a call, as events, entries and questions carry it. */
export interface AskedBy {
  /** A hook, or the settings. `hook` if nobody knows. */
  readonly askedBy: 'hook' | 'setting';
  /** The key of a hook's question. With it, an approval may hold for the session. */
  readonly askKey?: string;
}

/** A call that needs the user's approval. */
export interface ApprovalRequest extends AskedBy, CallIdentity {
  readonly arguments: unknown;
  readonly reason?: string;
  /** What differs from the earlier question about this call, such as `parameters.path: required now`. */
  readonly changes?: readonly string[];
  /** The place of this question among those that wait. */
  readonly position?: { readonly at: number; readonly of: number };
  /** Task id of the subagent that asks. `a/b` means task `b`, started by the subagent of task `a`. */
  readonly subagent?: string;
  /** Fires when the turn or the asking subagent is cancelled. The answer is then ignored. */
  readonly signal?: AbortSignal;
}

/** How long an approval holds. */
export type ApprovalScope = 'once' | 'session' | 'always';

/**
 * The user's answer. Its scope is this call (`once`), this tool and agent (`session`), or `always`, which the
 * app stores. If a hook has asked, an approval holds once, or for the session with its key: see `approvalScopes`.
 */
export interface ApprovalAnswer {
  readonly approved: boolean;
  readonly scope?: ApprovalScope | undefined;
  readonly reason?: string | undefined;
  /**
   * Further tools that need no question in this session, each by the fingerprint of its definition. They hold for an
   * approval whose question the settings have asked.
   */
  readonly tools?: Readonly<Record<string, string>> | undefined;
}

/** Which calls need the user's approval, and how the user is asked. */
export interface ApprovalOptions extends ApprovalSettings {
  /**
   * Asks the user while the turn waits, one question at a time. Without it, the turn ends with
   * `approval` and continues with `agent.answer`, and calls of subagents that need approval are denied.
   */
  readonly ask?: ((request: ApprovalRequest) => Promise<ApprovalAnswer>) | undefined;
  /** Called after an answer with scope `always`. The app stores the name as a glob. */
  readonly onAlways?: ((name: string) => void) | undefined;
}

/**
 * Reads who has asked from an entry or from another process. What does not say it counts as the question of
 * a hook without a key: only the user may answer, and only for this call.
 */
export function readAskedBy(given: unknown): AskedBy {
  if (ownProperty(given, 'askedBy') === 'setting') return { askedBy: 'setting' };
  const key = ownProperty(given, 'askKey');
  return { askedBy: 'hook', ...(typeof key === 'string' ? { askKey: key } : {}) };
}

/** The further tools that an answer allows. What is no text allows nothing. */
export function grantsOf(
  answer: ApprovalAnswer & Partial<AskedBy>,
): readonly { readonly name: string; readonly fingerprint: string }[] {
  const { approved, askedBy, tools } = answer;
  if (approved !== true || askedBy !== 'setting' || !isRecord(tools)) return [];
  return Object.entries(tools).flatMap(([name, fingerprint]) =>
    typeof fingerprint === 'string' ? [{ name, fingerprint }] : [],
  );
}

/** What an MCP server asks of the user while one of its tools runs. Its texts are untrusted. */
export interface Elicitation extends CallIdentity, Omit<ElicitationRequest, 'signal'> {
  readonly elicitationId: string;
}

/** An elicitation to answer. */
export interface AskedElicitation extends Elicitation {
  /** Task id of the subagent that asks, as in `ApprovalRequest`. */
  readonly subagent?: string;
  /** Fires when no answer is needed any more. The answer is then ignored. */
  readonly signal: AbortSignal;
}

/** How the user answers what servers ask. */
export interface ElicitationOptions {
  /**
   * Asks the user while the tool waits, one question at a time. Without it, the app answers the event
   * `elicitation` with `agent.answerElicitation`.
   */
  readonly ask?: ((asked: AskedElicitation) => Promise<ElicitationAnswer>) | undefined;
}
