import type { Turn } from '../../tools/calls/index.ts';
import {
  ARGUMENTS_CHANGED,
  approvalNeeded,
  callDigest,
  denied,
  inputText,
  type Refusal,
  resolveNow,
  type Subject,
  TOOL_CHANGED,
} from '../calls/index.ts';
import { consultHooks } from '../hooks/index.ts';
import { type Answer, type Permit, ticketKey } from './permit.ts';
import type { Approval, PointCall, PolicyOptions } from './point.ts';
import { Questions } from './questions.ts';
import type { FindSetting, Setting } from './setting.ts';

/** The decision about a call. */
export type Decision =
  | { readonly kind: 'permit'; readonly permit: Permit; readonly status: Approval }
  /** The tool gives the refusal in place of running. */
  | { readonly kind: 'withheld'; readonly refusal: Refusal }
  | { readonly kind: 'denied'; readonly refusal: Refusal; readonly reason: string | undefined }
  | { readonly kind: 'ask'; readonly subject: Subject; readonly reason: string | undefined };

/** What is known about a call before the decision. */
export interface Known {
  /** The text of the input that the hooks have already allowed. */
  readonly allowedInput: string | undefined;
  readonly ask: boolean;
  readonly answer: Answer | undefined;
  /** The setting has already been applied. */
  readonly settingApplied: boolean;
  /** The host never asked the policy: the call bypassed `approve`. */
  readonly bypassed: boolean;
  readonly metadata: object | undefined;
  readonly wireName: string | undefined;
}

export const NOTHING: Known = {
  allowedInput: undefined,
  ask: false,
  answer: undefined,
  settingApplied: false,
  bypassed: false,
  metadata: undefined,
  wireName: undefined,
};

/** Makes the decision about a call, for approval and for execution alike. */
export class Decisions {
  readonly questions: Questions = new Questions();
  readonly #options: PolicyOptions;

  constructor(options: PolicyOptions) {
    this.#options = options;
  }

  /**
   * Asks the hooks, then checks the user's approval, then the setting. Never throws for an error in a
   * hook. Rejects if the app's setting rejects, and with the reason of the signal.
   */
  async decide(
    call: PointCall,
    subject: Subject,
    known: Known,
    setting: FindSetting,
  ): Promise<Decision> {
    const { hooks } = this.#options;
    const { answer, wireName, metadata } = known;
    let now = subject;
    let ask = known.ask;
    if (hooks.canDecide && inputText(subject.final) !== known.allowedInput) {
      const resolve = (input: unknown) => this.resolve(subject, input, call.turn(), call.signal);
      const found = await consultHooks(hooks, subject, resolve, call.signal);
      if (found.kind === 'denied') return refused(found.refusal, true);
      if (found.kind === 'refused') return { kind: 'withheld', refusal: found.refusal };
      ask ||= found.ask;
      const { isChanged } = found;
      const changed = approvalNeeded(subject.name, ARGUMENTS_CHANGED);
      if (isChanged && subject.isForeign) return refused(changed, true);
      if (isChanged && (ask || answer)) return { kind: 'withheld', refusal: changed };
      now = found.subject;
    }
    // A tool that has not loaded is compared after it has loaded.
    const why = answer && !now.isLate ? this.#mismatch(call, answer, now) : undefined;
    if (why !== undefined) return { kind: 'withheld', refusal: approvalNeeded(now.name, why) };
    const found: Setting = known.settingApplied
      ? { type: 'not-applicable' }
      : await setting(now, known.bypassed);
    if (found.type === 'denied')
      return {
        kind: 'denied',
        refusal: denied(now.name, found.reason ?? 'The application denied it.'),
        reason: found.reason,
      };
    if (!answer && (ask || found.type === 'user-approval'))
      return { kind: 'ask', subject: now, reason: found.reason };
    const settingApplied = known.settingApplied || found.type !== 'unknown';
    const status: Approval =
      found.type === 'approved' ? found : ({ type: 'not-applicable' } as const);
    return {
      kind: 'permit',
      permit: { kind: 'permit', subject: now, answer, settingApplied, setting, metadata, wireName },
      status,
    };
  }

  /** Why the user's approval does not hold for this call; undefined if it holds. */
  #mismatch(call: PointCall, { binding, digest }: Answer, subject: Subject): string | undefined {
    const { isOff, isBound } = this.#options;
    if (isOff) return;
    const asked = this.questions.bindingOf(keyOf(call));
    // The memory of this process has precedence over the messages.
    if (asked !== undefined && !isBound(subject, asked, call)) return TOOL_CHANGED;
    if (digest !== callDigest(call.name, call.input))
      return asked === undefined ? ARGUMENTS_CHANGED : undefined;
    return binding !== undefined && isBound(subject, binding, call) ? undefined : TOOL_CHANGED;
  }

  /** Applies the schema of the tool to arguments that a hook returned. */
  resolve(
    subject: Subject,
    input: unknown,
    turn: Turn,
    signal: AbortSignal | undefined,
  ): Promise<Subject | Refusal> {
    const { id, name, entry, isLate } = subject;
    if (isLate || !entry) return Promise.resolve({ ...subject, input, final: input });
    return resolveNow(turn, { id, name, input }, signal ? { signal } : {});
  }
}

/** The key of a call for permits and questions. */
export function keyOf({ id, name, input }: PointCall): string {
  return ticketKey(id, name, inputText(input));
}

/** A final refusal denies the call. The tool gives any other refusal as its answer. */
export function refused(refusal: Refusal, isFinal: boolean): Decision {
  if (!isFinal) return { kind: 'withheld', refusal };
  return { kind: 'denied', refusal, reason: String(refusal.result.message) };
}
