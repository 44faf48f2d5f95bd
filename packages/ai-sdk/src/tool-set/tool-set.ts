import { type Approval, callAgain, textOf } from '@toolfold/core/internal/host';
import type { Tool } from '@toolfold/core/internal/tool';
import { ownProperty } from '@toolfold/core/internal/values';
import { asSchema, type Tool as SdkTool, type ToolSet } from 'ai';
import {
  bindingOf,
  foreignBinding,
  type ModelOutput,
  mcpOutput,
  plainOutput,
} from '../messages/index.ts';
import { type ApprovalQuestion, appApproval, contextOf } from './app-approval.ts';
import { createLiveSet, type LiveSet } from './live-set.ts';
import { changed, type SdkBackedTool, withoutDeferLoading } from './own-tools.ts';
import { needsApproval, runBridge, runDeferred, runOwn } from './run.ts';
import type { PointOptions, SdkView } from './sdk-view.ts';

/** The tool set of a view for the SDK. */
export function toolSetOf(
  view: SdkView,
  names: { readonly bridgeNames: readonly string[]; readonly ownTools: readonly Tool[] },
): LiveSet {
  const { session, isOff } = view;
  const { own, executor } = view.inputs;
  return createLiveSet({
    own: isOff && !view.mayAsk ? withoutDeferLoading(own) : ownSet(own, view),
    ownNames: names.ownTools.map(({ name }) => name),
    deferredNames: () => session.groupToolNames(),
    // With the off switch, the SDK's errors list the names of this set: leave the bridge tools out.
    bridges: isOff ? {} : bridgeSet(view, names.bridgeNames),
    executor,
    placeholder: (name) => placeholderFor(view, name),
    isPlaceholder: (tool) => isPlaceholderOf(view, tool),
    // With the off switch, the SDK answers calls of unknown names itself.
    unlisted: (name) =>
      isOff && !session.turn([]).mayAppear(name) ? undefined : unlistedFor(view, name),
  });
}

/** The bridge tools for the SDK, and the executor, which is one of these names. */
function bridgeSet(view: SdkView, names: readonly string[]): ToolSet {
  const inputSchema = view.marks.anyObject();
  const bridgeOf = (name: string): SdkTool =>
    name === view.inputs.executor
      ? placeholderFor(view, name)
      : { inputSchema, execute: (input, options) => runBridge(view, name, input, options) };
  return Object.fromEntries(names.map((name) => [name, bridgeOf(name)]));
}

/** The app's own tools, which Toolfold runs. */
function ownSet(tools: ToolSet, view: SdkView): ToolSet {
  return Object.fromEntries(
    Object.entries(tools).map(([name, tool]) => [name, ownTool(name, tool, view)]),
  );
}

function ownTool(name: string, tool: SdkTool, view: SdkView): SdkTool {
  const { marks, invalid } = view;
  const { execute } = tool;
  const changes: PropertyDescriptorMap = {
    ...methodsOf(name, tool, view),
    // The SDK hides a marked tool. Here the layer decides what is declared.
    ...(tool.deferLoading === undefined ? {} : { deferLoading: plain(undefined) }),
    ...(tool.type === 'provider'
      ? { args: plain(marks.args(tool.args)) }
      : { inputSchema: plain(marks.schema(tool.inputSchema, invalid.validator(name))) }),
  };
  if (execute) {
    changes.execute = plain((input: unknown, options: Parameters<typeof execute>[1]) =>
      runOwn(view, tool, name, input, options),
    );
  }
  if (view.mayAsk || tool.needsApproval !== undefined)
    changes.needsApproval = plain((input: unknown, options: PointOptions) =>
      needsApproval(view, name, input, options),
    );
  // For a result that JSON cannot hold, the SDK fails the whole response after the tool has run.
  if (tool.type !== 'provider' && !tool.toModelOutput)
    changes.toModelOutput = plain(({ output }: { output: unknown }) => plainOutput(output));
  const caller = ownProperty(tool, 'experimental_toolCaller') as MethodCaller | undefined;
  if (caller?.type === 'local')
    changes.experimental_toolCaller = plain({
      ...caller,
      bind: (bound: ToolSet) => view.set.adopt(ownTool(name, caller.bind(bound), view)),
    });
  return changed(tool, changes);
}

