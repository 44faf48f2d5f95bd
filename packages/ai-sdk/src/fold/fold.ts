import { type Hide, hidden } from '@toolfold/core/internal/host';
import { resultFilesOf } from '@toolfold/core/internal/models';
import { contextOf } from '@toolfold/core/internal/request';
import type { ToolSearch } from '@toolfold/core/internal/search';
import { createToolLayer, type ExplainedTool, type Session } from '@toolfold/core/internal/session';
import {
  type BridgeNames,
  Bridges,
  bridgeKinds,
  checkGroups,
  type DeferredToolGroup,
  reservedNames,
} from '@toolfold/core/internal/tool';
import {
  fixedOptions,
  frozenCopy,
  getOrMake,
  isRecord,
  oncePerKey,
  onDemand,
  Recent,
} from '@toolfold/core/internal/values';
import type { ToolSet } from 'ai';
import { PromptCacheControl } from '../caching/index.ts';
import { type ResultRules, RULES_WITHOUT_ROW, transcriptOf } from '../messages/index.ts';
import { WRITERS } from '../protocol/index.ts';
import { LastRequest } from '../request/index.ts';
import { type ModelObject, resolveModel } from '../response/index.ts';
import {
  checkedCounter,
  fixedTools,
  fromLoadedToolSet,
  fromToolSet,
  GROUP_KEYS,
  harmless,
  hiddenTools,
  LiveSets,
  misspelt,
  NativeWarnings,
  OF_PROVIDER,
  refuse,
  SdkSchemas,
  usableTools,
  warningsTo,
  warnOfToolSearch,
} from '../tool-set/index.ts';
import { checkApprovalNames, checkFoldOptions, checkWithOptions } from './check-options.ts';
import { createFields } from './fields.ts';
import type {
  DeferredName,
  Fold,
  FoldFields,
  FoldOptions,
  LiveGroups,
  SdkToolGroup,
} from './options.ts';
import { Endpoints, idOf, Sessions } from './sessions.ts';

/** Creates a fold of an app's tools for the AI SDK. Throws the same errors as `createToolLayer`. */
export function createFold<TOOLS extends ToolSet = Record<never, never>>(
  given: FoldOptions<TOOLS> = {},
): Fold<TOOLS> {
  checkFoldOptions(given);
  const options = fixedOptions(given, ['tools', 'groups', 'search', 'loaderCache']);
  const source = options.groups ?? [];
  const groups = groupsNow(source);
  const { tools, groups: _, onRequest: _r, ...others } = options;
  const {
    capabilities = [],
    prices: _p,
    frameResults,
    maxResultLength,
    hide,
    loads: _l,
    resultFiles,
    cache: _c,
    ...rest
  } = others;
  const resultView = { maxLength: maxResultLength ?? Infinity, isFramed: frameResults ?? false };
  const own = fixedTools(tools ?? {});
  const warn = warningsTo(options.onWarning);
  const reportFailure = oncePerKey(warn);
  const onCall = harmless('onCall', options.onCall, reportFailure);
  const countTokens = checkedCounter(options.countTokens);
  warnOfToolSearch(own, warn);
  const native = new NativeWarnings(warn);
  const schemas = new SdkSchemas();
  const ownTools = fromToolSet(own, schemas);
  const layer = createToolLayer({
    ...rest,
    search: options.search ?? builtInSearch,
    onWarning: warn,
    onCall,
    onToolsExpanded: harmless('onToolsExpanded', options.onToolsExpanded, reportFailure),
    countTokens,
    tools: ownTools,
    groups: toCoreGroups(groups, hide, warn),
  });
  const { ignored, toolbox } = contextOf(layer);
  ignored.setHostNames(Object.keys(own));
  const ownBridges = reservedNames(options.names ?? {});
  const endpoints = new Endpoints(capabilities);
  let hasGroups = groups.length > 0;
  const sets = new LiveSets();
  const requests = { count: 0 };
  const last = new LastRequest();
  const rules = new Recent<ResultRules>(100);
  const rulesOf = (model: ModelId, images?: boolean): ResultRules =>
    getOrMake(rules, `${images} ${idOf(model)}`, () => {
      const row = resultFilesOf(model, resultFiles, images);
      return row ? { ofOwn: row, ofOthers: row } : RULES_WITHOUT_ROW;
    });
  const cache = new PromptCacheControl(own, warn);

  const sessions = new Sessions(layer, endpoints, options);
  const bridges = new Recent<BridgeTools>(100);
  const bridgesOf = (model: ModelId): BridgeTools =>
    getOrMake(bridges, idOf(model), () => bridgeTools(options.names ?? {}, idOf(model)));

  const fold: Fold<TOOLS> = {
    layer,
    roles: frozenCopy(options.roles ?? {}),
    maxResultLength: resultView.maxLength,
    cache: options.cache ?? 'auto',
    resultFiles: resultFiles ?? [],
    hide,
    update(next) {
      layer.update(toCoreGroups(next, hide, warn));
      hasGroups = next.length > 0;
      sets.extend();
    },
    state: async (model, messages = [], given = {}) => {
      const used = resolveModel(model);
      const session = sessions.of(given)(used);
      const { names } = bridgesOf(used);
      const transcript = transcriptOf(messages, (name) => names.includes(name));
      await session.prepare(transcript);
      session.present(transcript);
      return session.state();
    },
    // The set has these tools too; their names do not show it.
    bridgeNames: (model) => [...bridgesOf(resolveModel(model)).names] as DeferredName[],
    explain: (model, given = {}) => {
      const used = resolveModel(model);
      const session = sessions.of(given)(used);
      const explained = session.explain();
      const away = new Set(
        explained.tools.filter(({ status }) => status !== 'declared').map(({ name }) => name),
      );
      return Object.assign(explained, {
        tools: [...explained.tools, ...providerTools(own, session)],
        cache: cache.expect(
          used,
          (given.strategy ?? options.strategy) === false ? false : (given.cache ?? options.cache),
          (name) => !away.has(name),
        ),
      });
    },
    with(used, given = {}) {
      const model = resolveModel(used);
      checkWithOptions(given);
      const withOptions = fixedOptions(given, ['state', 'history', 'hooks', 'observers']);
      const wanted = withOptions.strategy ?? options.strategy;
      if (wanted === 'native' && !endpoints.isKnown(model)) native.warnOfUnknownModel(model);
      // Without deferral a view may make no request of its own.
      if (wanted === false || wanted === 'eager') ignored.checkStrategy('eager');
      const { names, executor, dispatchers } = bridgesOf(model);
      const pending = checkApprovalNames(withOptions.toolApproval, {
        known: () => [...Object.keys(own), ...toolbox.registry.names(), ...ownBridges, ...names],
        dispatchers: dispatchers.filter((name) => !Object.hasOwn(own, name)),
        // A group may bring any tool with its prefix, and a changing source of groups without prefix any name.
        mayCome: (name) =>
          name.includes('__') ||
          (isLive(source) && source.groups.some(({ prefix }) => prefix === false)),
      });
      ignored.addNames('`toolApproval`', pending);
      const fields = createFields(model, withOptions, {
        options,
        warn,
        requests,
        own,
        ownTools,
        schemas,
        resultView,
        rulesOf,
        reportFailure,
        onCall,
        countTokens,
        last,
        cache,
        hasGroups,
        bridgeNames: names,
        executor,
        session: sessions.of(withOptions),
        onRefusal: (used, form, why, forAll) => {
          if (forAll && !endpoints.refuse(used, form, why)) return;
          native.warnOfRefusal(used, form, why, forAll);
        },
        addSet: (set) => sets.add(set),
      });
      return fields as FoldFields<TOOLS>;
    },
  };
  followGroups(source, fold);
  return fold;
}

