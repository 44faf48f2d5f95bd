import type { ModelMessage, Tool as SdkTool, ToolSet } from 'ai';
import {
  type CallObserver,
  callAgain,
  cannotRun,
  codeOf,
  type ExecutedCall,
  errorOf,
  execute,
  type FindSetting,
  type Hooks,
  inputText,
  isAsyncIterable,
  isRefusal,
  lastOf,
  lateSubject,
  type Permit,
  type PointCall,
  type Policy,
  plainSubject,
  type Refusal,
  type RunWith,
  resolveNow,
  type Setting,
  type Subject,
} from '../../host/index.ts';
import type { Turn } from '../../tools/calls/index.ts';
import type { Session } from '../../tools/session/index.ts';
import type { CallHost } from '../../tools/tool/index.ts';
import type { CallEvent, TranscriptCall } from '../../tools/transcript/index.ts';
import { bindingOf } from '../metadata/index.ts';
import type { FieldWarnings } from '../warnings/index.ts';
import { type AppApproval, appApproval, contextOf } from './app-approval.ts';
import { answerIn } from './approval-answer.ts';
import { keepOwnResult, keepResult, withLast } from './kept-result.ts';
import { isGenerator, type SdkBackedTool } from './own-tools.ts';

export type ExecuteOptions = Parameters<NonNullable<SdkTool['execute']>>[1];
/** The options that the AI SDK passes to a tool's `needsApproval`. */
export type PointOptions = Pick<ExecuteOptions, 'toolCallId' | 'messages' | 'context'> & {
  readonly abortSignal?: AbortSignal | undefined;
};

export interface RunnerInputs {
  readonly session: Session;
  readonly hooks: Hooks;
  readonly observers: CallObserver | readonly CallObserver[];
  readonly toolApproval: AppApproval | undefined;
  /** The app's tools, as the app defined them. */
  readonly own: ToolSet;
  /** The turn in which a real tool runs, from the messages before the call. */
  readonly turnOf: (messages: readonly ModelMessage[]) => Turn;
  /** The turn in which a bridge tool runs. It shows only tools that the messages record as offered. */
  readonly bridgeTurnOf: (messages: readonly ModelMessage[]) => Turn;
  /** Adds placeholders for names that have become known. */
  readonly extend: () => unknown;
  /** The tool that answers calls of tools that the set does not have. */
  readonly executor: string | undefined;
  readonly onExecute: ((call: ExecutedCall, running: Promise<unknown>) => void) | undefined;
  readonly runWith: RunWith | undefined;
  readonly callHost:
    | ((call: Pick<ExecutedCall, 'id' | 'name'>) => CallHost | undefined)
    | undefined;
  readonly onCall: (event: CallEvent) => void;
  readonly warn: (text: string) => void;
  readonly warnings: FieldWarnings;
}

/** Properties of a call that only some callers know. */
interface CallExtras {
  readonly metadata?: object | undefined;
  readonly binding?: string | undefined;
  readonly isForeign?: boolean;
}

/** Runs the tools of one view: it asks the policy about each call of the AI SDK, and executes the permitted calls. */
export class ToolRunner {
  readonly #inputs: RunnerInputs;
  readonly #policy: Policy;

  constructor(inputs: RunnerInputs, policy: Policy) {
    this.#inputs = inputs;
    this.#policy = policy;
  }

  /**
   * Runs a deferred tool. For a refused call it throws a `ToolfoldError` whose string is the answer for
   * the model. A generator yields its partial results, if it has loaded before the call.
   */
  run(name: string, input: unknown, options: ExecuteOptions): unknown {
    const call = this.#begin(name, input, options);
    const admitted = this.#admitted(call, options);
    const run = (permit: Permit, isStream: boolean) =>
      this.#runDeferred(call, permit, options, isStream);
    return this.loadedTool(name)?.generate
      ? results(admitted, (permit) => run(permit, true))
      : admitted.then((permit) => run(permit, false));
  }

