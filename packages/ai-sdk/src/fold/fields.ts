import type { ToolRequest } from '@toolfold/core/internal/calls';
import { Hooks } from '@toolfold/core/internal/host';
import type { Session } from '@toolfold/core/internal/session';
import { estimateTokens, type Tool } from '@toolfold/core/internal/tool';
import type { TranscriptMessage } from '@toolfold/core/internal/transcript';
import { type LanguageModel, type ModelMessage, type ToolSet, wrapLanguageModel } from 'ai';
import { type CacheView, cacheMiddleware, type PromptCacheControl } from '../caching/index.ts';
import { type ThirdPartyView, transcriptOf, withSplitRounds } from '../messages/index.ts';
import type { LastRequest } from '../request/index.ts';
import type { ModelObject } from '../response/index.ts';
import {
  createToolApproval,
  FieldWarnings,
  harmless,
  type LiveSet,
  type SdkSchemas,
  SdkView,
  toolSetOf,
  toWireTool,
  withoutDeferLoading,
} from '../tool-set/index.ts';
import { createMiddleware, type MiddlewareInputs } from './middleware.ts';
import type { FoldOptions, WithOptions } from './options.ts';
import type { SessionFactory } from './sessions.ts';

/** What all views of a fold share. */
interface FoldState {
  readonly options: Omit<FoldOptions<ToolSet>, 'tools'>;
  readonly warn: (text: string) => void;
  /** The number of model calls of all views. */
  readonly requests: { count: number };
  readonly own: ToolSet;
  readonly ownTools: readonly Tool[];
  readonly schemas: SdkSchemas;
  /** How the results of groups' tools are shown. */
  readonly resultView: ThirdPartyView;
  /** Which files the results of a model's requests may hold. */
  readonly rulesOf: (
    model: Parameters<MiddlewareInputs['rulesOf']>[0],
    images: boolean | undefined,
  ) => ReturnType<MiddlewareInputs['rulesOf']>;
  /** The app's functions. None of them can end a request by failing, except the counter. */
  readonly onCall: FoldOptions<ToolSet>['onCall'];
  readonly countTokens: FoldOptions<ToolSet>['countTokens'];
  /** Warns once for each key, such as that a function of the app failed. */
  readonly reportFailure: (key: string, text: string) => void;
  readonly last: LastRequest;
  readonly cache: PromptCacheControl;
  readonly hasGroups: boolean;
  readonly bridgeNames: readonly string[];
  readonly executor: string;
  readonly session: SessionFactory;
  readonly onRefusal: MiddlewareInputs['onRefusal'];
  /** Registers a set that is extended when the groups change. */
  readonly addSet: (set: LiveSet) => void;
}

