import type { Turn } from '../../tools/calls/index.ts';
import {
  ARGUMENTS_CHANGED,
  aboutOf,
  approvalNeeded,
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

/** What becomes of a call, as far as it is known. */
export type Decision =
  | { readonly kind: 'permit'; readonly permit: Permit; readonly status: Approval }
  /** Answered where the tool would run. */
  | { readonly kind: 'withheld'; readonly refusal: Refusal }
  | { readonly kind: 'denied'; readonly refusal: Refusal; readonly reason: string | undefined }
  | { readonly kind: 'ask'; readonly subject: Subject; readonly reason: string | undefined };

/** What is known of a call before it is decided. */
export interface Known {
  /** The text of what the hooks have let pass. */
  readonly consulted: string | undefined;
  readonly ask: boolean;
  readonly answer: Answer | undefined;
  /** The setting has been found already. */
  readonly isSettled: boolean;
  /** The call has gone by the host's own approval. */
  readonly isPassed: boolean;
  readonly metadata: object | undefined;
  readonly wireName: string | undefined;
}

export const NOTHING: Known = {
  consulted: undefined,
  ask: false,
  answer: undefined,
  isSettled: false,
  isPassed: false,
  metadata: undefined,
  wireName: undefined,
};

/** The one decision behind every point of a call. */
export class Decisions {
  readonly questions: Questions = new Questions();
  readonly #options: PolicyOptions;

  constructor(options: PolicyOptions) {
    this.#options = options;
  }

  /**
   * Hooks first, then the user's answer, then the setting. Never throws for what a hook does; rejects
   * as the app's setting does, and with the reason of the signal.
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
    if (hooks.canDecide && inputText(subject.final) !== known.consulted) {
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
    // What has not loaded is compared when it has.
    const why = answer && !now.isLate ? this.#doubt(call, answer, now) : undefined;
    if (why !== undefined) return { kind: 'withheld', refusal: approvalNeeded(now.name, why) };
    const found: Setting = known.isSettled
      ? { type: 'not-applicable' }
      : await setting(now, known.isPassed);
    if (found.type === 'denied')
      return {
        kind: 'denied',
        refusal: denied(now.name, found.reason ?? 'The application denied it.'),
        reason: found.reason,
      };
    if (!answer && (ask || found.type === 'user-approval'))
      return { kind: 'ask', subject: now, reason: found.reason };
    const isSettled = known.isSettled || found.type !== 'unknown';
    const status: Approval =
      found.type === 'approved' ? found : ({ type: 'not-applicable' } as const);
    return {
      kind: 'permit',
      permit: { kind: 'permit', subject: now, answer, isSettled, setting, metadata, wireName },
      status,
    };
  }

  /** Why a user's yes is not for this call; undefined where it is. */
  #doubt(call: PointCall, { binding, about }: Answer, subject: Subject): string | undefined {
    const { isOff, isBound } = this.#options;
    if (isOff) return;
    const asked = this.questions.bindingOf(keyOf(call));
    // What this process remembers is final: messages cannot say otherwise.
    if (asked !== undefined && !isBound(subject, asked, call)) return TOOL_CHANGED;
    if (about !== aboutOf(call.name, call.input))
      return asked === undefined ? ARGUMENTS_CHANGED : undefined;
    return binding !== undefined && isBound(subject, binding, call) ? undefined : TOOL_CHANGED;
  }

  /** What a tool would get of other arguments: those go through its schema like the model's own. */
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

/** A call as permits and questions know it. */
export function keyOf({ id, name, input }: PointCall): string {
  return ticketKey(id, name, inputText(input));
}

/** A refusal that is final ends the call before it runs; any other is the tool's answer. */
export function refused(refusal: Refusal, isFinal: boolean): Decision {
  if (!isFinal) return { kind: 'withheld', refusal };
  return { kind: 'denied', refusal, reason: String(refusal.result.message) };
}
