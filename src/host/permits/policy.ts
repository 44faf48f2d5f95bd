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
 * Decides which calls run, for one view and its hooks. A call passes three points: it comes from the
 * model (`arrive`), the host asks whether it may run (`approve`), its tool runs (`admit`). What is
 * remembered between them is permits, never the need for one: at each point, a call that nothing is
 * known of is judged there.
 */
export class Policy {
  readonly arrivals: Arrivals = new Arrivals();
  readonly reported: Reported = new Reported();
  readonly #options: PolicyOptions;
  readonly #decisions: Decisions;
  readonly #permits = new Permits();
  #isPassedBy = false;

  constructor(options: PolicyOptions) {
    this.#options = options;
    this.#decisions = new Decisions(options);
  }

  /** Whether a call has been seen to reach its tool without having been approved here. */
  get isPassedBy(): boolean {
    return this.#isPassedBy;
  }

  /** What the hooks make of a call from the model; arguments that they change are those it goes on with. */
  async arrive(subject: Subject, turn: Turn, signal?: AbortSignal): Promise<HookOutcome> {
    const { hooks } = this.#options;
    if (!hooks.canDecide) return { kind: 'allowed', subject, ask: false, isChanged: false };
    const resolve = (input: unknown) => this.#decisions.resolve(subject, input, turn, signal);
    return consultHooks(hooks, subject, resolve, signal);
  }

  /**
   * Whether a call may run, as far as that can be said now; `setting` is the app's, or the tool's.
   * `isAlone`: nothing but the tool itself will keep a denied call from running.
   */
  async approve(call: PointCall, setting: FindSetting, isAlone = false): Promise<Approval> {
    const key = keyOf(call);
    this.arrivals.seeAsked(call);
    this.#isPassedBy = false;
    const arrival = this.#arrivalOf(call);
    const decision = await this.#enter(call, arrival, setting, false);
    const wireName = arrival?.wireName ?? call.answer?.wireName;
    const issue = (ticket: Ticket) => this.#permits.issue(call.conversation, key, ticket);
    const isReported = arrival?.decision.kind === 'refused';
    // A permit that nobody used: what an equal call was permitted is judged again.
    if (decision.kind !== 'permit') this.#permits.revoke(call.conversation, key);
    switch (decision.kind) {
      case 'permit':
        issue(decision.permit);
        return decision.status;
      case 'withheld':
        if (!call.isHeld) {
          if (!isReported) this.report({ ...call, wireName }, decision.refusal);
          this.reported.keep(call.id, call.name);
          return { type: 'denied', reason: String(decision.refusal.result.message) };
        }
        issue({ kind: 'withheld', refusal: decision.refusal, isReported, wireName });
        return { type: 'not-applicable' };
      case 'denied':
        if (!isReported && !isAlone) this.report({ ...call, wireName }, decision.refusal);
        if (!isAlone) this.reported.keep(call.id, call.name);
        if (isAlone) issue({ kind: 'withheld', refusal: decision.refusal, isReported, wireName });
        return { type: 'denied', reason: decision.reason };
      case 'ask':
        this.#decisions.questions.keep(key, this.#options.bindingOf(decision.subject, call));
        return { type: 'user-approval', reason: decision.reason };
    }
  }

