import { WRITERS } from '@toolfold/ai-sdk/internal/protocol';
import { type Estimate, estimate, type Measurement } from '@toolfold/core/internal/estimate.ts';
import {
  acceptedToolsOf,
  type ModelIdentity,
  type NativeForm,
  nativeRowOf,
  pricesOf,
} from '@toolfold/core/internal/models';
import {
  type CachePrices,
  type CostEstimate,
  DEFAULT_WORKLOAD,
  TOKENS_PROCESSED,
  type Workload,
} from '@toolfold/core/internal/request';
import type { ToolLayer } from '@toolfold/core/internal/session';
import {
  type DeferredToolGroup,
  type StrategyName,
  strategies,
} from '@toolfold/core/internal/tool';
import { formatCount, formatNumber, pick } from '@toolfold/core/internal/values';
import type { ToolfoldConfig } from '@toolfold/mcp/internal/config';
import type { ServerStatus } from '@toolfold/mcp/internal/server';
import { renderTable, share, shortLine, type Terminal } from '../terminal/index.ts';

/** A server's row with the tokens of its tools' schemas. */
interface ServerReport extends Omit<ServerStatus, 'state'> {
  readonly state: 'ready' | 'failed';
  readonly tokens: number;
}

/** The output of `toolfold inspect --json`, with the estimate if `--model` is given. */
export interface InspectReport extends Partial<ModelReport> {
  /** The file or folder that lists the servers. */
  readonly source: string;
  readonly counter: string;
  readonly contextWindow?: number;
  readonly servers: readonly ServerReport[];
  readonly totals: Measurement['totals'];
  /** Empty if there is nothing to compare. */
  readonly strategies: Partial<Measurement['strategies']>;
  /** Absent if there is nothing to compare. */
  readonly auto?: Measurement['auto'];
  /** Why there is nothing to compare. Absent if there is a comparison. */
  readonly problem?: string;
}

/** What is inspected. */
export interface Inspected {
  readonly source: string;
  readonly servers: readonly ServerStatus[];
  /** One per server, in the same order. */
  readonly groups: readonly DeferredToolGroup[];
  readonly config?: ToolfoldConfig;
}

/** Combines the states of the servers with the measurement of their tools. */
export function inspectReport(
  { source, servers, groups }: Inspected,
  measured: Measurement,
  counted: Pick<InspectReport, 'counter' | 'contextWindow'>,
): InspectReport {
  const isReady = servers.some(({ state }) => state === 'ready');
  const what = isReady ? 'No ready server has a tool that models may use' : 'No server is ready';
  const problem =
    measured.totals.tools === 0 ? `${what}, so there is nothing to compare.` : undefined;
  const tokens = new Map(measured.groups.map((group) => [group.groupId, group.tokens]));
  return {
    ...{ source, ...counted },
    servers: servers.map((server, index) => ({
      ...server,
      state: server.state === 'ready' ? 'ready' : 'failed',
      tokens: tokens.get(groups[index]?.groupId ?? '') ?? 0,
    })),
    totals: measured.totals,
    ...(problem === undefined
      ? { strategies: measured.strategies, auto: measured.auto }
      : { strategies: {}, problem }),
  };
}

/** The flags of the model, whose name is as the user typed it, and of the task to estimate. */
export interface ModelFlags {
  readonly model?: string;
  readonly turns?: number;
  readonly loads?: number;
  readonly toolsPerLoad?: number;
  readonly context?: number;
}

/** The estimated cost of a task on a model under each strategy, with its inputs. */
interface ModelReport {
  readonly model: {
    readonly name: string;
    /** With source and date if the prices are known. Else they count the tokens processed. */
    readonly prices: CachePrices & { readonly source?: string; readonly date?: string };
    /** How the model accepts new tools during a conversation, best first. */
    readonly nativeForms: readonly NativeForm[];
    /** The day on which a live run has proven the first form. Without one, `auto` does not choose `native`. */
    readonly proven?: string;
  };
  readonly workload: Pick<Workload, 'turns' | 'loads' | 'toolsPerLoad'>;
  /** Tools that the model's endpoint would refuse among declared ones, with the rule. */
  readonly refused: Estimate['refused'];
  readonly estimates: Readonly<Record<string, CostEstimate & { readonly available: boolean }>>;
}

