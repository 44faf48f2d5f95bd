import { jsonSchema, type Tool as SdkTool, type ToolSet } from 'ai';
import { own } from '../../tools/values/index.ts';
import { type ModelOutput, mcpOutput, plainOutput } from '../results/index.ts';
import type { SdkBackedTool } from './own-tools.ts';
import { needsApproval, runBridge, runDeferred, runOwn } from './run.ts';
import type { PointOptions, SdkView } from './sdk-view.ts';

const PLACEHOLDER = { type: 'object', properties: {} } as const;

/** A bridge tool for the SDK. */
export function bridgeFor(view: SdkView, name: string): SdkTool {
  return {
    inputSchema: view.marks.schema(jsonSchema(PLACEHOLDER)),
    execute: (input, options) => runBridge(view, name, input, options),
  };
}

/** A deferred tool for the SDK. When it is called, it loads, its life decides, and it runs. */
export function placeholderFor(view: SdkView, name: string): SdkTool {
  const { marks, invalid, session } = view;
  const execute: SdkTool['execute'] = (input, options) => runDeferred(view, name, input, options);
  const tool: SdkTool = {
    inputSchema: marks.schema(jsonSchema(PLACEHOLDER), invalid.validator(name)),
    needsApproval: (input, options) => needsApproval(view, name, input, options),
    execute,
    // If the group has not loaded, the messages contain the output that the model got.
    toModelOutput: (result) => {
      const show = (tool: SdkBackedTool | undefined): ModelOutput | PromiseLike<ModelOutput> =>
        tool?.toModelOutput?.(result) ??
        (session.resultFormatOf(name) === 'mcp'
          ? mcpOutput(result.output)
          : plainOutput(result.output));
      const now = view.loadedTool(name);
      const entry = session.find(name);
      // In `eager` all groups load anyway, and the messages do not contain the output of `toModelOutput`.
      if (now || !entry || !view.inputs.isEager) return show(now);
      return session
        .turn([])
        .load([entry])
        .then(() => show(view.loadedTool(name)));
    },
  };
  // Only a loaded tool has these properties. The SDK reads them at each call.
  return Object.defineProperties(tool, {
    execute: property(() => (view.loadedTool(name)?.isClientSide ? undefined : execute)),
    onInputStart: property(() => view.loadedTool(name)?.onInputStart),
    onInputDelta: property(() => view.loadedTool(name)?.onInputDelta),
    onInputAvailable: property(() => view.loadedTool(name)?.onInputAvailable),
  });
}

function property(get: () => unknown): PropertyDescriptor {
  return { get, enumerable: true, configurable: true };
}

/** A tool for a name that the set does not list: the tool is unknown, was removed, or is not known yet. */
export function unlistedFor(view: SdkView, name: string): SdkTool {
  const { toModelOutput: _, ...tool } = placeholderFor(view, name);
  // The result may come from a provider's own tool, so the SDK shows it in its own way.
  return { ...tool, type: 'dynamic' } as SdkTool;
}

/** The app's own tools, which Toolfold runs. */
export function ownSet(tools: ToolSet, view: SdkView): ToolSet {
  return Object.fromEntries(
    Object.entries(tools).map(([name, tool]) => [name, ownTool(name, tool, view)]),
  );
}

function ownTool(name: string, tool: SdkTool, view: SdkView): SdkTool {
  const { marks, invalid } = view;
  const { execute } = tool;
  const changes: PropertyDescriptorMap = {
    ...methodsOf(tool),
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
  const caller = own(tool, 'experimental_toolCaller') as Caller | undefined;
  if (caller?.type === 'local')
    changes.experimental_toolCaller = plain({
      ...caller,
      bind: (bound: ToolSet) => view.set.adopt(ownTool(name, caller.bind(bound), view)),
    });
  // A spread does not copy non-enumerable properties, such as those of a tool that calls other tools.
  const descriptors = { ...Object.getOwnPropertyDescriptors(tool), ...changes };
  return Object.create(Object.getPrototypeOf(tool), descriptors);
}

/** The methods that the SDK calls, bound to the tool itself, which may be an instance of a class. */
function methodsOf(tool: SdkTool): PropertyDescriptorMap {
  const methods: PropertyDescriptorMap = {};
  for (const key of [
    'toModelOutput',
    'onInputStart',
    'onInputDelta',
    'onInputAvailable',
  ] as const) {
    const method: unknown = tool[key];
    if (typeof method === 'function')
      methods[key] = plain((...given: unknown[]) => Reflect.apply(method, tool, given));
  }
  return methods;
}

interface Caller {
  readonly type: string;
  readonly bind: (tools: ToolSet) => SdkTool;
}

function plain(value: unknown): PropertyDescriptor {
  return { value, writable: true, enumerable: true, configurable: true };
}
