import type { Tool as SdkTool } from 'ai';
import { type ModelOutput, mcpOutput, plainOutput } from '../results/index.ts';
import type { SdkBackedTool } from './own-tools.ts';
import { needsApproval, runDeferred } from './run.ts';
import type { SdkView } from './sdk-view.ts';

type Execute = NonNullable<SdkTool['execute']>;
type Result = Parameters<NonNullable<SdkBackedTool['toModelOutput']>>[0];

const DEFERRED = Symbol('toolfold.deferred');

/** The views of the functions that run placeholders. Copies of a placeholder keep its function. */
const viewOfRun = new WeakMap<Execute, SdkView>();

/** What a placeholder stands for. Its fields are private, so that a printed tool does not show its view. */
class Deferred {
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
    const tool: SdkTool & { readonly [DEFERRED]: Deferred } = {
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
  modelOutput(result: Result): ModelOutput | PromiseLike<ModelOutput> {
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

  #shown(tool: SdkBackedTool | undefined, result: Result): ModelOutput | PromiseLike<ModelOutput> {
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

function ofLoaded(get: (deferred: Deferred) => unknown): PropertyDescriptor {
  return {
    get(this: { readonly [DEFERRED]: Deferred }) {
      return get(this[DEFERRED]);
    },
    enumerable: true,
    configurable: true,
  };
}

/** A deferred tool for the SDK. When it is called, it loads, its life decides, and it runs. */
export function placeholderFor(view: SdkView, name: string): SdkTool {
  return new Deferred(view, name).tool;
}

/** A tool for a name that the set does not list: the tool is unknown, was removed, or is not known yet. */
export function unlistedFor(view: SdkView, name: string): SdkTool {
  const { toModelOutput: _, ...tool } = placeholderFor(view, name);
  // The result may come from a provider's own tool, so the SDK shows it in its own way.
  return { ...tool, type: 'dynamic' } as SdkTool;
}

/** Whether a tool is a placeholder of the view, or a copy that runs it. */
export function isPlaceholderOf(view: SdkView, tool: SdkTool): boolean {
  const deferred = (tool as { readonly [DEFERRED]?: Deferred })[DEFERRED];
  if (deferred?.tool === tool) return deferred.isOf(view);
  return tool.execute !== undefined && viewOfRun.get(tool.execute) === view;
}
