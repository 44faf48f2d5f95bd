/** The tools of the tasks: those of published servers, generated ones, and those of one app. */
import type { DeferredToolGroup, Tool } from '@toolfold/core';
import { fakeGroup } from '@toolfold/testing';
import { jsonSchema, type ToolSet, tool } from 'ai';
import { supportTools } from '../../examples/support-tools.ts';
import { groupsOf, listServers } from '../demo-servers.ts';

/** The tools of a task. */
export interface Catalog {
  /** For the title of a table, such as `71 tools of 6 published servers`. */
  readonly title: string;
  readonly groups: readonly DeferredToolGroup[];
  /** The app's own tools. */
  readonly own: ToolSet;
  /** How often a tool has run. */
  readonly runs: () => number;
}

/** The demo's six published servers. Their tools return some 120 tokens, without running. */
export async function publishedServers(): Promise<Catalog> {
  let runs = 0;
  const groups = groupsOf(await listServers(AbortSignal.timeout(60_000)), (name) => {
    runs++;
    return resultOf(name);
  });
  return { title: titleOf(groups, 'published'), groups, own: {}, runs: () => runs };
}

/** Some groups of a catalog. */
export function someOf({ groups, runs }: Catalog, names: readonly string[]): Catalog {
  const some = groups.filter(({ groupId }) => names.includes(groupId.slice('mcp:'.length)));
  return { title: titleOf(some, 'published'), groups: some, own: {}, runs };
}

const NAMES = ['calendar', 'crm', 'docs', 'github', 'mail', 'shop', 'tracker', 'wiki'];
const TOOLS_EACH = 15;

/** Eight servers with generated tools. The script knows no arguments for them, so none is required. */
export function generatedServers(): Catalog {
  let runs = 0;
  const groups = NAMES.map((name, index): DeferredToolGroup => {
    const group = fakeGroup({ groupId: `mcp:${name}`, count: TOOLS_EACH, seed: index + 1 });
    return {
      ...group,
      loader: async (options) =>
        (await group.loader(options)).map(
          (item): Tool => ({
            ...item,
            inputSchema: { ...item.inputSchema, required: [] },
            execute: async () => {
              runs++;
              return resultOf(item.name);
            },
          }),
        ),
    };
  });
  return { title: titleOf(groups, 'generated'), groups, own: {}, runs: () => runs };
}

/** The tools of one app, without servers. They return some 120 tokens, without running. */
export function ownTools(): Catalog {
  let runs = 0;
  const own = Object.fromEntries(
    Object.entries(supportTools as ToolSet).map(([name, item]) => {
      // The model is a script, so nobody can approve its calls.
      const { needsApproval: _, ...rest } = item;
      const execute = async () => {
        runs++;
        return resultOf(name);
      };
      return [name, { ...rest, execute }];
    }),
  ) as ToolSet;
  const title = `${Object.keys(own).length} tools of one app`;
  return { title, groups: [], own, runs: () => runs };
}

/** All tools of a catalog as tools of the AI SDK. */
export async function sdkTools({ groups, own }: Catalog, deferLoading: boolean): Promise<ToolSet> {
  const mark = deferLoading ? { deferLoading } : {};
  const entries = await Promise.all(
    groups.map(async (group) => {
      const tools = await group.loader({ signal: new AbortController().signal });
      return tools.map((item) => [
        `${group.groupId.slice('mcp:'.length)}__${item.name}`,
        tool({
          ...(item.description === undefined ? {} : { description: item.description }),
          inputSchema: jsonSchema({ ...item.inputSchema }),
          execute: async (input: unknown) => item.execute?.(input, {}),
          ...mark,
        }),
      ]);
    }),
  );
  const ofApp = Object.entries(own).map(([name, item]) => [name, { ...item, ...mark }]);
  return Object.fromEntries([...ofApp, ...entries.flat()]) as ToolSet;
}

function titleOf(groups: readonly DeferredToolGroup[], kind: string): string {
  const tools = groups.reduce((sum, { toolNames = [] }) => sum + toolNames.length, 0);
  return `${tools} tools of ${groups.length} ${kind} server${groups.length === 1 ? '' : 's'}`;
}

function resultOf(name: string): string {
  const lines = Array.from(
    { length: 4 },
    (_, n) => `#${n + 1} | 2026-03-${10 + n} | part ${n * 37} | waits for an answer since release`,
  );
  return [`${name}:`, ...lines].join('\n');
}
