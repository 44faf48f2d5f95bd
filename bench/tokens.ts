/**
 * Measures the error of the built-in token estimate against exact o200k_base counts on real tool
 * lists, and how much faster the estimate is. Run: `npx node bench/tokens.ts`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { estimateTokens } from '../packages/core/src/tool/tokens.ts';

/**
 * The lists on which the constants of the estimate were chosen. All other lists were only measured.
 */
const calibrated = new Set(
  (
    'azure-all eslint filesystem firebase github gitlab-all gitlab gmail mongodb ms-365 mysql ' +
    'obsidian playwright postgres'
  ).split(' '),
);
const catalogs = new URL('../../shared/catalogs/', import.meta.url);

interface ToolList {
  readonly server: string;
  readonly definitions: readonly object[];
  readonly names: readonly string[];
}

function readList(file: string): ToolList {
  const { tools } = JSON.parse(readFileSync(new URL(file, catalogs), 'utf8'));
  return {
    server: file.replace(/\.json$/, ''),
    definitions: tools.map((tool: { name: string; description?: string; inputSchema: object }) => ({
      name: tool.name,
      description: tool.description,
      parameters: tool.inputSchema,
    })),
    names: tools.map((tool: { name: string }) => tool.name),
  };
}

function relativeError(text: string): number {
  return estimateTokens(text) / countTokens(text) - 1;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function nanosecondsPerCharacter(count: (text: string) => number, text: string): number {
  count(text);
  const start = performance.now();
  count(text);
  return ((performance.now() - start) * 1e6) / text.length;
}

function report(lists: readonly ToolList[]): void {
  console.log('| list | tools | exact | estimate | error | names only: exact | error |');
  console.log('|---|--:|--:|--:|--:|--:|--:|');
  for (const { server, definitions, names } of lists) {
    const text = JSON.stringify(definitions);
    const catalog = names.join(', ');
    console.log(
      `| ${server} | ${names.length} | ${countTokens(text)} | ${estimateTokens(text)} ` +
        `| ${percent(relativeError(text))} | ${countTokens(catalog)} | ${percent(relativeError(catalog))} |`,
    );
  }
  const allNames = lists.flatMap(({ names }) => names).join(', ');
  const errors = lists
    .flatMap(({ definitions }) => definitions)
    .map((definition) => Math.abs(relativeError(JSON.stringify(definition))))
    .sort((a, b) => a - b);
  console.log(
    `\nPer tool (${errors.length}): median ${percent(quantile(errors, 0.5))}, ` +
      `p95 ${percent(quantile(errors, 0.95))}, largest ${percent(quantile(errors, 1))}. ` +
      `All names as one text: ${percent(relativeError(allNames))}.\n`,
  );
}

if (!existsSync(catalogs)) {
  console.log('Skipped: no ../shared/catalogs beside this checkout, so no real tool lists.');
} else {
  const lists = readdirSync(catalogs)
    .filter((file) => file.endsWith('.json'))
    .map(readList);
  console.log('Held out: the estimate was not fitted to these.\n');
  report(lists.filter(({ server }) => !calibrated.has(server)));
  console.log('Fitted to these.\n');
  report(lists.filter(({ server }) => calibrated.has(server)));

  const text = JSON.stringify(lists.map(({ definitions }) => definitions));
  const ours = nanosecondsPerCharacter(estimateTokens, text);
  const exact = nanosecondsPerCharacter(countTokens, text);
  console.log(
    `Time over ${text.length} characters: estimate ${ours.toFixed(1)} ns a character, ` +
      `exact counter ${exact.toFixed(1)}, ${(exact / ours).toFixed(1)} times as long.`,
  );
}
