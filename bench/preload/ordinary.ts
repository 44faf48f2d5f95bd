import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createAgent } from '@toolfold/agent';
import { createSession, memoryStore } from '@toolfold/agent/sessions';
import { createFold } from '@toolfold/ai-sdk';
import type { DeferredToolGroup, Tool } from '@toolfold/core';
import { startModelServer } from '@toolfold/testing';
import { canonicalName, groupSlug } from '../../packages/core/src/tool/names.ts';
import { groupsOf, listServers } from '../demo-servers.ts';

const fileAt = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/** What the measurement reads and prints. */
export interface OrdinaryOptions {
  /** The folder of captured tool lists. */
  readonly catalogs: string;
  /** Prints what goes wrong with messages of the development half. */
  readonly failures: boolean;
}

interface Message {
  readonly message: string;
  /** Every tool that would do, as `server/tool`. */
  readonly right: readonly string[];
}

const MESSAGES: readonly Message[] = readFileSync(fileAt('ordinary.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));

/** Captured lists that are added to the servers of the demo. */
const CAPTURED = ['github', 'slack', 'gmail', 'jira', 'notion', 'playwright', 'postgres', 'pdf'];

function capturedGroup(catalogs: string, server: string): DeferredToolGroup {
  const { tools } = JSON.parse(readFileSync(`${catalogs}/${server}.json`, 'utf8'));
  return {
    groupId: `mcp:${server}`,
    toolNames: tools.map(({ name }: Tool) => name),
    loader: async () =>
      tools.map(
        ({ name, description, inputSchema, annotations }: Tool): Tool => ({
          ...{ name, description, inputSchema, annotations },
          execute: async () => 'ok',
        }),
      ),
  };
}

/** The name by which a model calls a tool. */
function nameOf(id: string): string {
  const [server = '', tool = ''] = id.split('/');
  return canonicalName(groupSlug(`mcp:${server}`), tool);
}

/** What each message preloads, as `server/tool`. */
async function preloadedBy(
  groups: readonly DeferredToolGroup[],
  before: string,
): Promise<readonly (readonly string[])[]> {
  await using server = await startModelServer({ script: () => ({ text: 'Ok.' }) });
  const provider = createAnthropic({ apiKey: 'none', baseURL: server.baseUrl('anthropic') });
  const fold = createFold({ groups, strategy: 'dispatch' });
  // Schemas are known, as in a process that has run for a while.
  await Promise.all(groups.map((group) => group.loader({ signal: new AbortController().signal })));
  const ids = new Map(
    groups.flatMap(({ groupId, toolNames = [] }) =>
      idsOf(groupId, toolNames).map((id) => [nameOf(id), id]),
    ),
  );
  const found: (readonly string[])[] = [];
  for (const { message } of MESSAGES) {
    const session = await createSession(memoryStore(), {});
    const model = provider('claude-sonnet-4-5');
    const agent = createAgent({ session, model, fold, approvals: { mode: 'never' } });
    if (before !== '') for await (const _ of agent.send(before));
    const names: string[] = [];
    for await (const event of agent.send(message))
      if (event.type === 'preload') names.push(...event.tools);
    found.push(names.map((name) => ids.get(name) ?? name));
  }
  return found;
}

interface Measured {
  readonly name: string;
  readonly groups: readonly DeferredToolGroup[];
  readonly preloaded: readonly (readonly string[])[];
}

function report({ name, groups, preloaded }: Measured, areFailuresShown: boolean): void {
  const known = new Set(groups.flatMap(({ groupId, toolNames = [] }) => idsOf(groupId, toolNames)));
  const rows = MESSAGES.map(({ message, right }, i) => {
    const wanted = right.filter((tool) => known.has(tool));
    const got = preloaded[i] ?? [];
    const isRight = got.some((tool) => wanted.includes(tool));
    return { message, wanted, got, isRight };
  });
  for (const [half, some] of [
    ['development', rows.filter((_, i) => i % 2 === 0)],
    ['held out', rows.filter((_, i) => i % 2 === 1)],
    ['all', rows],
  ] as const) {
    const count = (isSo: (row: (typeof rows)[number]) => boolean) => some.filter(isSo).length;
    const useless = count(({ got, isRight }) => got.length > 0 && !isRight);
    const wrong = some.flatMap(({ got, wanted }) => got.filter((tool) => !wanted.includes(tool)));
    const right = count(({ isRight }) => isRight);
    const served = count(({ wanted }) => wanted.length > 0);
    console.log(
      `| ${name} | ${half} | ${some.length} | ${useless} | ${wrong.length} | ${right} of ${served} |`,
    );
    if (!areFailuresShown || half !== 'development') continue;
    for (const { message, wanted, got } of some.filter(({ isRight }) => !isRight))
      if (got.length > 0) console.log(`  useless: ${message}: ${got.join(', ')}`);
      else if (wanted.length > 0) console.log(`  missed: ${message}: ${wanted.join(', ')}`);
  }
}

function idsOf(groupId: string, toolNames: readonly string[]): readonly string[] {
  return toolNames.map((tool) => `${groupId.slice('mcp:'.length)}/${tool}`);
}

/** About 20,000 tokens. */
const LONG = 'All of this is background that you need not answer. '.repeat(1_600);

/**
 * Measures what 200 ordinary messages preload: how many get only schemas that they do not need, and how many of those
 * that name a server or its subject get a right one. Two sets of servers, each as a first message and behind a long
 * conversation. The first, third, fifth line and so on are for development, the others are held out.
 */
export async function measureOrdinary({ catalogs, failures }: OrdinaryOptions): Promise<void> {
  const demo = groupsOf(await listServers(AbortSignal.timeout(60_000)));
  const sets: [string, DeferredToolGroup[]][] = [['six servers', demo]];
  if (existsSync(catalogs)) {
    const more = CAPTURED.map((server) => capturedGroup(catalogs, server));
    sets.push([`${demo.length + more.length} servers`, [...demo, ...more]]);
  }
  console.log('| servers | messages | number | useless | wrong schemas | a right one |');
  console.log('|---|---|--:|--:|--:|--:|');
  for (const [servers, groups] of sets)
    for (const [when, before] of [
      ['first message', ''],
      ['after 20,000 tokens', LONG],
    ] as const) {
      const preloaded = await preloadedBy(groups, before);
      report({ name: `${servers}, ${when}`, groups, preloaded }, failures);
    }
}