const vectors = onDemand(() => import('@toolfold/core/internal/vectors.ts'));

/** The search by words and word vectors. The table is read when somebody searches. */
async function builtInSearch(): Promise<ToolSearch> {
  const { searchWithVectors } = await vectors();
  return searchWithVectors();
}

/** The provider's own tools, which the layer does not have. */
function providerTools(tools: ToolSet, session: Session): ExplainedTool[] {
  return Object.entries(tools).flatMap(([name, { type }]) => {
    if (type !== 'provider') return [];
    return session.allows(name)
      ? { name, status: 'declared', why: OF_PROVIDER }
      : { name, status: 'hidden', why: 'not in the role' };
  });
}

function toCoreGroups(
  groups: readonly SdkToolGroup[],
  hide: Hide | undefined,
  warn: (text: string) => void,
): DeferredToolGroup[] {
  checkGroups(groups);
  return groups.map((group) => {
    refuse(`groups.${group.groupId}`, misspelt(group, Object.keys(GROUP_KEYS)));
    return toCoreGroup(group, hide, warn);
  });
}

function toCoreGroup(
  group: SdkToolGroup,
  hide: Hide | undefined,
  warn: (text: string) => void,
): DeferredToolGroup {
  const { loader, groupId } = group;
  return {
    ...group,
    loader: async (options) => {
      const given = await loader.call(group, options).catch((error) => {
        throw hide ? hidden(error, hide) : error;
      });
      const tools = usableTools(given, groupId, warn);
      const loaded = Array.isArray(tools) ? tools : await fromLoadedToolSet(tools as ToolSet);
      return hide && Array.isArray(loaded) ? hiddenTools(loaded, hide) : loaded;
    },
  };
}

/** The bridge tools of a model that a set may have. */
interface BridgeTools {
  readonly names: readonly string[];
  readonly executor: string;
  /** The names of the bridge tools that call another tool. */
  readonly dispatchers: readonly string[];
}

function bridgeTools(given: BridgeNames, modelId: string): BridgeTools {
  const bridges = new Bridges(given, modelId);
  const names = bridgeKinds.map((kind) => bridges.names[kind]);
  return {
    names: [...new Set([...names, ...NATIVE_BRIDGES])],
    executor: bridges.names.deferred_tool_call,
    dispatchers: [...bridges.kinds].flatMap(([name, kind]) =>
      kind === 'deferred_tool_call' || kind === 'tool_call' ? [name] : [],
    ),
  };
}

/** The names that a form of `native` gives to bridge tools. */
const NATIVE_BRIDGES = Object.values(WRITERS).flatMap(({ append }) =>
  Object.values(append.names ?? {}),
);

type ModelId = Pick<ModelObject, 'provider' | 'modelId'>;

/** The groups at this moment. What is no source of groups is returned unchanged, for its check. */
function groupsNow(source: readonly SdkToolGroup[] | LiveGroups): readonly SdkToolGroup[] {
  return isLive(source) ? source.groups : source;
}

/** Updates the target when the groups change. Does not keep the target in memory. */
function followGroups(
  source: readonly SdkToolGroup[] | LiveGroups,
  target: { update(groups: readonly SdkToolGroup[]): void },
): void {
  if (!isLive(source)) return;
  const weak = new WeakRef(target);
  const stop = source.onChange(() => {
    const followed = weak.deref();
    if (followed) followed.update(source.groups);
    else stop();
  });
}

function isLive(source: readonly SdkToolGroup[] | LiveGroups): source is LiveGroups {
  return isRecord(source) && typeof source.onChange === 'function' && Array.isArray(source.groups);
}
