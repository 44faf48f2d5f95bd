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
  KEY,
  lastOf,
  lateSubject,
  type Permit,
  type PointCall,
  type Policy,
  plainSubject,
  type Refusal,
  resolveNow,
  type Setting,
  type Subject,
} from '../../host/index.ts';
import type { Turn } from '../../tools/calls/index.ts';
import type { Session } from '../../tools/session/index.ts';
import type { CallEvent } from '../../tools/transcript/index.ts';
import { isRecord, own } from '../../tools/values/index.ts';
import { bindingOf } from '../metadata/index.ts';
import { type AppApproval, appApproval, contextOf } from './app-approval.ts';
import { answerIn } from './approval-answer.ts';
import { isGenerator, type SdkBackedTool } from './own-tools.ts';

export type ExecuteOptions = Parameters<NonNullable<SdkTool['execute']>>[1];
/** What the AI SDK tells of a call when it asks whether the tool wants approval. */
export type PointOptions = Pick<ExecuteOptions, 'toolCallId' | 'messages' | 'context'> & {
  readonly abortSignal?: AbortSignal | undefined;
};

export interface RunnerInputs {
  readonly session: Session;
  readonly hooks: Hooks;
  readonly observers: CallObserver | readonly CallObserver[];
  readonly toolApproval: AppApproval | undefined;
  /** The app's tools, as the app made them. */
  readonly own: ToolSet;
  /** The turn that a tool runs in, from the messages that led to the call. */
  readonly turnOf: (messages: readonly ModelMessage[]) => Turn;
  /** The same for a bridge tool, which shows no more than the messages say is offered. */
  readonly bridgeTurnOf: (messages: readonly ModelMessage[]) => Turn;
  /** Adds placeholders for names that have become known since. */
  readonly extend: () => unknown;
  /** The tool that answers what the set has no tool for. */
  readonly executor: string | undefined;
  readonly onExecute: ((call: ExecutedCall, running: Promise<unknown>) => void) | undefined;
  readonly onCall: (event: CallEvent) => void;
  readonly warn: (text: string) => void;
}

/** How an app has its users asked again, after its own `toolApproval` took the place of ours. */
const REMEDY =
  'Hand your `toolApproval` to `fold.with(model, { toolApproval })` and spread all the fields it returns.';

/** What only some points of a call know of it. */
interface CallExtras {
  readonly metadata?: object | undefined;
  readonly binding?: string | undefined;
  readonly isForeign?: boolean;
}

/** Runs the tools of one view: the AI SDK's calls become calls of the policy's, and what it lets pass is executed. */
export class ToolRunner {
  readonly #inputs: RunnerInputs;
  readonly #policy: Policy;
  #hasWarned = false;

  constructor(inputs: RunnerInputs, policy: Policy) {
    this.#inputs = inputs;
    this.#policy = policy;
  }

