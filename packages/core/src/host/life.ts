import { callEvent, type ToolRequest } from '../calls/index.ts';
import { raceAbort, withMarks } from '../values/index.ts';
import {
  consultHooks,
  type Decision,
  decide,
  type HookOutcome,
  NO_FACTS,
  refused as refusedCall,
} from './decide.ts';
import { inputText, isJson, isReadable, projectedText } from './input-text.ts';
import {
  type Approval,
  type CallRecord,
  type FindSetting,
  type HostCall,
  type HostView,
  noteAsker,
  type Permit,
  Records,
  type Refused,
  recordOf,
} from './records.ts';
import {
  ARGUMENTS_CHANGED,
  AS_WRITTEN,
  approvalNeeded,
  callAgain,
  changedInput,
  NOT_ASKED,
  notStable,
  type Refusal,
  TOOL_CHANGED,
  whatRuns,
  whatWasRepaired,
} from './refusal.ts';
import { lateCall, type ResolvedCall, resolveNow, type Step } from './resolve.ts';
import { callDigest, isDigestOf, rebindStamp } from './stamp.ts';

/**
 * The life of the calls of one view: `arrive`, `approve`, `admit`. A call arrives from the model,
 * the host asks for its approval, its tool is about to run. Between these points its record remembers
 * permits, never the need for one: a call without a record is decided at the point where it appears. So
 * a lost record never lets a call run.
 */
export class CallLife {
  readonly records: Records = new Records();
  readonly #view: HostView;
  #isBypassed = false;

  constructor(view: HostView) {
    this.#view = view;
  }

  /** Whether a call has reached its tool although the host did not ask for approval. */
  get isBypassed(): boolean {
    return this.#isBypassed;
  }

  /** Asks the hooks about a call from the model. Sets what they say in its record. */
  async arrive(record: CallRecord, resolved: ResolvedCall, step: Step): Promise<void> {
    record.resolved = resolved;
    const { hooks } = this.#view;
    if (!hooks.canDecide) return;
    const verdict = await this.#consult(resolved, () => step.turn, step.signal);
    if (verdict.kind !== 'allowed') {
      record.refused = refusedBy(verdict.refusal, verdict.kind === 'denied');
      return;
    }
    const { resolved: now, asker } = verdict;
    Object.assign(record, { resolved: now, asker, allowed: inputText(now.final) });
    // The host would not ask the user about this call.
    if (asker && !step.canAsk(now))
      record.refused = refusedBy(approvalNeeded(now.name, NOT_ASKED), true);
  }