/** One view of a fold: the fields that `fold.with` returns. */
export function createFields(
  model: ModelObject,
  withOptions: WithOptions,
  shared: FoldState,
): { model: LanguageModel; tools: ToolSet; toolApproval?: unknown } {
  const { options, own, hasGroups, bridgeNames, resultView } = shared;
  const { toolApproval: setting } = withOptions;
  const hooks = new Hooks(withOptions.hooks, shared.warn);
  const session = shared.session(model);
  const allowed = withExecute(allowedTools(own, session), withOptions.execute);
  const isOff = isOffSwitch(withOptions, shared, hooks);
  const keepsIds = (withOptions.strategy ?? options.strategy) === false;
  const cache = cacheSetting(withOptions, shared);
  const isOwn = (name: string) => Object.hasOwn(own, name);
  // The off switch without groups: the app's own fields. Only loads of an earlier strategy are changed.
  if (isOff && !hasGroups && setting === undefined && acceptsAll(session)) {
    return { model: withSteps(model), tools: withoutDeferLoading(allowed) };
  }
  const { requests, executor } = shared;
  const observer = <T>(name: string, given: ((event: T) => void) | undefined) =>
    harmless(name, given, shared.reportFailure);
  const before = requests.count;
  const { observers = [], notice, onExecute, runWith, callHost, preload } = withOptions;
  const isBridge = (name: string) => view.set.isBridge(name);
  // The SDK runs only tools that it offered in this step, so the turn of a real tool offers all.
  const turns = new Turns((messages) => session.turn(messages, { offer: 'all' }), isBridge);
  const bridgeTurns = new Turns((messages) => session.turn(messages), isBridge);
  const view: SdkView = new SdkView(
    {
      turnOf: (messages) => turns.of(messages),
      bridgeTurnOf: (messages) => bridgeTurns.of(messages),
      session,
      hooks,
      own: allowed,
      schemas: shared.schemas,
      toolApproval: setting,
      observers: [observers].flat(),
      onExecute,
      runWith,
      hide: options.hide,
      callHost,
      executor,
      isOff,
      isEager: isEager(withOptions, shared),
      onCall: (event) => shared.onCall?.(event),
      warn: shared.warn,
    },
    (of) => toolSetOf(of, shared),
    ({ set, mayAsk }) =>
      new FieldWarnings({
        warn: shared.warn,
        // An agent gives its own model, and reads a recorded answer without a request.
        isModelUsed: () => runWith !== undefined || requests.count > before,
        hasOtherCallers:
          runWith !== undefined ||
          Object.values(own).some((tool) => 'experimental_toolCaller' in tool),
        isApprovalUsed: () => set.use() !== 'unknown',
        needsApproval: mayAsk,
      }),
  );
  shared.addSet(view.set);
  // Results of all tools except the app's own and the bridges are third-party text.
  const ours = new Set([...Object.keys(own), ...bridgeNames]);
  const caching: CacheView = {
    setting: cache,
    isOurs: (name) => isOwn(name) || view.set.isKnown(name),
  };
  const middleware = createMiddleware({
    view,
    onUse: () => {
      requests.count++;
    },
    session: shared.session,
    onRefusal: shared.onRefusal,
    onFallback: observer('onFallback', withOptions.onFallback),
    ownNames: Object.keys(allowed),
    ownTool: async (name) => {
      const tool = own[name];
      return tool && toWireTool(name, tool, shared.schemas);
    },
    hasOwnOutput: (name) => view.loadedTool(name)?.toModelOutput !== undefined,
    set: view.set,
    answersLoads: (withOptions.loads ?? options.loads) !== 'steps',
    isSettled: (name) => typeof setting === 'object' && Object.hasOwn(setting, name),
    rulesOf: (of) =>
      isNothingChanged(withOptions, shared) ? undefined : shared.rulesOf(of, withOptions.images),
    viewOf: (name) => (ours.has(name) ? undefined : resultView),
    preload,
    notice,
    onRequest: callBoth(
      observer('onRequest', options.onRequest),
      observer('onRequest', withOptions.onRequest),
    ),
    history: withOptions.history,
    keepsIds,
    planCache: (params, of) => shared.cache.plan(params, of, caching),
    last: shared.last,
    warn: shared.warn,
    warnOnce: shared.reportFailure,
    countTokens: shared.countTokens ?? estimateTokens,
  });
  return {
    model: wrapLanguageModel({ model: asking(model, shared, caching), middleware }),
    tools: view.set.tools,
    toolApproval: createToolApproval(view),
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

/** The strategy `false`: requests have what the SDK makes of the app's fields. */
function isNothingChanged({ strategy }: WithOptions, { options }: FoldState): boolean {
  return (strategy ?? options.strategy) === false;
}

/** The off switch adds nothing, so it asks for nothing either. */
function cacheSetting(
  { strategy, cache }: WithOptions,
  { options }: FoldState,
): CacheView['setting'] {
  return (strategy ?? options.strategy) === false ? false : (cache ?? options.cache);
}

/** The model, which is asked for its prompt cache with each request. */
function asking(model: ModelObject, { cache }: FoldState, view: CacheView): ModelObject {
  return view.setting === false || !cache.knows(model)
    ? model
    : wrapLanguageModel({ model, middleware: cacheMiddleware(cache, view) });
}

/** Whether the endpoint accepts all tools, or the off switch leaves that to it. */
function acceptsAll(session: Session): boolean {
  const { refused, problem } = session.turn([]).epoch;
  return refused.length === 0 && !problem;
}

function isEager({ strategy }: WithOptions, { options }: FoldState): boolean {
  const chosen = strategy ?? options.strategy;
  return chosen === false || chosen === 'eager';
}

function isOffSwitch(withOptions: WithOptions, shared: FoldState, hooks: Hooks): boolean {
  const { notice, observers, onRequest, runWith } = withOptions;
  const { maxLength, isFramed } = shared.resultView;
  return (
    isNothingChanged(withOptions, shared) &&
    hooks.isEmpty &&
    !(notice || observers || onRequest || runWith || shared.options.hide) &&
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

interface CachedTurn {
  readonly length: number;
  readonly last: ModelMessage | undefined;
  readonly turn: ToolRequest;
}

/** The turns in which tools run. One turn is created for each list of messages. */
class Turns {
  readonly #make: (messages: readonly TranscriptMessage[]) => ToolRequest;
  readonly #isBridge: (name: string) => boolean;
  readonly #turns = new WeakMap<object, CachedTurn>();

  constructor(
    make: (messages: readonly TranscriptMessage[]) => ToolRequest,
    isBridge: (name: string) => boolean,
  ) {
    this.#make = make;
    this.#isBridge = isBridge;
  }

  of(messages: readonly ModelMessage[]): ToolRequest {
    const kept = this.#turns.get(messages);
    const { length } = messages;
    const last = messages.at(-1);
    // An app may append messages to a list and pass it again.
    if (kept?.length === length && kept.last === last) return kept.turn;
    const turn = this.#make(transcriptOf(messages, this.#isBridge));
    this.#turns.set(messages, { length, last, turn });
    return turn;
  }
}
