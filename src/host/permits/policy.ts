import { callEvent, type Turn } from '../../tools/calls/index.ts';
import {
  type Arrival,
  Arrivals,
  approvalNeeded,
  callAgain,
  inputText,
  isRefusal,
  NOT_ASKED,
  type Refusal,
  resolveNow,
  type Subject,
} from '../calls/index.ts';
import { consultHooks, type HookOutcome } from '../hooks/index.ts';
import { type Decision, Decisions, keyOf, NOTHING, refused } from './decide.ts';
import { type Permit, Permits, type Ticket, type Withheld } from './permit.ts';
import type { Approval, PointCall, PolicyOptions } from './point.ts';
import { Reported } from './reported.ts';
import type { FindSetting } from './setting.ts';

/**
 * Decides which calls run, for one view and its hooks. A call passes three points: it arrives from the
 * model (`arrive`), the host asks for approval (`approve`), its tool is about to run (`admit`). Between
 * them the policy remembers permits, never the need for one: a call without an entry is decided at the
 * point where it appears. So a lost entry never lets a call run.
 */
export class Policy {
  readonly arrivals: Arrivals = new Arrivals();
  readonly reported: Reported = new Reported();
  readonly #options: PolicyOptions;
  readonly #decisions: Decisions;
  readonly #permits = new Permits();
  #isBypassed = false;

  constructor(options: PolicyOptions) {
    this.#options = options;
    this.#decisions = new Decisions(options);
  }

  /** Whether a call has reached its tool although the host did not ask this policy for approval. */
  get isBypassed(): boolean {
    return this.#isBypassed;
  }

  /** The decision of the hooks about a call from the model. The subject has the arguments that they returned. */
  async arrive(subject: Subject, turn: Turn, signal?: AbortSignal): Promise<HookOutcome> {
    const { hooks } = this.#options;
    if (!hooks.canDecide) return { kind: 'allowed', subject, ask: false, isChanged: false };
    const resolve = (input: unknown) => this.#decisions.resolve(subject, input, turn, signal);
    return consultHooks(hooks, subject, resolve, signal);
  }

  /**
   * The approval status of a call, as far as it is known now. `setting` finds the app's or the tool's
   * setting. `isByTool`: the host asks through the tool's `needsApproval`, so only the tool can stop a
   * denied call.
   */
  async approve(call: PointCall, setting: FindSetting, isByTool = false): Promise<Approval> {
    const key = keyOf(call);
    this.arrivals.noteApprovalAsked(call);
    this.#isBypassed = false;
    const arrival = this.#arrivalOf(call);
    const decision = await this.#enter(call, arrival, setting, false);
    const wireName = arrival?.wireName ?? call.answer?.wireName;
    const issue = (ticket: Ticket) => this.#permits.issue(call.conversation, key, ticket);
    const isReported = arrival?.decision.kind === 'refused';
    // An unused permit of an equal call must not let this call run.
    if (decision.kind !== 'permit') this.#permits.revoke(call.conversation, key);
    switch (decision.kind) {
      case 'permit':
        issue(decision.permit);
        return decision.status;
      case 'withheld':
        if (!call.isRunHere) {
          if (!isReported) this.report({ ...call, wireName }, decision.refusal);
          this.reported.keep(call.id, call.name);
          return { type: 'denied', reason: String(decision.refusal.result.message) };
        }
        issue({ kind: 'withheld', refusal: decision.refusal, isReported, wireName });
        return { type: 'not-applicable' };
      case 'denied':
        if (!isReported && !isByTool) this.report({ ...call, wireName }, decision.refusal);
        if (!isByTool) this.reported.keep(call.id, call.name);
        if (isByTool) issue({ kind: 'withheld', refusal: decision.refusal, isReported, wireName });
        return { type: 'denied', ...reasonOf(decision) };
      case 'ask':
        this.#decisions.questions.keep(key, this.#options.bindingOf(decision.subject, call));
        return { type: 'user-approval', ...reasonOf(decision) };
    }
  }