  /**
   * The approval status of a call, as far as it is known now. `setting` finds the app's or the tool's
   * setting. `isByTool`: the host asks through the tool's `needsApproval`, so only the tool can stop a
   * denied call.
   */
  async approve(call: HostCall, setting: FindSetting, isByTool = false): Promise<Approval> {
    const { records } = this;
    records.markAsked(call);
    this.#isBypassed = false;
    const text = inputText(call.input);
    const record = this.#begin(call, text);
    // Only where the tool is about to run is there a signal, and only there can its group load.
    const isLeftToTool = record.approval !== undefined && call.isRunHere;
    const decision = await (isLeftToTool
      ? this.#decideBySetting(record, call, setting)
      : this.#decideNow(record, call, setting));
    const expected = inputText(call.input);
    if (expected !== text && isReadable(text))
      return this.#withhold({ ...record, expected }, call, changedInput(call.name));
    // An unused permit of an equal call must not let this call run.
    if (decision.kind !== 'run' || isLeftToTool) records.revoke(call.conversation, call, text);
    switch (decision.kind) {
      case 'run':
        records.decide(call.conversation, record);
        return decision.status;
      case 'ask':
        return this.#question(record, call, decision);
      case 'withheld':
        return this.#withhold(record, call, decision.refusal);
      case 'denied': {
        const { refusal, reason } = decision;
        if (isByTool) this.#withhold(record, call, refusal);
        else this.#reportDenied(record, call, refusal);
        return { type: 'denied', ...(reason === undefined ? {} : { reason }) };
      }
    }
  }

  /**
   * Decides whether a tool may run now, and loads it. The record has a permit, or a refusal that its tool
   * gives as its answer. `setting` is used if nobody asked for approval of the call. Rejects with the
   * reason of the signal.
   */
  async admit(call: HostCall, setting: FindSetting): Promise<CallRecord> {
    const { records } = this;
    const text = inputText(call.input);
    const decided = records.takeDecided(call.conversation, call, text);
    const permit = decided?.permit;
    if (decided?.refused || (permit && this.#holds(permit))) return decided;
    // The host never asked for approval of this call: the app replaced `toolApproval` with its own.
    const isSkipped = !decided && !call.approval && records.isUnasked(call);
    const isBypassed = isSkipped || (!decided && this.#view.isOff);
    this.#isBypassed ||= isBypassed;
    const late = permit?.resolved.isLate ? decided : undefined;
    const record = late ?? (decided ? anew(decided) : this.#begin(call, text));
    const find = permit?.setting ?? setting;
    let decision = late ? undefined : await this.#decideNow(record, call, find, isBypassed);
    if (late || (decision?.kind === 'run' && decision.resolved.isLate))
      decision = await this.#decideLoaded(record, call, find, isBypassed);
    if (!decision || decision.kind === 'run') return record;
    const { isReported = false } = record.refused ?? {};
    const refusal =
      decision.kind === 'ask' ? approvalNeeded(call.name, NOT_ASKED) : decision.refusal;
    const isUnasked = decision.kind === 'ask';
    record.refused = { ...refusedBy(refusal, false), isReported, isUnasked };
    return record;
  }

  /** Removes and returns the record of a permitted call, if its permit still holds and its tool has loaded. */
  ready(call: HostCall): CallRecord | undefined {
    const text = inputText(call.input);
    const record = this.records.peekDecided(call.conversation, call, text);
    if (!record?.permit || !this.#holds(record.permit)) return;
    return this.records.takeDecided(call.conversation, call, text);
  }

  /** Emits the event of a call that does not run. */
  report(
    { id, name, wireName = name }: { id: string; name: string; wireName: string | undefined },
    refusal: Refusal,
  ): void {
    this.#view.onCall(callEvent({ id, name: wireName, input: undefined }, refusal));
  }

  /** The record of a call that the host brings: what is known of it, or a new one. */
  #begin(call: HostCall, text: string): CallRecord {
    const { id, name, input, metadata, approval } = call;
    const found = this.records.take(call, metadata, text);
    const begun = { view: this, id, name, expected: text, wireName: approval?.wireName };
    // A call of the model is no approved call, even if it equals one.
    const hasIdentity = typeof input === 'object' && input !== null;
    const isOfModel = found && (!hasIdentity || (metadata && found.metadata === metadata));
    if (approval && !isOfModel) return { ...begun, approval };
    if (!found || approval) return { ...begun, metadata };
    const isSame = found.expected === text && found.name === name;
    const isHere = found.view === this;
    if (isHere && isSame && !found.permit) return found;
    const { asker, turn, signal, wireName } = found;
    const isRefused = !isHere || isSame || !found.refused?.isRepairable;
    const refused = isRefused ? found.refused : undefined;
    const known = { turn, signal, wireName, asker, refused };
    return { ...begun, ...known, metadata: found.metadata ?? metadata };
  }

  /** Whether the tool is still the one that was permitted, and has loaded. */
  #holds({ resolved }: Permit): boolean {
    return !resolved.isLate && this.#isCurrent(resolved);
  }

  /** Whether the name of a call still means the same tool. */
  #isCurrent({ name, tool, entry, isLate }: ResolvedCall): boolean {
    if (!entry || isLate) return true;
    const { session } = this.#view;
    return session.find(name) === entry && (!tool || session.loadedTool(name) === tool.tool);
  }

  /** Decides a call as far as its tool is known. */
  async #decideNow(
    record: CallRecord,
    call: HostCall,
    setting: FindSetting,
    isBypassed = false,
  ): Promise<Decision> {
    const { refused, resolved: known } = record;
    if (refused) return refusedCall(refused.refusal, refused.isDenied);
    if (known && known.isForeign === call.isForeign && this.#isCurrent(known))
      return this.#decide(record, call, known, setting, isBypassed);
    record.allowed = undefined;
    const resolved = await this.#view.resolve(call, false);
    if (resolved.kind === 'answer') return refusedCall(resolved, false);
    return this.#decide(record, call, resolved, setting, isBypassed);
  }

  /** Decides a resumed call as far as the app's setting can. The rest is decided when its tool is about to run. */
  async #decideBySetting(
    record: CallRecord,
    call: HostCall,
    setting: FindSetting,
  ): Promise<Decision> {
    const { id, name, input } = call;
    const resolved = lateCall(id, name, input);
    const found = await setting(resolved, false);
    const decision = decide({ ...NO_FACTS, resolved, isApproved: true, setting: found });
    if (decision.kind !== 'run') return decision;
    if (found.type !== 'unknown') record.settled = record.expected;
    record.permit = { resolved, text: record.expected, setting };
    return decision;
  }

  /** Loads the tool of a late call, then decides the call again with its schema. */
  async #decideLoaded(
    record: CallRecord,
    call: HostCall,
    setting: FindSetting,
    isBypassed: boolean,
  ): Promise<Decision> {
    const late = record.permit?.resolved;
    const found = await this.#view.resolve(call, true);
    if (found.kind === 'answer') return refusedCall(found, false);
    // A tool that was unknown when the step began may run from the next step on.
    if (
      record.approval === undefined &&
      late?.entry === undefined &&
      found.entry?.groupId !== undefined
    )
      return refusedCall(callAgain(found.name), false);
    return this.#decide(record, call, found, setting, isBypassed);
  }

  /** Asks everybody who has not yet decided about this input, then decides. Keeps the permit in the record. */
  async #decide(
    record: CallRecord,
    call: HostCall,
    resolved: ResolvedCall,
    setting: FindSetting,
    isBypassed: boolean,
  ): Promise<Decision> {
    const { hooks } = this.#view;
    const signal = call.signal ?? record.signal;
    const mismatch = this.#mismatch(record, call, resolved);
    const mustAsk = hooks.canDecide && mismatch === undefined;
    const isAllowed = !mustAsk || record.allowed === inputText(resolved.final);
    const verdict = isAllowed ? undefined : await this.#consult(resolved, call.turn, signal);
    const now = verdict?.kind === 'allowed' ? verdict.resolved : resolved;
    const facts = {
      resolved,
      verdict,
      asker: record.asker,
      isApproved: record.approval !== undefined,
      mismatch,
      setting: undefined,
    };
    const early = decide(facts);
    if (early.kind === 'withheld' || early.kind === 'denied') return early;
    // Made before the app sees the input: what it edits does not run.
    const text = inputText(now.final);
    const isSettled = record.settled === text;
    const found = isSettled ? undefined : await raceAbort(setting(now, isBypassed), signal);
    const decision = decide({ ...facts, setting: found });
    if (decision.kind !== 'run') return decision;
    record.allowed = text;
    if (found?.type !== 'unknown') record.settled = text;
    record.permit = { resolved: now, text, setting };
    return decision;
  }

