/**
 * Measures the gateway over stdio in one run: calls beside a bare Node relay, the tokens that a client gets
 * at its connection, start times with and without cached lists, and memory. Run: `npm run bench:gateway`,
 * or `-- --catalogs DIR` for a thousand captured tools from DIR (files `NAME.json` with `tools`). It measures
 * the built package if `npm run build` was run before.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { REFERENCE_TOOLS } from '../../src/tools/search/reference-corpus/reference-tools.ts';
import { median, show } from '../pool/figures.ts';
import { LineClient } from './line-client.ts';

const { values } = parseArgs({ options: { catalogs: { type: 'string' } } });

const folder = mkdtempSync(join(tmpdir(), 'toolfold-bench-'));
const here = import.meta.dirname;
const root = join(here, '../..');
const built = join(root, 'dist/command/main.js');
const isBuilt = existsSync(built);
// In a checkout the command runs the sources.
const started = isBuilt
  ? [process.execPath, '-e', `import('${built}').then((c) => c.main(process.argv.slice(1)))`]
  : [process.execPath, '--conditions=toolfold-source', join(root, 'bin/toolfold.js')];
const environment = (name: string): NodeJS.ProcessEnv => ({
  ...process.env,
  XDG_CACHE_HOME: join(folder, name),
  XDG_DATA_HOME: join(folder, name),
});

const WORKER = [process.execPath, join(here, '../pool-server.ts'), '{}'];
const TOOLS = 1000;

type Json = Record<string, unknown>;

function configOf(servers: Readonly<Record<string, readonly string[]>>): string {
  const entries = Object.entries(servers).map(([name, [command, ...args]]) => [
    name,
    { command, args },
  ]);
  const file = join(folder, `${Object.keys(servers).join('-').slice(0, 40)}.json`);
  writeFileSync(file, JSON.stringify({ mcpServers: Object.fromEntries(entries) }));
  return file;
}

/** A thousand tools: captured ones, or synthetic ones with the words of real tools. */
function thousandTools(): Json[] {
  if (values.catalogs !== undefined) {
    const files = readdirSync(values.catalogs)
      .filter((name) => name.endsWith('.json'))
      .sort();
    const tools = files.flatMap((file) => {
      const { tools: listed = [] } = JSON.parse(
        readFileSync(join(values.catalogs ?? '', file), 'utf8'),
      );
      return (listed as Json[]).map((tool) => ({
        ...tool,
        name: `${file.slice(0, 3)}_${tool.name}`,
      }));
    });
    return [...new Map(tools.map((tool) => [tool.name, tool])).values()].slice(0, TOOLS);
  }
  const words = REFERENCE_TOOLS.flatMap((line) => line.split(';'));
  return Array.from({ length: TOOLS }, (_, at) => {
    const text = words[at % words.length] ?? '';
    return {
      name: `${text.split(' ').slice(0, 3).join('_')}_${at}`,
      description: `Does this: ${text}.`,
      inputSchema: { type: 'object', properties: { text: { type: 'string', description: text } } },
    };
  });
}

interface Speed {
  readonly p50: number;
  readonly at8: number;
  readonly at64: number;
}

async function speedOf(call: () => Promise<unknown>): Promise<Speed> {
  for (let at = 0; at < 300; at++) await call();
  const times: number[] = [];
  for (let at = 0; at < 1000; at++) {
    const begin = performance.now();
    await call();
    times.push(performance.now() - begin);
  }
  const rate = async (width: number, total: number): Promise<number> => {
    let left = total;
    const begin = performance.now();
    const worker = async (): Promise<void> => {
      while (left-- > 0) await call();
    };
    await Promise.all(Array.from({ length: width }, worker));
    return (total / (performance.now() - begin)) * 1000;
  };
  return { p50: median(times), at8: await rate(8, 5000), at64: await rate(64, 10_000) };
}