  /**
   * Decides whether a tool may run now. `setting` is used if the call has no permit, or if its group
   * had not loaded when the permit was given.
   */
  async admit(call: PointCall, setting: FindSetting): Promise<Ticket> {
    const ticket = this.#permits.take(call.conversation, keyOf(call));
    if (ticket?.kind === 'withheld') return ticket;
    if (ticket?.subject.isLate) return this.#load(call, ticket, ticket.setting);
    if (ticket && this.#options.isCurrent(ticket.subject)) return ticket;
    const arrival = this.#arrivalOf(call);
    const wireName = arrival?.wireName ?? call.answer?.wireName;
    // The host never asked for approval of this call: the app replaced `toolApproval` with its own.
    const isUnasked = !ticket && !call.answer && this.arrivals.skippedApproval(call);
    const bypassed = this.#options.isOff || isUnasked;
    this.#isBypassed ||= bypassed;
    const decision = await this.#enter(call, arrival, ticket?.setting ?? setting, bypassed);
    if (decision.kind === 'permit')
      return decision.permit.subject.isLate
        ? this.#load(call, decision.permit, setting, bypassed)
        : decision.permit;
    const isReported = arrival?.decision.kind === 'refused';
    const refusal = refusalOf(call, decision);
    return { kind: 'withheld', refusal, isReported, isUnasked: decision.kind === 'ask', wireName };
  }

  /** Removes and returns the permit of a call, if it still holds and its group has loaded. */
  ready(call: PointCall): Permit | undefined {
    const key = keyOf(call);
    const ticket = this.#permits.peek(call.conversation, key);
    if (ticket?.kind !== 'permit' || ticket.subject.isLate) return;
    if (!this.#options.isCurrent(ticket.subject)) return;
    this.#permits.take(call.conversation, key);
    return ticket;
  }

  /** Emits the event of a call that does not run. */
  report(call: { id: string; name: string; wireName: string | undefined }, refusal: Refusal): void {
    const { id, name, wireName = name } = call;
    this.#options.onCall(callEvent({ id, name: wireName, input: undefined }, refusal));
  }

  #arrivalOf(call: PointCall): Arrival | undefined {
    const { id, name, input, metadata, answer } = call;
    // An approved call comes from the messages: decide it again.
    return answer ? undefined : this.arrivals.take({ id, name, text: inputText(input), metadata });
  }

  /** Decides a call. Uses the decision from its arrival if that still holds. */
  async #enter(
    call: PointCall,
    arrival: Arrival | undefined,
    setting: FindSetting,
    bypassed: boolean,
  ): Promise<Decision> {
    const elsewhere = this.arrivals.inOtherView(call.metadata)?.decision;
    if (elsewhere?.kind === 'refused') return refused(elsewhere.refusal, elsewhere.isFinal);
    const decision = arrival?.decision;
    const isSame = arrival?.expected === inputText(call.input) && arrival.name === call.name;
    if (decision?.kind === 'refused' && (decision.isFinal || isSame))
      return refused(decision.refusal, decision.isFinal);
    const allowed = decision?.kind === 'allowed' ? decision : undefined;
    const ask = allowed?.ask === true || (elsewhere?.kind === 'allowed' && elsewhere.ask);
    const wireName = arrival?.wireName ?? call.answer?.wireName;
    const metadata = arrival?.metadata ?? call.metadata;
    const known = { ...NOTHING, ask, answer: call.answer, bypassed, metadata, wireName };
    const subject =
      allowed &&
      isSame &&
      allowed.subject.isForeign === call.isForeign &&
      this.#options.isCurrent(allowed.subject)
        ? allowed.subject
        : await this.#options.subjectOf(call);
    if (isRefusal(subject)) return { kind: 'withheld', refusal: subject };
    const allowedInput = subject === allowed?.subject ? inputText(subject.final) : undefined;
    return this.#decisions.decide(call, subject, { ...known, allowedInput }, setting);
  }

  /**
   * Loads the tool of a late permit, then decides the call again with the schema. `bypassed`: the host
   * never asked for approval of the call.
   */
  async #load(
    call: PointCall,
    permit: Permit,
    setting: FindSetting,
    bypassed = false,
  ): Promise<Ticket> {
    const { subject, answer, wireName, metadata, settingApplied } = permit;
    const { id, name, input } = subject;
    const withheld = (refusal: Refusal): Withheld => {
      return { kind: 'withheld', refusal, isReported: false, wireName };
    };
    const options = call.signal ? { signal: call.signal } : {};
    const found = await resolveNow(call.turn(), { id, name, input }, options);
    if (isRefusal(found)) return withheld(found);
    // A tool that was unknown when the step began may run from the next step on.
    const isNew = subject.isLate && subject.entry === undefined;
    if (found.name !== name || (isNew && !answer)) return withheld(callAgain(found.name));
    const allowedInput = inputText(subject.final);
    // The app's setting also has to see an input that the schema changed.
    const isSame = inputText(found.final) === allowedInput;
    const known = {
      ...NOTHING,
      allowedInput,
      answer,
      metadata,
      wireName,
      settingApplied: settingApplied && isSame,
      bypassed,
    };
    const decision = await this.#decisions.decide(call, found, known, setting);
    if (decision.kind === 'permit') return decision.permit;
    return {
      ...withheld(refusalOf(call, decision)),
      isUnasked: bypassed && decision.kind === 'ask',
    };
  }
}

/** The refusal for the model, where it is too late to ask the user. */
function refusalOf({ name }: PointCall, decision: Exclude<Decision, { kind: 'permit' }>): Refusal {
  return decision.kind === 'ask' ? approvalNeeded(name, NOT_ASKED) : decision.refusal;
}

/** The field `reason`, left out if there is none. */
function reasonOf({ reason }: { readonly reason: string | undefined }): {
  readonly reason?: string;
} {
  return reason === undefined ? {} : { reason };
}
