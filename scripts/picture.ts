/**
 * Draws docs/prompt.svg: a first request with every schema next to one with names, to scale. The
 * tokens are counted here with o200k_base over the request that the layer sends. Run: `npm run
 * picture`.
 */
import { writeFileSync } from 'node:fs';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { createToolLayer } from 'toolfold';
import { measure } from 'toolfold/estimate';
import { fakeGroup } from 'toolfold/testing';

/** The servers of `npm run bench`. */
const SERVERS = ['calendar', 'crm', 'docs', 'github', 'mail', 'shop', 'tracker', 'wiki'];
const TOOLS_EACH = 15;
const LOADED = ['list_issue', 'get_issue', 'create_issue'];

/** Pixels of height for a token. */
const SCALE = 0.021;
const WIDTH = 900;
const TOP = 96;
const BAR = { left: 40, after: 290, width: 220 };
const PANEL = 560;

interface Part {
  readonly name: string;
  readonly tokens: number;
}

interface Measured {
  readonly before: readonly Part[];
  readonly after: readonly Part[];
  /** The first lines of the catalog, shortened. */
  readonly excerpt: readonly string[];
}

/** The picture as the text of an SVG file. */
export async function picture(): Promise<string> {
  return draw(await measurePrompt());
}

async function measurePrompt(): Promise<Measured> {
  const groups = SERVERS.map((name, index) =>
    fakeGroup({ groupId: `mcp:${name}`, count: TOOLS_EACH, seed: index + 1 }),
  );
  const layer = createToolLayer({ groups, strategy: 'dispatch', countTokens });
  const { groups: sizes, strategies } = await measure(layer);
  const session = layer.session();
  const { system } = session.present([{ role: 'user' }]);
  const input = { group_id: 'mcp:github', tool_names: LOADED };
  const load = await session.route({ id: '1', name: 'load_tools', input });
  if (load.kind !== 'answer' || load.isError) throw new Error('The load failed.');
  const { dispatch } = strategies;
  return {
    before: sizes.map(({ groupId, tokens }) => ({ name: groupId.replace('mcp:', ''), tokens })),
    after: [
      { name: 'two bridge tools', tokens: dispatch.bridges },
      { name: `catalog: ${dispatch.namesVisible} names`, tokens: dispatch.catalog },
      {
        name: `${LOADED.length} schemas, once loaded`,
        tokens: countTokens(JSON.stringify(load.result)),
      },
    ],
    excerpt: system
      .split('\n')
      .slice(-2 * SERVERS.length)
      .slice(0, 6),
  };
}

function draw({ before, after, excerpt }: Measured): string {
  const sum = (parts: readonly Part[]) => parts.reduce((total, { tokens }) => total + tokens, 0);
  const all = sum(before);
  const first = sum(after.slice(0, 2));
  const tall = all * SCALE;
  const height = Math.round(TOP + tall + 44);
  const tools = SERVERS.length * TOOLS_EACH;
  const label = `A first request with ${tools} tools of ${SERVERS.length} servers: ${figure(all)} tokens with every schema, ${figure(first)} tokens with names.`;

  let y = TOP;
  const left = before.map(({ name, tokens }, index) => {
    const block = tokens * SCALE;
    const middle = y + block / 2 + 4;
    const shape = rect(BAR.left, y, BAR.width, block, index % 2 === 0 ? 'schema' : 'schema other');
    const words =
      text(BAR.left + 10, middle, `${name}: ${TOOLS_EACH} schemas`, 'on') +
      text(BAR.left + BAR.width - 10, middle, figure(tokens), 'on end');
    y += block;
    return shape + words;
  });

  y = TOP;
  const classes = ['bridge', 'catalog', 'load'];
  const right = after.map(({ tokens, name }, index) => {
    const block = tokens * SCALE;
    const line = TOP + 78 + 26 * index;
    const shape = rect(BAR.after, y, BAR.width, block, classes[index] ?? '');
    const key =
      rect(BAR.after, line - 10, 12, 12, classes[index] ?? '') +
      text(BAR.after + 20, line, name) +
      text(BAR.after + BAR.width, line, `${index === 2 ? '+' : ''}${figure(tokens)}`, 'end');
    y += block;
    return shape + key;
  });

  const lines = excerpt.map((line, index) =>
    text(PANEL + 14, TOP + 50 + 20 * index, shortened(line, 38), 'code'),
  );
  const panel = 48 + 20 * excerpt.length;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(label)}">
<style>
  text { font: 13px system-ui, sans-serif; fill: #24292f; }
  .title { font-size: 16px; font-weight: 600; }
  .small { fill: #57606a; }
  .end { text-anchor: end; }
  .on { fill: #ffffff; }
  .code { font: 12px ui-monospace, monospace; white-space: pre; }
  .page { fill: #ffffff; }
  .panel { fill: #f6f8fa; stroke: #d0d7de; }
  .schema { fill: #b3434b; }
  .other { fill: #a03a42; }
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
${text(BAR.left, 40, 'Before: every schema', 'title')}
${text(BAR.left, 62, `${figure(all)} tokens in each request`)}
${text(BAR.left, 82, `${tools} tools of ${SERVERS.length} servers`, 'small')}
${left.join('\n')}
${text(BAR.after, 40, 'After: names', 'title')}
${text(BAR.after, 62, `${figure(first)} tokens (${((100 * first) / all).toFixed(1)} %)`)}
${text(BAR.after, 82, `the same ${tools} tools, the same scale`, 'small')}
${right.join('\n')}
${rect(PANEL, TOP, WIDTH - PANEL - 30, panel, 'panel')}
${text(PANEL + 14, TOP + 24, 'The catalog, as the model reads it', 'small')}
${lines.join('\n')}
${text(BAR.left, height - 18, 'One load adds schemas at the end of the conversation. What was sent before stays as it is, in the cache.', 'small')}
</svg>
`;
}

function figure(value: number): string {
  return value.toLocaleString('en-US');
}

function shortened(line: string, length: number): string {
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
}

function escaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function rect(x: number, y: number, width: number, height: number, name: string): string {
  return `<rect x="${x}" y="${round(y)}" width="${width}" height="${round(height)}" class="${name}"/>`;
}

function text(x: number, y: number, value: string, name?: string): string {
  const attribute = name === undefined ? '' : ` class="${name}"`;
  return `<text x="${x}" y="${round(y)}"${attribute}>${escaped(value)}</text>`;
}

function round(value: number): string {
  return String(Math.round(value * 10) / 10);
}

if (import.meta.main) {
  const file = new URL('../docs/prompt.svg', import.meta.url);
  writeFileSync(file, await picture());
  console.log('docs/prompt.svg is written.');
}
