/**
 * Draws docs/prompt.svg: a first request with every schema next to one with names, to scale. The tools
 * are those of the demo's published servers. Tokens are counted here with o200k_base over the request
 * that the layer sends. Run: `npm run picture`.
 */
import { writeFileSync } from 'node:fs';
import { createToolLayer } from '@toolfold/core';
import { measure } from '@toolfold/core/estimate';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { groupsOf, listServers } from '../bench/demo-servers.ts';
import { cents, firstTask, runBench } from './figures.ts';
import { escaped, rect, shortened, text } from './svg.ts';

/** The load that the picture shows: three tools of one server. */
const LOAD = { group_id: 'mcp:git', tool_names: ['git_status', 'git_diff', 'git_log'] };

/** Pixels of height for a token. */
const SCALE = 0.0315;
const WIDTH = 980;
const TOP = 104;
const BAR = { left: 40, after: 336, width: 256 };
const PANEL = { left: 632, width: 308 };
/** Pixels between two blocks of a bar. */
const GAP = 1.5;

interface Part {
  readonly name: string;
  readonly tokens: number;
}

interface Measured {
  readonly tools: number;
  /** The servers, the largest first. */
  readonly before: readonly Part[];
  readonly after: readonly Part[];
  /** The lines of the catalog that the picture shows. */
  readonly excerpt: readonly string[];
  /** What a task of ten turns costs, before and after. */
  readonly costs: readonly string[];
}

/** The picture as the text of an SVG file. */
export async function picture(): Promise<string> {
  return draw(await measurePrompt());
}

async function measurePrompt(): Promise<Measured> {
  const groups = groupsOf(await listServers(AbortSignal.timeout(60_000)));
  const layer = createToolLayer({ groups, strategy: 'dispatch', countTokens });
  const { groups: sizes, strategies } = await measure(layer);
  const session = layer.session();
  const { system } = session.present([{ role: 'user' }]);
  const load = await session.route({ id: '1', name: 'load_tools', input: LOAD });
  if (load.kind !== 'answer' || load.isError) throw new Error('The load failed.');
  const { dispatch } = strategies;
  const lines = system.split('\n');
  const shown = lines.findIndex((line) => line.startsWith(`- ${LOAD.group_id} `));
  return {
    tools: sizes.reduce((sum, { tools }) => sum + tools, 0),
    before: sizes
      .map(({ groupId, tools, tokens }) => ({
        name: `${groupId.replace('mcp:', '')}: ${tools} tool${tools === 1 ? '' : 's'}`,
        tokens,
      }))
      .sort((a, b) => b.tokens - a.tokens),
    after: [
      { name: 'two tools: load, call', tokens: dispatch.bridges },
      { name: `${dispatch.namesVisible} names, a few words each`, tokens: dispatch.catalog },
      {
        name: `${LOAD.tool_names.length} schemas of git, loaded`,
        tokens: countTokens(JSON.stringify(load.result)),
      },
    ],
    excerpt: lines.slice(shown, shown + 9),
    costs: firstTask(runBench('tasks')).map(({ cost }) => cents(Number(cost.replaceAll(',', '')))),
  };
}

function draw({ tools, before, after, excerpt, costs: [eager, folded] }: Measured): string {
  const sum = (parts: readonly Part[]) => parts.reduce((total, { tokens }) => total + tokens, 0);
  const all = sum(before);
  const first = sum(after.slice(0, 2));
  const height = Math.round(TOP + all * SCALE + 52);
  const servers = before.length;
  const label = `A first request with ${tools} tools of ${servers} published MCP servers: ${figure(all)} tokens with every schema, ${figure(first)} tokens with names.`;

  let y = TOP;
  const left = before.map(({ name, tokens }) => {
    const block = tokens * SCALE;
    const middle = y + (block - GAP) / 2 + 4.5;
    const shape = rect(BAR.left, y, BAR.width, block - GAP, 'schema');
    const words =
      text(BAR.left + 12, middle, name, 'on') +
      text(BAR.left + BAR.width - 12, middle, figure(tokens), 'on end');
    y += block;
    return shape + words;
  });

  y = TOP;
  const classes = ['bridge', 'catalog', 'load'];
  const bars = after.map(({ tokens }, index) => {
    const block = tokens * SCALE;
    const shape = rect(BAR.after, y, BAR.width, block - GAP, classes[index] ?? '');
    y += block;
    return shape;
  });
  const keyTop = y + 32;
  const keys = after.map(({ tokens, name }, index) => {
    const line = keyTop + 26 * index;
    return (
      rect(BAR.after, line - 11, 12, 12, classes[index] ?? '') +
      text(BAR.after + 22, line, name) +
      text(BAR.after + BAR.width, line, `${index === 2 ? '+ ' : ''}${figure(tokens)}`, 'end')
    );
  });

  const lines = excerpt.map((line, index) =>
    text(PANEL.left + 14, TOP + 52 + 21 * index, shortened(line, 39), 'code'),
  );
  const panel = 48 + 21 * excerpt.length;
  const note = [
    'A load adds schemas at the end of the',
    'conversation. What was sent before stays',
    'the same, so the cache serves it.',
  ].map((line, index) => text(PANEL.left, TOP + panel + 30 + 20 * index, line, 'small'));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(label)}">
<style>
  text { font: 13px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1f2328; }
  .title { font-size: 17px; font-weight: 600; }
  .small { fill: #59636e; }
  .end { text-anchor: end; }
  .on { fill: #ffffff; }
  .code { font: 11.5px ui-monospace, "DejaVu Sans Mono", monospace; white-space: pre; }
  .page { fill: #ffffff; }
  .panel { fill: #f6f8fa; stroke: #d1d9e0; }
  .schema { fill: #b3434b; }
  .bridge { fill: #6e7781; }
  .catalog { fill: #1a7f5a; }
  .load { fill: #3f6fb5; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .small { fill: #9198a1; }
    .on { fill: #ffffff; }
    .page { fill: #0d1117; }
    .panel { fill: #161b22; stroke: #3d444d; }
    .bridge { fill: #8b949e; }
    .catalog { fill: #2ea077; }
    .load { fill: #5a8fdc; }
  }
</style>
${rect(0, 0, WIDTH, height, 'page')}
${text(BAR.left, 42, 'Every schema', 'title')}
${text(BAR.left, 65, `${figure(all)} tokens in each request`)}
${text(BAR.left, 86, `ten turns cost ${eager}`)}
${left.join('\n')}
${text(BAR.after, 42, 'Names, with Toolfold', 'title')}
${text(BAR.after, 65, `${figure(first)} tokens (${((100 * first) / all).toFixed(0)} %)`)}
${text(BAR.after, 86, `ten turns cost ${folded}`)}
${bars.join('\n')}
${keys.join('\n')}
${rect(PANEL.left, TOP, PANEL.width, panel, 'panel')}
${text(PANEL.left + 14, TOP + 25, 'A part of the list, as the model reads it', 'small')}
${lines.join('\n')}
${note.join('\n')}
${text(BAR.left, height - 20, `${tools} tools of ${servers} published MCP servers. Tokens of the first request (o200k_base). Cost at $5 for a million input tokens. npm run picture`, 'small')}
</svg>
`;
}

function figure(value: number): string {
  return value.toLocaleString('en-US');
}

if (import.meta.main) {
  const file = new URL('../docs/prompt.svg', import.meta.url);
  writeFileSync(file, await picture());
  console.log('docs/prompt.svg is written.');
}