async function calls(): Promise<void> {
  const config = configOf({ work: WORKER });
  const serve = (...more: string[]): string[] => [...started, 'serve', '--config', config, ...more];
  const call = { name: 'work__work', arguments: { text: 'x' } };
  const ways: readonly (readonly [string, readonly string[], Json])[] = [
    ['direct', WORKER, { name: 'work', arguments: { text: 'x' } }],
    [
      'a bare Node relay',
      [process.execPath, join(here, 'relay.ts'), ...WORKER],
      { name: 'work', arguments: { text: 'x' } },
    ],
    ['passthrough', serve('--mode', 'passthrough'), { name: 'work', arguments: { text: 'x' } }],
    ['eager', serve('--mode', 'eager'), call],
    ['bridge', serve(), { name: 'tool_call', arguments: call }],
    ['bridge, --no-check', serve('--no-check'), { name: 'tool_call', arguments: call }],
  ];
  console.log('Calls over stdio, one run');
  let floor: Speed | undefined;
  for (const [name, command, params] of ways) {
    const client = new LineClient(command, environment('calls'));
    await client.begin();
    await client.request('tools/call', params);
    const speed = await speedOf(() => client.request('tools/call', params));
    await client.close();
    if (name === 'a bare Node relay') floor = speed;
    const ratio = floor ? `   ${(speed.p50 / floor.p50).toFixed(2)} × the relay` : '';
    const rates = [speed.at8, speed.at64].map((one) => `${one.toFixed(0).padStart(7)}/s`).join('');
    console.log(`  ${name.padEnd(24)} p50 ${speed.p50.toFixed(3)} ms${rates} at 8 and 64${ratio}`);
  }
}

async function thousand(): Promise<void> {
  const file = join(folder, 'tools.json');
  const tools = thousandTools();
  writeFileSync(file, JSON.stringify({ tools }));
  const config = configOf({ list: [process.execPath, join(here, 'list-server.ts'), file] });
  console.log(`One server with ${tools.length} tools`);
  console.log(`  all schemas ${countTokens(JSON.stringify(tools)).toLocaleString('en-US')} tokens`);
  for (const [name, flags] of [
    ['catalog, no budget', ['--budget', 'none']],
    ['catalog, default budget', []],
    ['names hidden', ['--budget', '1']],
  ] as const) {
    const client = new LineClient(
      [...started, 'serve', '--config', config, ...flags],
      environment('thousand'),
    );
    const welcome = await client.begin();
    let listed = await client.tools();
    while (!JSON.stringify(listed).includes('mcp:list') && flags[1] !== '1') {
      await new Promise((resolve) => setTimeout(resolve, 50));
      listed = await client.tools();
    }
    await client.request('tools/call', { name: 'tool_search', arguments: { query: 'weather' } });
    const tokens = countTokens(JSON.stringify([listed, welcome.instructions ?? '']));
    console.log(
      `  ${name.padEnd(24)} ${tokens.toLocaleString('en-US').padStart(7)} tokens   ${client.megabytes.toFixed(0)} MB`,
    );
    await client.close();
  }
}

async function starts(): Promise<void> {
  const servers = Object.fromEntries(
    Array.from({ length: 9 }, (_, at) => [
      `server${at}`,
      [process.execPath, join(here, '../pool-server.ts'), '{"tools":20}'],
    ]),
  );
  const hanging = {
    ...servers,
    hanging: [process.execPath, join(here, '../pool-server.ts'), '{"hangs":true}'],
  };
  console.log('Nine servers, milliseconds from the start (median of 5)');
  for (const [name, all, isWarm] of [
    ['cold', servers, false],
    ['cold, and one that hangs', hanging, false],
    ['with cached lists', servers, true],
  ] as const) {
    const times: { welcome: number; list: number; call: number }[] = [];
    for (let run = 0; run < 5; run++) {
      const place = isWarm ? 'warm' : `cold-${name.length}-${run}`;
      const config = configOf(all);
      const begin = performance.now();
      const client = new LineClient([...started, 'serve', '--config', config], environment(place));
      await client.begin();
      const welcome = performance.now() - begin;
      await client.tools();
      const list = performance.now() - begin;
      await client.request('tools/call', { name: 'server8__work', arguments: {} });
      times.push({ welcome, list, call: performance.now() - begin });
      await client.close();
    }
    for (const key of ['welcome', 'list', 'call'] as const) {
      show(
        `${name}: ${{ welcome: 'initialize', list: 'list', call: 'first call' }[key]}`,
        median(times.map((one) => one[key])),
      );
    }
  }
}

console.log(isBuilt ? 'The built package' : 'The sources, without a build');
try {
  await calls();
  await thousand();
  await starts();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
