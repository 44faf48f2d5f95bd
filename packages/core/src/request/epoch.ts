import { ToolfoldError } from '../errors.ts';
import { ALWAYS_LOAD_TOKENS, type Toolbox, type View } from '../registry/index.ts';
import {
  type AcceptedTools,
  AppendBudget,
  type AppendForm,
  type Bridges,
  type Declarable,
  declarable,
  hashText,
  OWN_GROUP,
  PLACEHOLDER,
  STRICT,
  type Strategy,
  type TokenCounter,
  type ToolDefinition,
  type ToolEntry,
} from '../tool/index.ts';
import { type ActiveNote, ALL_ACTIVE, isAll, viewOfNote } from '../transcript/index.ts';
import { byCodePoint, sharedByContent } from '../values/index.ts';
import {
  CATALOG_BUDGET,
  type Catalog,
  type CatalogForm,
  type CatalogGroup,
  catalogBudget,
  renderCatalog,
} from './catalog.ts';
import type { ToolList } from './tool-list.ts';

/** The bytes that are frozen at the first request and sent with every request. */
export interface Epoch {
  readonly strategy: Strategy;
  /** A hash over everything that is frozen. */
  readonly fingerprint: string;
  /** The catalog with its header; empty where nothing is deferred. */
  readonly system: string;
  readonly catalog: Catalog;
  readonly bridges: readonly ToolDefinition[];
  /** Tools of groups that are declared from the start, sorted by name. */
  readonly groupTools: readonly ToolDefinition[];
  /** How loaded schemas are appended, in strategies that append. */
  readonly append: AppendForm | undefined;
  /** What the endpoint accepts among declared tools. */
  readonly accepts: AcceptedTools | undefined;
  /** Tools that would be declared if the endpoint accepted them, sorted by name. */
  readonly refused: readonly RefusedTool[];
  /** Why no request can be sent: a tool that has to be declared is refused. */
  readonly problem: ToolfoldError | undefined;
  /** Definitions that this form declares and the model does not see, sorted by name. */
  readonly deferred: readonly ToolDefinition[];
  /** Names of the app's own tools that are declared, in the app's order. */
  readonly ownNames: readonly string[];
  readonly list: ToolList;
  /** The tools that the host offered at the start. The catalog shows no others. */
  readonly active: ActiveNote;
}

/** A tool that an endpoint does not accept among the declared ones. */
export interface RefusedTool {
  readonly name: string;
  /** The rule, as a clause. */
  readonly why: string;
  /** `deferred`: it is called in another way. `left out`: the strategy has no other way. */
  readonly instead: 'deferred' | 'left out';
}

/** The place of the app's own tools that nobody marked, in strategies that defer. */
export type OwnTools = 'inline' | 'deferred';

export interface EpochInputs {
  readonly toolbox: Toolbox;
  readonly view: View;
  /** The list that the view can see now. */
  readonly list: ToolList;
  readonly strategy: Strategy;
  readonly bridges: Bridges;
  /** What becomes of the app's own tools that nobody marked, if the strategy defers. */
  readonly ownTools: OwnTools;
  /** How the endpoint takes tools in mid-conversation; used by strategies that append. */
  readonly append: AppendForm | undefined;
  readonly accepts?: AcceptedTools | undefined;
  readonly catalog: CatalogForm;
  readonly contextWindow: number | undefined;
  readonly countTokens: TokenCounter;
  /** Narrows the catalog, and never what is declared to the model. Absent means all tools. */
  readonly active?: ActiveNote;
}

/** Begins an epoch. The result does not depend on the order of registration or loading. */
export function beginEpoch(inputs: EpochInputs): Epoch {
  const { toolbox, strategy, bridges, accepts, active = ALL_ACTIVE } = inputs;
  const { own, grouped, deferred, refused, problem } = partition(inputs);
  const groups = catalogGroups(inputs, deferred);
  const full = renderEpochCatalog(inputs, groups);
  // The bridge tools must reach every tool: a tool that is not active now may be active later.
  const kinds = groups.length > 0 ? strategy.bridges({ namesDropped: hasDroppedNames(full) }) : [];
  const isNarrowed = !isAll(active);
  const { allows } = viewOfNote(active);
  const catalog = isNarrowed
    ? renderEpochCatalog(inputs, catalogGroups(inputs, deferred.filter(allows), allows))
    : full;
  const definitions = bridges.definitionsOf(kinds);
  const groupTools = grouped.flatMap((entry) => declarableOf(toolbox, entry, accepts)?.tool ?? []);
  const ownTools = own.flatMap((entry) => definitionOf(toolbox, entry) ?? []);
  const append = kinds.length > 0 && strategy.delivers === 'append' ? inputs.append : undefined;
  const hidden = append ? declaredUnseen(inputs, append, deferred.filter(allows)) : [];
  const appended = append ? [append.id, hidden] : [];
  const narrowed = isNarrowed ? [active] : [];
  const fixed = [strategy.name, catalog.text, definitions, groupTools, ownTools];
  const frozen = JSON.stringify([...fixed, ...appended, ...narrowed]);
  return {
    strategy,
    fingerprint: sharedByContent('fingerprint', frozen, () => hashText(frozen, 16)),
    system: catalog.text,
    catalog,
    bridges: definitions,
    groupTools,
    append,
    accepts,
    refused,
    problem,
    deferred: hidden,
    ownNames: own.map((entry) => entry.name),
    list: inputs.list,
    active,
  };
}