  /**
   * What a tool may be run with, now. `setting` counts where the call comes without a permit, or
   * could not be judged whole before its group had loaded.
   */
  async admit(call: PointCall, setting: FindSetting): Promise<Ticket> {
    const ticket = this.#permits.take(call.conversation, keyOf(call));
    if (ticket?.kind === 'withheld') return ticket;
    if (ticket?.subject.isLate) return this.#load(call, ticket, ticket.setting);
    if (ticket && this.#options.isCurrent(ticket.subject)) return ticket;
    const arrival = this.#arrivalOf(call);
    const wireName = arrival?.wireName ?? call.answer?.wireName;
    // It came from the model, and nobody asked here: the app has a setting of its own for approvals.
    const isUnasked = !ticket && !call.answer && this.arrivals.isPassedBy(call);
    const isPassed = this.#options.isOff || isUnasked;
    this.#isPassedBy ||= isPassed;
    const decision = await this.#enter(call, arrival, ticket?.setting ?? setting, isPassed);
    if (decision.kind === 'permit')
      return decision.permit.subject.isLate
        ? this.#load(call, decision.permit, setting, { isPassed })
        : decision.permit;
    const isReported = arrival?.decision.kind === 'refused';
    const refusal = refusalOf(call, decision);
    return { kind: 'withheld', refusal, isReported, isUnasked: decision.kind === 'ask', wireName };
  }

  /** The permit that a call was given and that still holds, where nothing is left to be found out. */
  ready(call: PointCall): Permit | undefined {
    const key = keyOf(call);
    const ticket = this.#permits.peek(call.conversation, key);
    if (ticket?.kind !== 'permit' || ticket.subject.isLate) return;
    if (!this.#options.isCurrent(ticket.subject)) return;
    this.#permits.take(call.conversation, key);
    return ticket;
  }

  /** Reports a call that does not run. */
  report(call: { id: string; name: string; wireName: string | undefined }, refusal: Refusal): void {
    const { id, name, wireName = name } = call;
    this.#options.onCall(callEvent({ id, name: wireName, input: undefined }, refusal));
  }

  #arrivalOf(call: PointCall): Arrival | undefined {
    const { id, name, input, metadata, answer } = call;
    // An answered call comes from the messages: what was decided when it was made is asked again.
    return answer ? undefined : this.arrivals.take({ id, name, text: inputText(input), metadata });
  }

  /** Decides a call by what was decided on its way in, as far as that still holds. */
  async #enter(
    call: PointCall,
    arrival: Arrival | undefined,
    setting: FindSetting,
    isPassed: boolean,
  ): Promise<Decision> {
    const elsewhere = this.arrivals.elsewhere(call.metadata)?.decision;
    if (elsewhere?.kind === 'refused') return refused(elsewhere.refusal, elsewhere.isFinal);
    const decision = arrival?.decision;
    const isSame = arrival?.expected === inputText(call.input) && arrival.name === call.name;
    if (decision?.kind === 'refused' && (decision.isFinal || isSame))
      return refused(decision.refusal, decision.isFinal);
    const allowed = decision?.kind === 'allowed' ? decision : undefined;
    const ask = allowed?.ask === true || (elsewhere?.kind === 'allowed' && elsewhere.ask);
    const wireName = arrival?.wireName ?? call.answer?.wireName;
    const metadata = arrival?.metadata ?? call.metadata;
    const known = { ...NOTHING, ask, answer: call.answer, isPassed, metadata, wireName };
    const subject =
      allowed &&
      isSame &&
      allowed.subject.isForeign === call.isForeign &&
      this.#options.isCurrent(allowed.subject)
        ? allowed.subject
        : await this.#options.subjectOf(call);
    if (isRefusal(subject)) return { kind: 'withheld', refusal: subject };
    const consulted = subject === allowed?.subject ? inputText(subject.final) : undefined;
    return this.#decisions.decide(call, subject, { ...known, consulted }, setting);
  }

  /**
   * Loads what a late permit is for, and judges what has come to be known by that. `passed`: nobody
   * has asked here before whether the call may run.
   */
  async #load(
    call: PointCall,
    permit: Permit,
    setting: FindSetting,
    passed?: { readonly isPassed: boolean },
  ): Promise<Ticket> {
    const { subject, answer, wireName, metadata, isSettled } = permit;
    const { id, name, input } = subject;
    const withheld = (refusal: Refusal): Withheld => {
      return { kind: 'withheld', refusal, isReported: false, wireName };
    };
    const options = call.signal ? { signal: call.signal } : {};
    const found = await resolveNow(call.turn(), { id, name, input }, options);
    if (isRefusal(found)) return withheld(found);
    // What nobody knew by this name when the step began may run from the next one on.
    const isNew = subject.isLate && subject.entry === undefined;
    if (found.name !== name || (isNew && !answer)) return withheld(callAgain(found.name));
    const consulted = inputText(subject.final);
    const isPassed = passed?.isPassed === true;
    // What its schema makes of the input is for the app to look at as well.
    const isSame = inputText(found.final) === consulted;
    const known = {
      ...NOTHING,
      consulted,
      answer,
      metadata,
      wireName,
      isSettled: isSettled && isSame,
      isPassed,
    };
    const decision = await this.#decisions.decide(call, found, known, setting);
    if (decision.kind === 'permit') return decision.permit;
    return {
      ...withheld(refusalOf(call, decision)),
      isUnasked: isPassed && decision.kind === 'ask',
    };
  }
}

/** What the model is told where a decision comes too late for anybody to be asked. */
function refusalOf({ name }: PointCall, decision: Exclude<Decision, { kind: 'permit' }>): Refusal {
  return decision.kind === 'ask' ? approvalNeeded(name, NOT_ASKED) : decision.refusal;
}
