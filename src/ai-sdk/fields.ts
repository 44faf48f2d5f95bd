import { type LanguageModel, type ToolSet, wrapLanguageModel } from 'ai';
import { Hooks, Policy } from '../host/index.ts';
import type { Session } from '../tools/session/index.ts';
import { estimateTokens } from '../tools/tokens/index.ts';
import type { Tool } from '../tools/tool/index.ts';
import { Marks } from './metadata/index.ts';
import { createMiddleware, type MiddlewareInputs } from './middleware.ts';
import type { ModelObject } from './model/index.ts';
import type { FoldOptions, WithOptions } from './options/index.ts';
import { type ModelId, withSplitRounds } from './request/index.ts';
import type { ThirdPartyView } from './results/index.ts';
import {
  bridgeFor,
  createLiveSet,
  createToolApproval,
  InvalidInputs,
  type LiveSet,
  ownSet,
  placeholderFor,
  ToolRunner,
  type ToolSetInputs,
  toWireTool,
  unlistedFor,
  withoutDeferLoading,
} from './tool-set/index.ts';
import { Turns } from './turns.ts';
import { FieldWarnings } from './warnings/index.ts';

/** What all views of a fold share. */
export interface Shared {
  readonly options: Omit<FoldOptions<ToolSet>, 'tools'>;
  readonly warn: (text: string) => void;
  /** The number of model calls of all views. */
  readonly requests: { count: number };
  readonly own: ToolSet;
  readonly ownTools: readonly Tool[];
  /** How the results of groups' tools are shown. */
  readonly resultView: ThirdPartyView;
  readonly onRequest: FoldOptions<ToolSet>['onRequest'];
  readonly hasGroups: boolean;
  readonly bridgeNames: readonly string[];
  readonly executor: string;
  readonly session: (model: ModelId, refused?: string) => Session;
  readonly onRefusal: MiddlewareInputs['onRefusal'];
  /** Registers a set that is extended when the groups change. */
  readonly addSet: (set: LiveSet) => void;
}