/** The methods that the SDK calls, bound to the tool itself, which may be an instance of a class. */
function methodsOf(name: string, tool: SdkTool, view: SdkView): PropertyDescriptorMap {
  const methods: PropertyDescriptorMap = {};
  for (const key of [
    'toModelOutput',
    'onInputStart',
    'onInputDelta',
    'onInputAvailable',
  ] as const) {
    const method: unknown = tool[key];
    if (typeof method === 'function')
      methods[key] = plain((...given: unknown[]) => {
        const answer = (): unknown => Reflect.apply(method, tool, given);
        return key === 'toModelOutput' ? view.modelOutput(name, answer) : answer();
      });
  }
  return methods;
}

interface MethodCaller {
  readonly type: string;
  readonly bind: (tools: ToolSet) => SdkTool;
}

function plain(value: unknown): PropertyDescriptor {
  return { value, writable: true, enumerable: true, configurable: true };
}

type Execute = NonNullable<SdkTool['execute']>;
type ModelOutputInput = Parameters<NonNullable<SdkBackedTool['toModelOutput']>>[0];

const DEFERRED = Symbol('toolfold.deferred');

/** The views of the functions that run placeholders. Copies of a placeholder keep its function. */
const viewOfRun = new WeakMap<Execute, SdkView>();

/** What a placeholder stands for. Its fields are private, so that a printed tool does not show its view. */
class Placeholder {
  readonly #view: SdkView;
  readonly #name: string;
  #tool: SdkTool | undefined;
  #run: Execute | undefined;

  constructor(view: SdkView, name: string) {
    this.#view = view;
    this.#name = name;
  }

  /** The tool itself, if it has loaded. */
  get loaded(): SdkBackedTool | undefined {
    return this.#view.loadedTool(this.#name);
  }