  async #runDeferred(
    call: PointCall,
    permit: Permit,
    options: ExecuteOptions,
    isStream: boolean,
  ): Promise<unknown> {
    const { id: toolCallId, name, input } = call;
    const { tool, final } = permit.subject;
    const target: SdkBackedTool | undefined = tool?.tool;
    if (!target?.execute) {
      // The SDK leaves a call to the client only if the tool had loaded when the call arrived.
      const refusal = target?.isClientSide ? callAgain(name) : cannotRun(name);
      return this.#refuse(call, refusal, false, permit.wireName);
    }
    const { abortSignal: signal } = options;
    const context = await checkedContext(target, options);
    const host = this.#inputs.callHost?.({ id: toolCallId, name });
    const all = { ...options, context, ...(signal && { signal }), ...(host && { host }) };
    const output = await this.#execute(call, permit, () =>
      isStream && target.generate ? target.generate(final, all) : target.execute?.(final, all),
    );
    const keepShown = (value: unknown) =>
      keepResult(target, permit, { toolCallId, input, output: value }, this.#keepsOrder);
    if (isAsyncIterable(output)) return withLast(output, keepShown);
    await keepShown(output);
    return output;
  }

  /** Whether results keep the order of their keys. A host with a journal has them as they were. */
  get #keepsOrder(): boolean {
    return this.#inputs.runWith === undefined;
  }

  /** A tool of this view, if it has loaded. */
  loadedTool(name: string): SdkBackedTool | undefined {
    const { session } = this.#inputs;
    const entry = session.find(name);
    return entry && session.toolOf(entry);
  }

  /** Runs one of the app's own tools. */
  runOwn(tool: SdkTool, name: string, input: unknown, options: ExecuteOptions): unknown {
    const call = this.#begin(name, input, options, { binding: bindingOf(tool) });
    const run = (permit: Permit) => {
      const { final } = permit.subject;
      // If the input is unchanged, pass the same object: a schema may have created an instance of a class.
      const given = inputText(final) === inputText(input) ? input : final;
      const output = this.#execute(call, permit, () => tool.execute?.(given, options));
      return this.#keepsOrder ? keepOwnResult(output, permit) : output;
    };
    const ready = this.#policy.ready(call);
    if (ready) return run(ready);
    const admitted = this.#admitted(call, options);
    return isGenerator(tool.execute)
      ? results(admitted, run)
      : admitted.then(async (permit) => lastOf(await run(permit)));
  }

  /** Runs a bridge tool. */
  async runBridge(name: string, input: unknown, options: ExecuteOptions): Promise<unknown> {
    const { abortSignal: signal, toolCallId: id } = options;
    const query = { id, name, text: inputText(input), metadata: undefined };
    const arrival = this.#policy.arrivals.take(query);
    if (arrival?.decision.kind === 'refused') throw errorOf(arrival.decision.refusal);
    // The bridge may show only tools that were offered in the step of the call.
    const turn = arrival?.turn ?? this.#inputs.bridgeTurnOf(options.messages ?? []);
    const wireName = arrival?.wireName ?? name;
    const answer = await this.answerBridge(turn, { id, name, input }, wireName, signal);
    if (!answer.isError) return answer.result;
    throw errorOf(answer);
  }

  /** The answer of a bridge tool to a call in this turn. Rejects only with the signal's reason. */
  async answerBridge(
    turn: Turn,
    call: TranscriptCall,
    wireName: string,
    signal: AbortSignal | undefined,
  ): Promise<Refusal> {
    const found = await turn.decide(call, signal ? { signal } : {});
    this.#inputs.extend();
    // A bridge never runs a real tool: the model has to call the tool by its own name.
    const answer = found.kind === 'run' ? callAgain(found.tool.name) : found;
    turn.report({ ...call, name: wireName }, answer);
    if (answer.isError) this.warnOf(answer);
    return answer;
  }

  /** The `needsApproval` of a tool, for the AI SDK. */
  async needsApproval(name: string, input: unknown, options: PointOptions): Promise<boolean> {
    const call = this.call(name, input, options);
    const approval = await this.#policy.approve(call, this.setting(options), true);
    // If Toolfold does not run the tool, it cannot refuse the call: only a question stops a denied call.
    return approval.type === 'user-approval' || (approval.type === 'denied' && !call.isRunHere);
  }

  /** A call that reached its tool. Code that runs tools without the SDK passes no messages. */
  #begin(name: string, input: unknown, options: PointOptions, extras: CallExtras = {}): PointCall {
    const call = this.call(name, input, options, extras);
    if (!call.answer && options.messages?.length > 0) this.#inputs.warnings.check(name);
    return call;
  }

  /** Whether Toolfold runs a tool of this view, and not the client. */
  #runs(name: string): boolean {
    const { own: tools } = this.#inputs;
    if (Object.hasOwn(tools, name)) return tools[name]?.execute !== undefined;
    return this.loadedTool(name)?.isClientSide !== true;
  }

  /** A call in the form for the policy. */
  call(
    name: string,
    input: unknown,
    options: PointOptions,
    { metadata, binding, isForeign = false }: CallExtras = {},
  ): PointCall {
    // Code that runs tools without the SDK may pass no messages.
    const messages = options.messages ?? [];
    const { toolCallId: id = '', abortSignal: signal } = options;
    const { turnOf } = this.#inputs;
    const answer = answerIn(messages, id, name, input);
    const turn = () => turnOf(messages);
    const details = {
      metadata,
      binding,
      answer,
      signal,
      isForeign,
      isRunHere: !isForeign && this.#runs(name),
    };
    return { id, name, input, conversation: messages, ...details, turn };
  }

  /** Finds the app's setting for a call, else the tool's own. For callers without the AI SDK's question. */
  setting(options: PointOptions): FindSetting {
    const { own: tools, toolApproval } = this.#inputs;
    const { toolCallId, messages } = options;
    return async (subject, bypassed) => {
      const { name: toolName, final: input } = subject;
      const ofTool = () => this.toolSetting(subject, options);
      const found = await appApproval(toolApproval, {
        toolCall: { toolCallId, toolName, input },
        tools,
        toolsContext: {},
        runtimeContext: undefined,
        messages,
        needsApproval: async () => (await ofTool()).type === 'user-approval',
      });
      if (found) return found;
      return bypassed ? { type: 'not-applicable' } : ofTool();
    };
  }

  /** The setting from the tool's `needsApproval`. `foreign`: a tool that does not belong to this view. */
  async toolSetting(subject: Subject, options: PointOptions, foreign?: SdkTool): Promise<Setting> {
    if (subject.isLate) return { type: 'unknown' };
    const { own } = this.#inputs;
    const ours: SdkTool | undefined = Object.hasOwn(own, subject.name)
      ? own[subject.name]
      : undefined;
    const deferred: SdkBackedTool | undefined = subject.tool?.tool;
    const owner = foreign ?? ours ?? deferred;
    const { toolCallId, messages } = options;
    const context = foreign || ours ? options.context : await checkedContext(deferred, options);
    const needsApproval =
      typeof owner?.needsApproval === 'function'
        ? await owner.needsApproval(subject.final, { toolCallId, messages, context })
        : owner?.needsApproval;
    return { type: needsApproval ? 'user-approval' : 'not-applicable' };
  }

  /** Resolves a call without running a loader. */
  async subjectOf(call: PointCall): Promise<Subject | Refusal> {
    const { id, name, input, isForeign } = call;
    if (isForeign) return { ...plainSubject(id, name, input), isForeign };
    const { own, session, executor } = this.#inputs;
    const entry = session.find(name);
    const ours = Object.hasOwn(own, name) ? own[name] : undefined;
    if (ours) return { ...plainSubject(id, name, input, entry), isForeign: !ours.execute };
    const turn = call.turn();
    if (entry ? !turn.isReady(entry) : name !== executor && turn.mayAppear(name))
      return lateSubject(id, name, input, entry);
    const found = await resolveNow(turn, { id, name, input }, optionsOf(call));
    if (isRefusal(found)) return found;
    // The name means a tool with another name: the model has to call that tool by its own name.
    if (found.name !== name) return callAgain(found.name);
    return this.#runs(name) ? found : { ...found, isForeign: true };
  }

  /** The present binding of a call's tool. */
  bindingOf({ entry }: Subject, call: PointCall): string | undefined {
    return entry ? this.#inputs.session.bindingOf(entry) : call.binding;
  }

  /** Whether the tool of a call still has this binding. */
  isBound({ entry }: Subject, binding: string, call: PointCall): boolean {
    return entry ? this.#inputs.session.isBound(entry, binding) : call.binding === binding;
  }

  /** Whether the name of a subject still means the same tool. */
  isCurrent({ name, tool, entry, isLate }: Subject): boolean {
    const { session } = this.#inputs;
    if (!entry || isLate) return true;
    const now = session.find(name);
    return now === entry && (!tool || session.toolOf(now) === tool.tool);
  }

  async #admitted(call: PointCall, options: ExecuteOptions): Promise<Permit> {
    const ticket = await this.#policy.admit(call, this.setting(options));
    this.#inputs.extend();
    if (ticket.kind === 'permit') return ticket;
    if (ticket.isUnasked) this.#inputs.warnings.unasked(errorOf(ticket.refusal).message);
    return this.#refuse(call, ticket.refusal, ticket.isReported, ticket.wireName);
  }

  #refuse(
    { id, name }: PointCall,
    refusal: Refusal,
    isReported: boolean,
    wireName: string | undefined,
  ): never {
    const error = errorOf(refusal);
    if (!isReported) this.#policy.report({ id, name, wireName }, refusal);
    if (!isReported) this.warnOf(refusal);
    throw error;
  }

  /** Warns the developer of failures that only the host can fix. */
  warnOf(refusal: Refusal): void {
    const { warn } = this.#inputs;
    const code = codeOf(refusal);
    if (code === 'loader-failed' || code === 'unknown-tool') warn(errorOf(refusal).message);
  }

  #execute(call: PointCall, { subject, wireName }: Permit, run: () => unknown): unknown {
    const { hooks, observers, onExecute, runWith, onCall } = this.#inputs;
    const { id, name, input } = call;
    onCall({ id, name, wireName: wireName ?? name, outcome: 'run' });
    const text = inputText([input, subject.final]);
    return execute({ id, name, input: subject.final }, run, {
      hooks,
      observers: Array.isArray(observers) ? observers : [observers],
      onExecute,
      runWith,
      isUnchanged: () => inputText([input, subject.final]) === text,
    });
  }
}

/** The validated context of a group's tool. The SDK has only a placeholder, so it does not validate the context. */
function checkedContext(tool: SdkBackedTool | undefined, options: PointOptions): Promise<unknown> {
  const { name = '' } = tool ?? {};
  return contextOf(name, tool, { [name]: options.context });
}

function optionsOf({ signal }: PointCall): { signal?: AbortSignal } {
  return signal ? { signal } : {};
}

async function* results(
  admitted: Promise<Permit>,
  run: (permit: Permit) => unknown,
): AsyncGenerator<unknown> {
  const output = await run(await admitted);
  if (isAsyncIterable(output)) yield* output;
  else yield output;
}