/** One view of a fold: the fields that `fold.with` returns. */
export function createFields(
  model: ModelObject,
  withOptions: WithOptions,
  shared: Shared,
): { model: LanguageModel; tools: ToolSet; toolApproval?: unknown } {
  const { options, own, hasGroups, bridgeNames, resultView } = shared;
  const {
    toolApproval: setting,
    observers = [],
    notice,
    onExecute,
    runWith,
    callHost,
    preload,
  } = withOptions;
  const hooks = new Hooks(withOptions.hooks);
  const session = shared.session(model);
  const allowed = withExecute(allowedTools(own, session), withOptions.execute);
  const isOff = isOffSwitch(withOptions, shared, hooks);
  // The off switch without groups: the app's own fields. Only loads of an earlier strategy are changed.
  if (isOff && !hasGroups)
    return {
      model: withSteps(model),
      tools: withoutDeferLoading(allowed),
      ...(setting ? { toolApproval: setting } : {}),
    };
  const executor = shared.executor;
  const { requests } = shared;
  const before = requests.count;
  const warnings = new FieldWarnings({
    warn: shared.warn,
    isModelUsed: () => requests.count > before,
    isApprovalUsed: () => set.use() !== 'unknown',
    needsApproval: hooks.canDecide || setting !== undefined,
  });
  // The SDK runs only tools that it offered in this step, so the turn of a real tool offers all.
  const isBridge = (name: string) => set.isBridge(name);
  const turns = new Turns(
    (messages) => shared.session(model).turn(messages, { offer: 'all' }),
    isBridge,
  );
  const bridgeTurns = new Turns((messages) => shared.session(model).turn(messages), isBridge);
  const policy: Policy = new Policy({
    hooks,
    subjectOf: (call) => runner.subjectOf(call),
    bindingOf: (subject, call) => runner.bindingOf(subject, call),
    isBound: (subject, binding, call) => runner.isBound(subject, binding, call),
    isOff,
    isCurrent: (subject) => runner.isCurrent(subject),
    onCall: (event) => options.onCall?.(event),
  });
  const runner = new ToolRunner(
    {
      session,
      hooks,
      observers,
      toolApproval: setting,
      own: allowed,
      executor,
      onExecute,
      runWith,
      callHost,
      turnOf: (messages) => turns.of(messages),
      bridgeTurnOf: (messages) => bridgeTurns.of(messages),
      extend: () => set.extend(),
      onCall: (event) => options.onCall?.(event),
      warn: shared.warn,
      warnings,
    },
    policy,
  );
  const marks = new Marks();
  const invalid = new InvalidInputs();
  const loaded = (name: string) => runner.loadedTool(name);
  const adopt: ToolSetInputs['adopt'] = (tool) => set.adopt(tool);
  // In `eager` all groups load anyway, and the messages do not contain the output of `toModelOutput`.
  const load: ToolSetInputs['load'] = isEager(withOptions, shared)
    ? async (name) => {
        const entry = session.find(name);
        if (entry) await session.turn([]).load([entry]);
      }
    : undefined;
  const hasMcpResults = (name: string) => session.resultFormatOf(name) === 'mcp';
  const parts: ToolSetInputs = { runner, marks, invalid, loaded, load, adopt, hasMcpResults };
  // With the off switch, the SDK's errors list the names of this set: leave the bridge tools out.
  const bridges = isOff
    ? {}
    : Object.fromEntries(
        bridgeNames.map((name) => [
          name,
          name === executor ? placeholderFor(parts, name) : bridgeFor(parts, name),
        ]),
      );
  const set: LiveSet = createLiveSet({
    own: isOff
      ? withoutDeferLoading(allowed)
      : ownSet(allowed, parts, hooks.canDecide || setting !== undefined),
    ownNames: shared.ownTools.map(({ name }) => name),
    deferredNames: () => session.groupToolNames(),
    bridges,
    executor,
    placeholder: (name) => placeholderFor(parts, name),
    // With the off switch, the SDK answers calls of unknown names itself.
    unlisted: (name) =>
      isOff && !session.turn([]).mayAppear(name) ? undefined : unlistedFor(parts, name),
    owns: (tool) => marks.has(tool),
  });
  shared.addSet(set);
  // Results of all tools except the app's own and the bridges are third-party text.
  const ours = new Set([...Object.keys(own), ...bridgeNames]);
  const middleware = createMiddleware({
    onUse: () => {
      requests.count++;
    },
    session: shared.session,
    onRefusal: shared.onRefusal,
    onFallback: withOptions.onFallback,
    ownNames: Object.keys(allowed),
    ownTool: async (name) => {
      const tool = own[name];
      return tool && toWireTool(name, tool);
    },
    hasOwnOutput: (name) => loaded(name)?.toModelOutput !== undefined,
    set,
    executor,
    isOff,
    answersLoads: (withOptions.loads ?? options.loads) !== 'steps',
    isSettled: (name) => typeof setting === 'object' && Object.hasOwn(setting, name),
    hooks,
    policy,
    runner,
    invalid,
    base: session,
    viewOf: (name) => (ours.has(name) ? undefined : resultView),
    preload,
    notice,
    onRequest: callBoth(shared.onRequest, withOptions.onRequest),
    countTokens: options.countTokens ?? estimateTokens,
  });
  return {
    model: wrapLanguageModel({ model, middleware }),
    tools: set.tools,
    toolApproval: createToolApproval({ policy, runner, set, setting, isOff }),
  };
}

/** The model, which gets loads that were answered inside a model call as ordinary calls. */
function withSteps(model: ModelObject): LanguageModel {
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      transformParams: async ({ params }) => withSplitRounds(params, () => false),
    },
  });
}

function isEager({ strategy }: WithOptions, { options }: Shared): boolean {
  const chosen = strategy ?? options.strategy;
  return chosen === false || chosen === 'eager';
}

function isOffSwitch(withOptions: WithOptions, shared: Shared, hooks: Hooks): boolean {
  const { notice, observers, onRequest, runWith } = withOptions;
  const { maxLength, isFramed } = shared.resultView;
  return (
    isEager(withOptions, shared) &&
    hooks.isEmpty &&
    !(notice || observers || onRequest || runWith) &&
    !(isFramed || maxLength < Infinity)
  );
}

/** The app's tools that the view allows. A tool outside the view must not be in the SDK's set: a stored approval would run it. */
function allowedTools(own: ToolSet, session: Session): ToolSet {
  const entries = Object.entries(own);
  const allowed = entries.filter(([name, tool]) =>
    tool.type === 'provider' ? session.allows(name) : session.find(name) !== undefined,
  );
  return allowed.length === entries.length ? own : Object.fromEntries(allowed);
}

/** The tools, some of them with another `execute`. */
function withExecute(tools: ToolSet, execute: WithOptions['execute'] = {}): ToolSet {
  const others = Object.entries(execute).filter(([name]) => Object.hasOwn(tools, name));
  if (others.length === 0) return tools;
  const replaced = others.map(([name, other]) => [name, { ...tools[name], execute: other }]);
  return { ...tools, ...Object.fromEntries(replaced) };
}

function callBoth<T>(
  one: ((event: T) => void) | undefined,
  other: ((event: T) => void) | undefined,
): ((event: T) => void) | undefined {
  if (!one || !other) return one ?? other;
  return (event) => {
    one(event);
    other(event);
  };
}
