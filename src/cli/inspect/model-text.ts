import {
  formatCount,
  formatNumber,
  renderTable,
  share,
  type Terminal,
} from '../../app/terminal/index.ts';
import type { ModelReport } from './model.ts';

const FIGURES = ['Requests', 'Tokens sent', 'Read', 'Written', 'Cost', 'Of eager'];

/** The estimate as text: a row for each strategy, and the prices used. Empty without a model. */
export function modelText(
  { model, workload, estimates }: Partial<ModelReport>,
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
  const table = renderTable(['Strategy', ...FIGURES.map((right) => ({ right }))], rows, style);
  const size = `a task of ${formatCount(workload.turns, 'turn')} and ${formatCount(workload.loads, 'load')}`;
  const unit =
    model.prices.source === undefined ? 'tokens processed' : 'input tokens at base price';
  return [
    `Estimate for ${style('bold', model.name)}, ${size}, in tokens; the cost is in ${unit}:`,
    table.trimEnd(),
    prices(model),
    forms(model),
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

function forms({ name, nativeForms }: ModelReport['model']): string {
  return nativeForms.length === 0
    ? `${name} is not known to accept new tools during a conversation: native is not available, and auto does not choose it.`
    : `It accepts new tools during a conversation, in these forms, best first: ${nativeForms.join(', ')}.`;
}
