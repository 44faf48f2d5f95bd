import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { REFERENCE_TOOLS } from '../../packages/core/src/search/reference-tools.ts';
import { LineClient } from './line-client.ts';
import { configOf, environment, folder, type Servers, TOOLFOLD } from './place.ts';

type Json = Record<string, unknown>;

const TOOLS = 1074;

/** Tools with the words of real tools, in servers of some thirty. */
function synthetic(): Record<string, Json[]> {
  const words = REFERENCE_TOOLS.flatMap((line) => line.split(';'));
  const tools = Array.from({ length: TOOLS }, (_, at): Json => {
    const text = words[at % words.length] ?? '';
    return {
      name: `${text.split(' ').slice(0, 3).join('_')}_${at}`,
      description: `Does this: ${text}.`,
      inputSchema: { type: 'object', properties: { text: { type: 'string', description: text } } },
    };
  });
  return Object.groupBy(
    tools,
    ({ name }) => `server${Number(/\d+$/.exec(String(name))) % 33}`,
  ) as Record<string, Json[]>;
}

/** The captured lists of a folder, one server each. */
function captured(from: string): Record<string, Json[]> {
  let left = TOOLS;
  const lists: Record<string, Json[]> = {};
  for (const file of readdirSync(from)
    .filter((name) => name.endsWith('.json'))
    .sort()) {
    const { tools = [] } = JSON.parse(readFileSync(join(from, file), 'utf8'));
    const name = file.replace('.json', '');
    lists[name] = (tools as Json[]).slice(0, left);
    left -= lists[name].length;
    if (left === 0) break;
  }
  return lists;
}

/** Servers with 1,074 tools together. `catalogs`: a folder with captured lists. */
export function manyTools(catalogs: string | undefined): { servers: Servers; lists: Json[][] } {
  const lists = catalogs === undefined ? synthetic() : captured(catalogs);
  const server = join(import.meta.dirname, 'list-server.ts');
  const commands = Object.entries(lists).map(([name, tools]) => {
    const file = join(folder, `tools-${name}.json`);
    writeFileSync(file, JSON.stringify({ tools }));
    return [name, [process.execPath, server, file]];
  });
  return { servers: Object.fromEntries(commands), lists: Object.values(lists) };
}

/** What a client gets at its connection, in tokens, and the memory of the gateway. */
export async function thousand(catalogs: string | undefined): Promise<void> {
  const { servers, lists } = manyTools(catalogs);
  const tools = lists.flat();
  const config = configOf(servers);
  const tokens = (value: unknown): string =>
    countTokens(typeof value === 'string' ? value : JSON.stringify(value)).toLocaleString('en-US');
  console.log(`${lists.length} servers with ${tools.length} tools`);
  console.log(`  all schemas ${tokens(tools)} tokens`);
  console.log(
    `  their names, one a line ${tokens(tools.map(({ name }) => name).join('\n'))} tokens`,
  );
  for (const [name, flags] of [
    ['catalog, no budget', ['--budget', 'none']],
    ['catalog, default budget', []],
    ['names hidden', ['--budget', '1']],
  ] as const) {
    const command = [...TOOLFOLD, 'serve', '--config', config, ...flags];
    const client = new LineClient(command, environment('thousand'));
    const welcome = await client.begin();
    let listed = await client.tools();
    const last = Object.keys(servers).at(-1) ?? '';
    const isKnown = (): boolean =>
      flags[1] === '1' || JSON.stringify(listed).includes(`${last}__ (${lists.at(-1)?.length}`);
    while (!isKnown()) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      listed = await client.tools();
    }
    await client.request('tools/call', { name: 'tool_search', arguments: { query: 'weather' } });
    const total = tokens([listed, welcome.instructions ?? '']);
    console.log(
      `  ${name.padEnd(24)} ${total.padStart(7)} tokens   ${client.megabytes.toFixed(0)} MB`,
    );
    await client.close();
  }
}