  /**
   * Runs a deferred tool, or refuses to: throws a `ToolfoldError` whose text is the model's answer. One
   * that yields results as it goes does so here too, if it has loaded when it is called.
   */
  run(name: string, input: unknown, options: ExecuteOptions): unknown {
    const call = this.call(name, input, options);
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
      // The SDK leaves a call to the client only where it knew that when the call came.
      const refusal = target?.isClientSide ? callAgain(name) : cannotRun(name);
      return this.#refuse(call, refusal, false, permit.wireName);
    }
    const { abortSignal: signal } = options;
    const context = await checkedContext(target, options);
    const all = { ...options, context, ...(signal ? { signal } : {}) };
    const output = await this.#execute(call, permit, () =>
      isStream && target.generate ? target.generate(final, all) : target.execute?.(final, all),
    );
    const shown = (value: unknown) =>
      noteShown(target, permit, { toolCallId, input, output: value });
    if (isAsyncIterable(output)) return eachShown(output, shown);
    await shown(output);
    return output;
  }

  /** A tool of this view, where it has loaded. */
  loadedTool(name: string): SdkBackedTool | undefined {
    const { session } = this.#inputs;
    const entry = session.find(name);
    return entry && session.toolOf(entry);
  }

  /** Runs a tool of the app's own. */
  runOwn(tool: SdkTool, name: string, input: unknown, options: ExecuteOptions): unknown {
    const call = this.call(name, input, options, { binding: bindingOf(tool) });
    const run = (permit: Permit) => {
      const { final } = permit.subject;
      // The very input where it is that: a schema may have made an object of its own kind.
      const given = inputText(final) === inputText(input) ? input : final;
      return this.#execute(call, permit, () => tool.execute?.(given, options));
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
    const sought = { id, name, text: inputText(input), metadata: undefined };
    const arrival = this.#policy.arrivals.take(sought);
    if (arrival?.decision.kind === 'refused') throw errorOf(arrival.decision.refusal);
    // What may be shown is what was offered in the step that the call was made in.
    const turn = arrival?.turn ?? this.#inputs.bridgeTurnOf(options.messages ?? []);
    const found = await turn.decide({ id, name, input }, signal ? { signal } : {});
    this.#inputs.extend();
    // Only its own name calls a tool here.
    const route = found.kind === 'run' ? callAgain(found.tool.name) : found;
    turn.report({ id, name: arrival?.wireName ?? name, input }, route);
    if (!route.isError) return route.result;
    this.warnOf(route);
    throw errorOf(route);
  }

  /** Whether the tool wants the user asked, where the AI SDK asks the tool itself. */
  async needsApproval(name: string, input: unknown, options: PointOptions): Promise<boolean> {
    const call = this.call(name, input, options);
    const approval = await this.#policy.approve(call, this.setting(options), true);
    // Where nothing of ours would refuse it, a question is all that keeps the call from being run.
    return approval.type === 'user-approval' || (approval.type === 'denied' && !call.isRunHere);
  }

  /** Whether a tool of this view is run here, and not where the answer is read. */
  #runs(name: string): boolean {
    const { own: tools } = this.#inputs;
    if (Object.hasOwn(tools, name)) return tools[name]?.execute !== undefined;
    return this.loadedTool(name)?.isClientSide !== true;
  }

  /** A call as the policy knows it. */
  call(
    name: string,
    input: unknown,
    options: PointOptions,
    { metadata, binding, isForeign = false }: CallExtras = {},
  ): PointCall {
    // A caller that runs tools by itself may pass on no messages.
    const messages = options.messages ?? [];
    const { toolCallId: id = '', abortSignal: signal } = options;
    const { turnOf } = this.#inputs;
    const answer = answerIn(messages, id, name, input);
    const turn = () => turnOf(messages);
    const about = {
      metadata,
      binding,
      answer,
      signal,
      isForeign,
      isRunHere: !isForeign && this.#runs(name),
    };
    return { id, name, input, conversation: messages, ...about, turn };
  }

  /** The app's setting for a call where the AI SDK does not say more, else what the tool itself wants. */
  setting(options: PointOptions): FindSetting {
    const { own: tools, toolApproval } = this.#inputs;
    const { toolCallId, messages } = options;
    return async (subject, bypassed) => {
      const { name: toolName, final: input } = subject;
      const wish = () => this.wish(subject, options);
      const found = await appApproval(toolApproval, {
        toolCall: { toolCallId, toolName, input },
        tools,
        toolsContext: {},
        runtimeContext: undefined,
        messages,
        needsApproval: async () => (await wish()).type === 'user-approval',
      });
      if (found) return found;
      return bypassed ? { type: 'not-applicable' } : wish();
    };
  }

  /** What the tool itself wants; `foreign`: a tool that is none of this view's. */
  async wish(subject: Subject, options: PointOptions, foreign?: SdkTool): Promise<Setting> {
    if (subject.isLate) return { type: 'unknown' };
    const { own } = this.#inputs;
    const ours: SdkTool | undefined = Object.hasOwn(own, subject.name)
      ? own[subject.name]
      : undefined;
    const deferred: SdkBackedTool | undefined = subject.tool?.tool;
    const owner = foreign ?? ours ?? deferred;
    const { toolCallId, messages } = options;
    const context = foreign || ours ? options.context : await checkedContext(deferred, options);
    const asks =
      typeof owner?.needsApproval === 'function'
        ? await owner.needsApproval(subject.final, { toolCallId, messages, context })
        : owner?.needsApproval;
    return { type: asks ? 'user-approval' : 'not-applicable' };
  }

  /** The subject of a call as it stands, without running a loader. */
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
    // What is called is not what would run: the AI SDK has it under its own name from now on.
    if (isRefusal(found)) return found;
    if (found.name !== name) return callAgain(found.name);
    return this.#runs(name) ? found : { ...found, isForeign: true };
  }

  /** What the tool of a call is known by at this moment. */
  bindingOf({ entry }: Subject, call: PointCall): string | undefined {
    return entry ? this.#inputs.session.bindingOf(entry) : call.binding;
  }

  /** Whether the tool of a call is still the one that the binding was made for. */
  isBound({ entry }: Subject, binding: string, call: PointCall): boolean {
    return entry ? this.#inputs.session.isBound(entry, binding) : call.binding === binding;
  }

  /** Whether a subject is still what its name stands for. */
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
    if (ticket.isUnasked) this.#warnOfUnasked(ticket.refusal);
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

  /** Tells the developer what only the host can mend. */
  warnOf(refusal: Refusal): void {
    const { warn } = this.#inputs;
    const code = codeOf(refusal);
    if (code === 'loader-failed' || code === 'unknown-tool') warn(errorOf(refusal).message);
  }

  #warnOfUnasked(refusal: Refusal): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#inputs.warn(`${errorOf(refusal).message} ${REMEDY}`);
  }

  #execute(call: PointCall, { subject, wireName }: Permit, run: () => unknown): unknown {
    const { hooks, observers, onExecute, onCall } = this.#inputs;
    const { id, name, input } = call;
    onCall({ id, name, wireName: wireName ?? name, outcome: 'run' });
    const text = inputText([input, subject.final]);
    return execute({ id, name, input: subject.final }, run, {
      hooks,
      observers: Array.isArray(observers) ? observers : [observers],
      onExecute,
      isUnchanged: () => inputText([input, subject.final]) === text,
    });
  }
}

/** Has the result carry what its tool wants a model to be shown: another process may not have the tool. */
async function noteShown(
  { toModelOutput: show }: SdkBackedTool,
  { metadata }: Permit,
  result: { readonly toolCallId: string; readonly input: unknown; readonly output: unknown },
): Promise<void> {
  const stamp = own(metadata, KEY);
  if (!show || !isRecord(stamp)) return;
  try {
    stamp.m = await show(result);
  } catch {
    // The SDK asks the tool again, and tells the app.
  }
}

/** The context of a group's tool, which the SDK does not check: it has only a placeholder. */
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

/** The results as they come; `shown` is told of the last one. */
async function* eachShown(
  output: AsyncIterable<unknown>,
  shown: (last: unknown) => Promise<void>,
): AsyncGenerator<unknown> {
  let last: unknown;
  for await (const value of output) {
    last = value;
    yield value;
  }
  await shown(last);
}
