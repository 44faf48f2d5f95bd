import type { Tool } from '@toolfold/core/internal/tools/tool';
import { ownProperty } from '@toolfold/core/internal/tools/values';
import type { Tool as SdkTool, ToolSet } from 'ai';
import { plainOutput } from '../results/index.ts';
import { createLiveSet, type LiveSet } from './live-set.ts';
import { withoutDeferLoading } from './own-marks.ts';
import { isPlaceholderOf, placeholderFor, unlistedFor } from './placeholder.ts';
import { needsApproval, runBridge, runOwn } from './run.ts';
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
  const caller = ownProperty(tool, 'experimental_toolCaller') as Caller | undefined;
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

interface Caller {
  readonly type: string;
  readonly bind: (tools: ToolSet) => SdkTool;
}

function plain(value: unknown): PropertyDescriptor {
  return { value, writable: true, enumerable: true, configurable: true };
}