/** Loads all tools and estimates. Throws `invalid-option` for a task of impossible size. */
export async function estimateModel(
  layer: ToolLayer,
  identity: ModelIdentity,
  flags: ModelFlags,
  signal: AbortSignal,
): Promise<ModelReport & Pick<Estimate, 'auto'>> {
  const { model: name = '', context: contextWindow } = flags;
  const { turns = DEFAULT_WORKLOAD.turns, loads = DEFAULT_WORKLOAD.loads, toolsPerLoad } = flags;
  const workload = { turns, loads, toolsPerLoad };
  const row = pricesOf(identity);
  const { forms: nativeForms, proven } = nativeRowOf(identity) ?? { forms: [] };
  const [form] = nativeForms;
  const accepts = acceptedToolsOf(identity);
  const {
    strategies: costs,
    auto,
    refused,
  } = await estimate(layer, workload, {
    ...{ contextWindow, signal, prices: row ?? 'unknown' },
    modelId: `${identity.provider}/${identity.modelId}`,
    ...(accepts && { accepts }),
    append: form && { ...WRITERS[form].append, proven },
  });
  const estimates = Object.entries(costs).map(([strategy, cost]) => {
    const { delivers } = strategies[strategy as StrategyName];
    return [strategy, { ...cost, available: form !== undefined || delivers !== 'append' }];
  });
  const known = pick(row ?? TOKENS_PROCESSED, 'write', 'read', 'minPrefix');
  const prices = { ...known, ...(row && pick(row, 'source', 'date')) };
  return {
    model: { name, prices, nativeForms, ...(proven !== undefined && { proven }) },
    ...{ workload, estimates: Object.fromEntries(estimates), auto, refused },
  };
}

/** The columns of a strategy in the first request. */
const FIGURES = [
  ...['First request', 'Inline schemas', 'Bridges', 'Catalog'],
  ...['Names visible', 'Of eager'],
].map((right) => ({ right }));

/** The columns of a strategy in the estimate for a model. */
const MODEL_FIGURES = ['Requests', 'Tokens sent', 'Read', 'Written', 'Cost', 'Of eager'].map(
  (right) => ({ right }),
);