  /** Asks the hooks about the input that a tool would get. */
  #consult(
    resolved: ResolvedCall,
    turn: () => ToolRequest,
    signal: AbortSignal | undefined,
  ): Promise<HookOutcome> {
    const { id, name, entry, isLate } = resolved;
    // The schema of the tool is applied to the arguments that a hook returns.
    const resolve = async (input: unknown) =>
      isLate || !entry
        ? { ...resolved, input: withMarks(input), final: input }
        : resolveNow(turn(), { id, name, input }, signal ? { signal } : {});
    return consultHooks(this.#view.hooks, resolved, resolve, signal);
  }

  /** Why the user's approval does not hold for this call. A tool that has not loaded is compared later. */
  #mismatch(record: CallRecord, call: HostCall, resolved: ResolvedCall): string | undefined {
    const { approval, expected } = record;
    const { isOff, session } = this.#view;
    if (!approval || isOff || resolved.isLate) return;
    const asked = this.records.asked(call, expected);
    const { name, input } = call;
    const { final, entry } = resolved;
    const isBound = (binding: string | undefined) =>
      binding !== undefined && (entry ? session.isBound(entry, binding) : call.binding === binding);
    if (asked && asked.digest !== callDigest(name, input, final)) return ARGUMENTS_CHANGED;
    if (asked && !isBound(asked.binding)) return TOOL_CHANGED;
    // A stamp of another call says nothing: the app may have repaired the call before the user was asked.
    if (!isDigestOf(approval.digests, name, input, final))
      return asked ? undefined : ARGUMENTS_CHANGED;
    const isRemembered = asked !== undefined && approval.binding === undefined;
    return isRemembered || isBound(approval.binding) ? undefined : TOOL_CHANGED;
  }

  /**
   * The question to the user, who sees the input of the host. If the tool would get another one, the
   * reason says so, and the approval holds only for that one.
   */
  async #question(
    record: CallRecord,
    call: HostCall,
    { resolved, asker, reason }: Extract<Decision, { kind: 'ask' }>,
  ): Promise<Approval> {
    const { name, input } = call;
    const { entry, isLate, final } = resolved;
    const { expected } = record;
    const isShown = isLate || (inputText(final) === expected && isJson(final, expected));
    if (!isShown) {
      const again = await this.#view.resolve(call, false);
      if (again.kind === 'answer' || projectedText(again.final) !== projectedText(final))
        return this.#withhold(record, call, notStable(name));
    }
    const binding = entry ? this.#view.session.bindingOf(entry) : call.binding;
    const digest = callDigest(name, input, isShown ? input : final, expected);
    this.records.ask(call, expected, binding === undefined ? undefined : { binding, digest });
    // Other metadata is not Toolfold's to change.
    if (recordOf(call.metadata)) rebindStamp(call.metadata, digest, binding);
    noteAsker(call.metadata, asker);
    const note = isLate ? AS_WRITTEN : isShown ? undefined : whatRuns(final);
    const repaired = resolved.repairs && whatWasRepaired(resolved.repairs);
    const reasons = [reason, repaired, note].filter((text) => text !== undefined);
    return {
      type: 'user-approval',
      ...(reasons.length > 0 ? { reason: reasons.join(' ') } : {}),
    };
  }

  /** The tool gives a refusal as its answer, if Toolfold runs it. Otherwise the host denies the call. */
  #withhold(record: CallRecord, call: HostCall, refusal: Refusal): Approval {
    if (!call.isRunHere) {
      this.#reportDenied(record, call, refusal);
      return { type: 'denied', reason: String(refusal.result.message) };
    }
    const { isReported = false } = record.refused ?? {};
    record.refused = { ...refusedBy(refusal, false), isReported };
    this.records.decide(call.conversation, record);
    return { type: 'not-applicable' };
  }

  #reportDenied({ refused, wireName }: CallRecord, call: HostCall, refusal: Refusal): void {
    if (!refused?.isReported) this.report({ ...call, wireName }, refusal);
    this.records.report(call);
  }
}

/** The record of a call that is decided from the beginning: only what identifies it is kept. */
function anew(record: CallRecord): CallRecord {
  const { view, id, name, wireName, metadata, turn, signal, expected, approval } = record;
  return { view, id, name, wireName, metadata, turn, signal, expected, approval };
}

function refusedBy(refusal: Refusal, isDenied: boolean): Refused {
  return { refusal, isDenied, isRepairable: false, isReported: false };
}
