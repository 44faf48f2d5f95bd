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
  /** A deferred tool, where it has loaded. */
  readonly loaded: (name: string) => SdkBackedTool | undefined;
  /** Whether a tool returns results of MCP. */
  readonly hasMcpResults: (name: string) => boolean;
  /** Has a deferred tool loaded, where all of them are to be; never rejects. */
  readonly load: ((name: string) => Promise<void>) | undefined;
  /** Takes a tool that a tool of the set has made in among those of the set. */
  readonly adopt: (tool: SdkTool) => SdkTool;
}

/** A bridge tool, as the SDK sees it. */
export function bridgeFor({ runner, marks }: ToolSetInputs, name: string): SdkTool {
  return {
    inputSchema: marks.schema(jsonSchema(PLACEHOLDER)),
    execute: (input, options) => runner.runBridge(name, input, options),
  };
}

/** A deferred tool as the SDK sees it: it loads, is judged, and asks for approval, when called. */
export function placeholderFor(inputs: ToolSetInputs, name: string): SdkTool {
  const { runner, marks, invalid, loaded, load, hasMcpResults } = inputs;
  const execute: SdkTool['execute'] = (input, options) => runner.run(name, input, options);
  const tool: SdkTool = {
    inputSchema: marks.schema(jsonSchema(PLACEHOLDER), invalid.validator(name)),
    needsApproval: (input, options) => runner.needsApproval(name, input, options),
    execute,
    // Where the group has not loaded, what the model was shown stands in the messages.
    toModelOutput: (result) => {
      const show = (tool: SdkBackedTool | undefined): ModelOutput | PromiseLike<ModelOutput> =>
        tool?.toModelOutput?.(result) ??
        (hasMcpResults(name) ? mcpOutput(result.output) : plainOutput(result.output));
      const now = loaded(name);
      return now || !load ? show(now) : load(name).then(() => show(loaded(name)));
    },
  };
  // What only the tool itself can say, once it has loaded: the SDK looks at each call.
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

/** A tool that the set lacks: a name the model made up, one that is gone, or that is not known yet. */
export function strayFor(inputs: ToolSetInputs, name: string): SdkTool {
  const { toModelOutput: _, ...tool } = placeholderFor(inputs, name);
  // What it came to may be a provider's own, and is shown as the SDK shows it.
  return { ...tool, type: 'dynamic' } as SdkTool;
}

/** The app's tools, run by the runner. */
export function ownSet(tools: ToolSet, inputs: ToolSetInputs, asks: boolean): ToolSet {
  return Object.fromEntries(
    Object.entries(tools).map(([name, tool]) => [name, ownTool(name, tool, inputs, asks)]),
  );
}

/** `asks`: hooks have a say in whether the user is asked. */
function ownTool(name: string, tool: SdkTool, inputs: ToolSetInputs, asks: boolean): SdkTool {
  const { runner, marks, invalid } = inputs;
  const { execute } = tool;
  const changes: PropertyDescriptorMap = {
    ...methodsOf(tool),
    ...(tool.type === 'provider'
      ? { args: plain(marks.args(tool.args)) }
      : { inputSchema: plain(marks.schema(tool.inputSchema, invalid.validator(name))) }),
  };
  if (execute) {
    changes.execute = plain((input: unknown, options: Parameters<typeof execute>[1]) =>
      runner.runOwn(tool, name, input, options),
    );
  }
  if (asks || tool.needsApproval !== undefined)
    changes.needsApproval = plain(
      (input: unknown, options: Parameters<ToolRunner['needsApproval']>[2]) =>
        runner.needsApproval(name, input, options),
    );
  // The SDK fails the whole answer over a result that JSON cannot hold, after the tool has run.
  if (tool.type !== 'provider' && !tool.toModelOutput)
    changes.toModelOutput = plain(({ output }: { output: unknown }) => plainOutput(output));
  const caller = own(tool, 'experimental_toolCaller') as Caller | undefined;
  if (caller?.type === 'local')
    changes.experimental_toolCaller = plain({
      ...caller,
      bind: (bound: ToolSet) => inputs.adopt(ownTool(name, caller.bind(bound), inputs, asks)),
    });
  // Some properties are hidden from a copy by spreading: what makes a tool a caller of others is.
  const descriptors = { ...Object.getOwnPropertyDescriptors(tool), ...changes };
  return Object.create(Object.getPrototypeOf(tool), descriptors);
}

/** What the SDK calls of a tool, still called on the tool itself, which may be of a class. */
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