  /** The function that runs the tool. It is made when it is first read. */
  get run(): Execute {
    if (this.#run) return this.#run;
    const [view, name] = [this.#view, this.#name];
    this.#run = (input, options) => runDeferred(view, name, input, options);
    viewOfRun.set(this.#run, view);
    return this.#run;
  }

  /** The placeholder. */
  get tool(): SdkTool {
    if (this.#tool) return this.#tool;
    const [view, name] = [this.#view, this.#name];
    const tool: SdkTool & { readonly [DEFERRED]: Placeholder } = {
      [DEFERRED]: this,
      inputSchema: view.marks.anyObject(view.invalid.validator(name)),
      needsApproval: (input, options) => needsApproval(view, name, input, options),
      toModelOutput: (result) => this.modelOutput(result),
    };
    // One after another: `Object.defineProperties` takes several times as long.
    for (const [key, property] of OF_LOADED) Object.defineProperty(tool, key, property);
    this.#tool = tool;
    return tool;
  }

  isOf(view: SdkView): boolean {
    return this.#view === view;
  }

  /** If the group has not loaded, the messages contain the output that the model got. */
  modelOutput(result: ModelOutputInput): ModelOutput | PromiseLike<ModelOutput> {
    const { session, inputs } = this.#view;
    const { loaded } = this;
    // In `eager` all groups load anyway, and the messages do not contain the output of `toModelOutput`.
    const entry = loaded || !inputs.isEager ? undefined : session.find(this.#name);
    if (!entry) return this.#shown(loaded, result);
    return session
      .turn([])
      .load([entry])
      .then(() => this.#shown(this.loaded, result));
  }

  #shown(
    tool: SdkBackedTool | undefined,
    result: ModelOutputInput,
  ): ModelOutput | PromiseLike<ModelOutput> {
    if (tool?.toModelOutput)
      return this.#view.modelOutput(this.#name, () => tool.toModelOutput?.(result));
    const isMcp = this.#view.session.resultFormatOf(this.#name) === 'mcp';
    return isMcp ? mcpOutput(result.output) : plainOutput(result.output);
  }
}

/**
 * Properties that only a loaded tool has. The SDK reads them at each call. All placeholders share the
 * getters: each view has a placeholder for each of its tools, which may be thousands.
 */
const OF_LOADED: readonly (readonly [key: string, PropertyDescriptor])[] = [
  ['execute', ofLoaded((deferred) => (deferred.loaded?.isClientSide ? undefined : deferred.run))],
  ['onInputStart', ofLoaded(({ loaded }) => loaded?.onInputStart)],
  ['onInputDelta', ofLoaded(({ loaded }) => loaded?.onInputDelta)],
  ['onInputAvailable', ofLoaded(({ loaded }) => loaded?.onInputAvailable)],
];

function ofLoaded(get: (deferred: Placeholder) => unknown): PropertyDescriptor {
  return {
    get(this: { readonly [DEFERRED]: Placeholder }) {
      return get(this[DEFERRED]);
    },
    enumerable: true,
    configurable: true,
  };
}

/** A deferred tool for the SDK. When it is called, it loads, its life decides, and it runs. */
function placeholderFor(view: SdkView, name: string): SdkTool {
  return new Placeholder(view, name).tool;
}

/** A tool for a name that the set does not list: the tool is unknown, was removed, or is not known yet. */
function unlistedFor(view: SdkView, name: string): SdkTool {
  const { toModelOutput: _, ...tool } = placeholderFor(view, name);
  const inputSchema = () => {
    view.unknown.check(name, () => Object.keys(view.set.tools));
    return asSchema(tool.inputSchema);
  };
  // UI messages keep dynamic calls apart from others: the call of an unknown name may be repaired to that of a known one.
  if (view.unknown.has(name)) return { ...tool, inputSchema };
  // The result may come from a provider's own tool, so the SDK shows it in its own way.
  return { ...tool, inputSchema, type: 'dynamic' } as SdkTool;
}

/** Whether a tool is a placeholder of the view, or a copy that runs it. */
function isPlaceholderOf(view: SdkView, tool: SdkTool): boolean {
  const deferred = (tool as { readonly [DEFERRED]?: Placeholder })[DEFERRED];
  if (deferred?.tool === tool) return deferred.isOf(view);
  return tool.execute !== undefined && viewOfRun.get(tool.execute) === view;
}

/** The `toolApproval` function for the AI SDK, which decides which calls run. */
export type ToolApproval = (question: ApprovalQuestion) => Promise<Approval>;

/**
 * Creates the field `toolApproval` of `fold.with`. The AI SDK calls it with the final input of a tool,
 * after every transform, refinement and repair, and again when an approved call is resumed. It also
 * calls it for tools that Toolfold does not run.
 */
export function createToolApproval(view: SdkView): ToolApproval {
  const { set, isOff, inputs } = view;
  const { toolApproval: setting } = inputs;
  return async (question) => {
    const { toolCall, tools, toolsContext, messages } = question;
    const { toolCallId, toolName: name, input, providerMetadata: metadata } = toolCall;
    set.noteUse(tools);
    const tool = ownProperty(tools, name) as ToolSet[string] | undefined;
    // Without this answer the SDK leaves the call without a result, and all later requests fail.
    if (isOff && !tool && toolCall.providerExecuted !== true)
      return { type: 'denied', reason: textOf(callAgain(name)) };
    if (set.isBridge(name) && set.holds(tool)) {
      // Loading and searching have no side effects. Only a setting for the bridge's name applies.
      const needsApproval = async () => false;
      const named = typeof setting === 'object' && { ...question, needsApproval };
      return (
        (named && (await appApproval(setting, named, inputs.warn))) || { type: 'not-applicable' }
      );
    }
    const context = await contextOf(name, tool, ownProperty(toolsContext, name));
    const options = { toolCallId, messages, context };
    const isForeign = !set.holds(tool);
    const foreign = isForeign ? tool : undefined;
    const call = view.call(name, input, options, {
      metadata,
      isForeign,
      binding: isForeign ? await foreignBinding(tool) : tool && bindingOf(tool),
    });
    // The provider runs the tool: hooks and permits cannot stop it.
    if (toolCall.providerExecuted === true) {
      // Without Toolfold, the SDK asks only about tools that its set lists.
      if (set.holds(tool) && !Object.keys(tools ?? {}).includes(name))
        return { type: 'not-applicable' };
      const resolved = await view.resolve({ ...call, isForeign: true }, false);
      return 'kind' in resolved
        ? { type: 'not-applicable' }
        : ((await view.setting(options, question, foreign)(resolved, false)) as Approval);
    }
    return view.life.approve(call, view.setting(options, question, foreign));
  };
}