/**
 * The tools that an epoch declares from the start, in wire order: the app's own, inline tools of
 * groups, bridge tools.
 */
export function fixedTools(epoch: Epoch, toolbox: Toolbox): ToolDefinition[] {
  const own = epoch.ownNames.flatMap((name) => {
    const entry = toolbox.registry.appTools.get(name);
    return entry?.appTool ? [toolbox.definitionOf(entry, entry.appTool)] : [];
  });
  return [...own, ...epoch.groupTools, ...epoch.bridges];
}

interface Partition {
  readonly own: readonly ToolEntry[];
  readonly grouped: readonly ToolEntry[];
  readonly deferred: readonly ToolEntry[];
  readonly refused: readonly RefusedTool[];
  /** How many tools are declared, bridge tools included. */
  readonly count: number;
  readonly problem: ToolfoldError | undefined;
}

type PartitionInputs = Pick<
  EpochInputs,
  'toolbox' | 'view' | 'strategy' | 'ownTools' | 'countTokens' | 'accepts'
>;

/**
 * Splits the tools of the view into declared and deferred ones, by strategy, exposure, and what the
 * endpoint accepts among declared tools.
 */
export function partition(inputs: PartitionInputs): Partition {
  const { toolbox, view, strategy, ownTools, countTokens, accepts } = inputs;
  const refused: RefusedTool[] = [];
  let problem: ToolfoldError | undefined;
  // Strategies that declare what they load reach no tool that cannot be declared.
  const instead = strategy.delivers === 'tools' ? 'left out' : 'deferred';
  const refuse = (entry: ToolEntry, why: string) => {
    refused.push({ name: entry.name, why, instead });
    if (instead === 'deferred') deferred.push(entry);
  };
  const own: ToolEntry[] = [];
  const grouped: ToolEntry[] = [];
  const deferred: ToolEntry[] = [];
  const inline: { entry: ToolEntry; definition: ToolDefinition; asked: boolean }[] = [];
  for (const entry of toolbox.registry.entries()) {
    const { exposure, by } = toolbox.listedPlacement(entry);
    if (exposure === 'hidden' || !view.allows(entry)) continue;
    const isInline = strategy.defers === 'nothing' || exposure === 'inline';
    if (entry.groupId === undefined) {
      const isUnmarked = by === 'default' && ownTools === 'deferred';
      const stays = strategy.defers === 'nothing' || (isInline && !isUnmarked);
      const why = stays || instead === 'left out' ? refusalOf(toolbox, entry, accepts) : undefined;
      if (why === undefined) (stays ? own : deferred).push(entry);
      else {
        refuse(entry, why);
        if (exposure === 'inline' && by === 'choice') problem ??= mustBeDeclared(entry.name, why);
      }
      continue;
    }
    // A tool that has not loaded when the epoch begins cannot be declared in it.
    const definition = isInline ? definitionOf(toolbox, entry) : undefined;
    const why = definition && refusalOf(toolbox, entry, accepts);
    if (!definition) deferred.push(entry);
    else if (why !== undefined) refuse(entry, why);
    else
      inline.push({ entry, definition, asked: by === 'server' && strategy.defers !== 'nothing' });
  }
  const spent = new Map<string | undefined, number>();
  for (const { entry, definition, asked } of inline.sort((a, b) =>
    byCodePoint(a.entry.name, b.entry.name),
  )) {
    const before = spent.get(entry.groupId) ?? 0;
    const tokens = asked ? countTokens(JSON.stringify(definition)) : 0;
    const fits = before + tokens <= ALWAYS_LOAD_TOKENS || !asked;
    if (fits) spent.set(entry.groupId, before + tokens);
    (fits ? grouped : deferred).push(entry);
  }
  const { most = Number.POSITIVE_INFINITY } = accepts ?? {};
  const bridges = strategy.bridges({ namesDropped: true }).length;
  if (strategy.defers !== 'nothing') {
    const surplus = grouped.splice(Math.max(0, most - own.length - bridges));
    const why = `${accepts?.by} accepts at most ${most} declared tools`;
    for (const { name } of surplus) refused.push({ name, why, instead: 'deferred' });
    deferred.push(...surplus);
  }
  const count = own.length + grouped.length + bridges;
  if (accepts && count > most) problem ??= tooMany(strategy, accepts.by, count, most);
  return {
    own,
    grouped,
    deferred: strategy.defers === 'nothing' ? [] : deferred,
    refused: refused.sort((a, b) => byCodePoint(a.name, b.name)),
    count,
    problem,
  };
}

/** An own tool is sent as the SDK wrote it; the definition of a tool of a group gets a type where it has none. */
export function declarableOf(
  toolbox: Toolbox,
  entry: ToolEntry,
  accepts: AcceptedTools | undefined,
): Declarable | undefined {
  const definition = definitionOf(toolbox, entry);
  return definition && declarable(definition, accepts, { asItIs: entry.appTool !== undefined });
}

