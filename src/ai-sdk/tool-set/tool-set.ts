import { jsonSchema, type Tool as SdkTool, type ToolSet } from 'ai';
import { own } from '../../tools/values/index.ts';
import type { Marks } from '../metadata/index.ts';
import { type ModelOutput, mcpOutput, plainOutput } from '../results/index.ts';
import type { InvalidInputs } from './invalid-inputs.ts';
import type { SdkBackedTool } from './own-tools.ts';
import type { ToolRunner } from './tool-runner.ts';

const PLACEHOLDER = { type: 'object', properties: {} } as const;

export interface ToolSetInputs {
  readonly runner: ToolRunner;
  readonly marks: Marks;
  readonly invalid: InvalidInputs;
  /** A deferred tool, if it has loaded. */
  readonly loaded: (name: string) => SdkBackedTool | undefined;
  /** Whether a tool returns MCP results. */
  readonly hasMcpResults: (name: string) => boolean;
  /** Loads a deferred tool, in strategies that load all tools. Never rejects. */
  readonly load: ((name: string) => Promise<void>) | undefined;
  /** Registers a tool that a tool of the set created. */
  readonly adopt: (tool: SdkTool) => SdkTool;
}

/** A bridge tool for the SDK. */
export function bridgeFor({ runner, marks }: ToolSetInputs, name: string): SdkTool {
  return {
    inputSchema: marks.schema(jsonSchema(PLACEHOLDER)),
    execute: (input, options) => runner.runBridge(name, input, options),
  };
}

/** A deferred tool for the SDK. When it is called, it loads, the policy decides, and it runs. */
export function placeholderFor(inputs: ToolSetInputs, name: string): SdkTool {
  const { runner, marks, invalid, loaded, load, hasMcpResults } = inputs;
  const execute: SdkTool['execute'] = (input, options) => runner.run(name, input, options);
  const tool: SdkTool = {
    inputSchema: marks.schema(jsonSchema(PLACEHOLDER), invalid.validator(name)),
    needsApproval: (input, options) => runner.needsApproval(name, input, options),
    execute,
    // If the group has not loaded, the messages contain the output that the model got.
    toModelOutput: (result) => {
      const show = (tool: SdkBackedTool | undefined): ModelOutput | PromiseLike<ModelOutput> =>
        tool?.toModelOutput?.(result) ??
        (hasMcpResults(name) ? mcpOutput(result.output) : plainOutput(result.output));
      const now = loaded(name);
      return now || !load ? show(now) : load(name).then(() => show(loaded(name)));
    },
  };
  // Only a loaded tool has these properties. The SDK reads them at each call.
  return Object.defineProperties(tool, {
    execute: property(() => (loaded(name)?.isClientSide ? undefined : execute)),
    onInputStart: property(() => loaded(name)?.onInputStart),
    onInputDelta: property(() => loaded(name)?.onInputDelta),
    onInputAvailable: property(() => loaded(name)?.onInputAvailable),
  });
}

function property(get: () => unknown): PropertyDescriptor {
  return { get, enumerable: true, configurable: true };
}

/** A tool for a name that the set does not list: the tool is unknown, was removed, or is not known yet. */
export function unlistedFor(inputs: ToolSetInputs, name: string): SdkTool {
  const { toModelOutput: _, ...tool } = placeholderFor(inputs, name);
  // The result may come from a provider's own tool, so the SDK shows it in its own way.
  return { ...tool, type: 'dynamic' } as SdkTool;
}

/** The app's own tools, executed by the runner. `mayAsk`: hooks or settings may require the user's approval. */
export function ownSet(tools: ToolSet, inputs: ToolSetInputs, mayAsk: boolean): ToolSet {
  return Object.fromEntries(
    Object.entries(tools).map(([name, tool]) => [name, ownTool(name, tool, inputs, mayAsk)]),
  );
}

function ownTool(name: string, tool: SdkTool, inputs: ToolSetInputs, mayAsk: boolean): SdkTool {
  const { runner, marks, invalid } = inputs;
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
      runner.runOwn(tool, name, input, options),
    );
  }
  if (mayAsk || tool.needsApproval !== undefined)
    changes.needsApproval = plain(
      (input: unknown, options: Parameters<ToolRunner['needsApproval']>[2]) =>
        runner.needsApproval(name, input, options),
    );
  // For a result that JSON cannot hold, the SDK fails the whole response after the tool has run.
  if (tool.type !== 'provider' && !tool.toModelOutput)
    changes.toModelOutput = plain(({ output }: { output: unknown }) => plainOutput(output));
  const caller = own(tool, 'experimental_toolCaller') as Caller | undefined;
  if (caller?.type === 'local')
    changes.experimental_toolCaller = plain({
      ...caller,
      bind: (bound: ToolSet) => inputs.adopt(ownTool(name, caller.bind(bound), inputs, mayAsk)),
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
