import {
  formatCount,
  formatNumber,
  renderTable,
  share,
  shortLine,
  type Terminal,
} from '../../app/terminal/index.ts';
import type { ModelReport } from './model.ts';
import type { InspectReport } from './report.ts';

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