/** Why the endpoint does not accept a tool among declared ones, as far as the tool is known. */
export function refusalOf(
  toolbox: Toolbox,
  entry: ToolEntry,
  accepts: AcceptedTools | undefined,
): string | undefined {
  return accepts && declarableOf(toolbox, entry, accepts)?.problem;
}

/** The error for an own tool that has to be declared. */
function mustBeDeclared(name: string, why: string): ToolfoldError {
  return new ToolfoldError(
    'invalid-option',
    `The tool "${name}" has to be declared, and ${why}.`,
    'Change the tool, or remove what keeps it declared (explain() says what): then it is deferred.',
  );
}

function tooMany({ name }: Strategy, by: string, count: number, most: number): ToolfoldError {
  return new ToolfoldError(
    'invalid-option',
    `The strategy "${name}" declares ${count} tools here, and ${by} accepts at most ${most}.`,
    'Leave out `strategy`, or mark fewer tools as inline, or let a role see fewer.',
  );
}

/**
 * The definitions that a form of appending needs in `tools` from the start, within the limits of
 * a conversation.
 */
function declaredUnseen(
  { toolbox, accepts = STRICT }: Pick<EpochInputs, 'toolbox' | 'accepts'>,
  form: AppendForm,
  deferred: readonly ToolEntry[],
): ToolDefinition[] {
  if (form.declares !== 'all') return form.declares === 'placeholder' ? [PLACEHOLDER] : [];
  const budget = new AppendBudget();
  return [...deferred]
    .sort((a, b) => byCodePoint(a.name, b.name))
    .flatMap((entry) => definitionOf(toolbox, entry) ?? [])
    .flatMap((tool) => declarable(tool, accepts).tool ?? [])
    .filter((tool) => budget.reserve(JSON.stringify(tool)));
}

function definitionOf(toolbox: Toolbox, entry: ToolEntry): ToolDefinition | undefined {
  const tool = toolbox.toolOf(entry);
  return tool && toolbox.definitionOf(entry, tool);
}

/**
 * Uses only what the snapshot lists: a tool that a loader reveals later must not change what is
 * rendered.
 */
function catalogGroups(
  { toolbox, list }: Pick<EpochInputs, 'toolbox' | 'list'>,
  deferred: readonly ToolEntry[],
  allows: View['allows'] = () => true,
): CatalogGroup[] {
  const isDeferred = new Set(deferred);
  const groups: CatalogGroup[] = [];
  const own = deferred.filter((entry) => entry.groupId === undefined);
  if (own.length > 0) {
    const sorted = [...own].sort((a, b) => byCodePoint(a.name, b.name));
    const about = { displayName: undefined, description: undefined, unavailable: undefined };
    groups.push({ groupId: OWN_GROUP, ...about, tools: sorted.map(catalogLine), listed: true });
  }
  for (const { group, listed: entries } of toolbox.registry.groups.values()) {
    if (!list.groups.has(group.groupId)) continue;
    const tools = entries.filter((entry) => isDeferred.has(entry));
    if (entries.length > 0 && tools.length === 0) continue;
    if (entries.length === 0 && !allows({ name: '', bare: '', groupId: group.groupId })) continue;
    const { groupId, displayName, description, unavailable } = group;
    groups.push({
      groupId,
      displayName,
      description,
      unavailable,
      tools: [...tools].sort((a, b) => byCodePoint(a.shown, b.shown)).map(catalogLine),
      listed: group.toolNames !== undefined || group.toolSummaries !== undefined,
    });
  }
  return deferred.length > 0 || groups.some((group) => !group.listed || group.unavailable)
    ? groups.sort((a, b) => byCodePoint(a.groupId, b.groupId))
    : [];
}

function catalogLine(entry: ToolEntry): { name: string; description: string | undefined } {
  return { name: entry.shown, description: entry.appTool?.description ?? entry.description };
}

function renderEpochCatalog(inputs: EpochInputs, groups: readonly CatalogGroup[]): Catalog {
  const { strategy, bridges, countTokens, contextWindow } = inputs;
  if (strategy.defers === 'nothing') return renderCatalog('', [], 0, 0, countTokens);
  const budget = catalogBudget(inputs.catalog, contextWindow);
  const hints =
    inputs.catalog.hints === false
      ? 0
      : strategy.hints === 'always'
        ? budget
        : Math.min(budget, CATALOG_BUDGET);
  const header = inputs.catalog.header?.trim() || strategy.guidance(bridges.names);
  const render = (above: string): Catalog =>
    renderCatalog(above, groups, budget, hints, countTokens, inputs.catalog.lines);
  const catalog = render(header);
  if (!hasDroppedNames(catalog)) return catalog;
  const search = `Names that do not fit here are found with ${bridges.names.tool_search}.`;
  return render(`${header} ${search}`);
}

function hasDroppedNames(catalog: Catalog): boolean {
  return catalog.namesVisible < catalog.namesTotal || catalog.groupsVisible < 1;
}