/** The report as text. */
export function inspectText(report: InspectReport, style: Terminal['style']): string {
  return [
    serversTable(report, style),
    remarks(report, style),
    ...(report.problem === undefined
      ? [strategiesTable(report, style), modelText(report, style), summary(report, style)]
      : [`${style('bold', report.problem)}\n`]),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function serversTable({ servers, totals }: InspectReport, style: Terminal['style']): string {
  const rows = servers.map(({ name, state, tools, tokens, ms }) => [
    shortLine(name),
    state,
    formatNumber(tools),
    formatNumber(tokens),
    `${formatNumber(ms)} ms`,
  ]);
  const total = ['total', '', formatNumber(totals.tools), formatNumber(totals.schemaTokens), ''];
  const figures = ['Tools', 'Schema tokens', 'Time'].map((right) => ({ right }));
  return renderTable(['Server', 'State', ...figures], [...rows, total], style);
}

function remarks({ servers, totals }: InspectReport, style: Terminal['style']): string {
  const lines = servers.flatMap(({ name, reason, remedy, warnings = [] }) => [
    ...(reason === undefined
      ? []
      : [`${style('red', `${shortLine(name)} failed`)}: ${shortLine(reason)}. ${remedy ?? ''}`]),
    ...warnings.map((text) => `${style('yellow', shortLine(name))}: ${shortLine(text)}.`),
  ]);
  const hidden = servers.reduce((sum, { tools }) => sum + tools, 0) - totals.tools;
  if (hidden > 0) lines.push(`${formatNumber(hidden)} of the listed tools are hidden from models.`);
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

function strategiesTable({ strategies }: InspectReport, style: Terminal['style']): string {
  const eager = strategies.eager?.total ?? 0;
  const rows = Object.entries(strategies).map(([name, cost]) => [
    name,
    ...[cost.total, cost.inline, cost.bridges, cost.catalog].map(formatNumber),
    cost.namesTotal === 0
      ? ''
      : `${formatNumber(cost.namesVisible)} of ${formatNumber(cost.namesTotal)}`,
    eager === 0 ? '' : share(cost.total / eager),
  ]);
  return renderTable(['Strategy', ...FIGURES], rows, style);
}

function summary(
  { auto, counter, contextWindow, servers }: InspectReport,
  style: Terminal['style'],
): string {
  const window =
    contextWindow === undefined
      ? 'an unknown context window'
      : `a window of ${formatNumber(contextWindow)}`;
  const failed = servers.filter(({ state }) => state === 'failed').length;
  return [
    ...(auto ? [`auto would choose ${style('bold', auto.strategy)}: ${auto.reason}.`] : []),
    ...(failed > 0
      ? [`${formatCount(failed, 'server')} failed; their tools are not counted.`]
      : []),
    `Figures are tokens of the first request, counted with ${counter === 'estimate' ? 'the built-in estimate (--exact counts o200k_base)' : counter}, for ${window}.`,
    '',
  ].join('\n');
}

/** The estimate as text: a row for each strategy, and the prices used. Empty without a model. */
function modelText(
  { model, workload, estimates, refused = [] }: Partial<ModelReport>,
  style: Terminal['style'],
): string {
  if (!model || !workload || !estimates) return '';
  const eager = estimates.eager?.cost ?? 0;
  const rows = Object.entries(estimates).map(([name, cost]) =>
    cost.available
      ? [
          name,
          ...[cost.requests, cost.sent, cost.read, cost.written, cost.cost].map(formatNumber),
          eager === 0 ? '' : share(cost.cost / eager),
        ]
      : [name, '', '', '', '', '', 'not available'],
  );
  const table = renderTable(['Strategy', ...MODEL_FIGURES], rows, style);
  const size = `a task of ${formatCount(workload.turns, 'request')} and ${formatCount(workload.loads, 'load')}`;
  const unit =
    model.prices.source === undefined ? 'tokens processed' : 'input tokens at base price';
  return [
    `Estimate for ${style('bold', model.name)}, ${size}, in tokens; the cost is in ${unit}:`,
    table.trimEnd(),
    prices(model),
    forms(model),
    ...rules(refused),
    '',
  ].join('\n');
}

function prices({ name, prices }: ModelReport['model']): string {
  const { write, read, minPrefix, source, date } = prices;
  const from =
    minPrefix === undefined ? '' : `, for prompts of ${formatNumber(minPrefix)} tokens or more`;
  const charged = `a token written to the cache costs ${write} times the base price, a token read from the cache ${read} times${from}`;
  return source === undefined
    ? `No cache prices are known for ${name}. The cost is the tokens processed: tokens read from the cache count nothing.`
    : `Prices: ${charged} (${source}, ${date}).`;
}

function forms({ name, nativeForms, proven }: ModelReport['model']): string {
  return nativeForms.length === 0
    ? `${name} is not known to accept new tools during a conversation: native is not available, and auto does not choose it.`
    : `It accepts new tools during a conversation, in these forms, best first: ${nativeForms.join(', ')}.${proven === undefined ? ' No live run has proven the first one, so auto does not choose native.' : ''}`;
}

/** Which tools the endpoint refuses, as far as a screen has room. */
function rules(refused: ModelReport['refused']): string[] {
  const lines = refused
    .slice(0, 5)
    .map(({ name, why }) => `${shortLine(name)}: ${shortLine(why)}.`);
  const more = refused.length - lines.length;
  return more > 0 ? [...lines, `${formatCount(more, 'more tool')} cannot be declared.`] : lines;
}
