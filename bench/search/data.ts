import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parametersOf } from '../../packages/core/src/schema/schema.ts';
import type { ToolDocument } from '../../packages/core/src/search.ts';
import { evenSample, shuffled } from './random.ts';

const MAX_QUERIES = 600;
const SEED = 20_261_122;

/** The part of the queries that is measured: `dev` is for tuning, `test` is for reports. */
export type Part = 'dev' | 'test';

/** A query and its needs. Any tool of a need answers the need. */
export interface Query {
  readonly id: string;
  readonly text: string;
  readonly needs: readonly ReadonlySet<string>[];
}

/** Tools, and a file of queries about them. */
export interface QuerySet {
  readonly name: string;
  /** The folder with the tools. */
  readonly folder: string;
  readonly tools: readonly ToolDocument[];
  readonly queries: readonly Query[];
}

interface ListedTool {
  readonly id?: string;
  readonly server?: string;
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: Readonly<Record<string, unknown>>;
}

interface ListedQuery {
  readonly id: string;
  readonly query: string;
  readonly gold: readonly string[];
  readonly groups?: readonly (readonly string[])[];
}

type Splits = Readonly<Record<string, Partial<Record<Part, readonly string[]>>>>;

function readLines<T>(file: string): T[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line));
}

function toDocument(tool: ListedTool, key: string, group: string): ToolDocument {
  const { name, description = '', inputSchema = {} } = tool;
  return { key, name, group, description, parameters: parametersOf(inputSchema) };
}

/** The names of the sets in a folder, in order. Empty if there is no such folder. */
export function setNames(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'tools.jsonl')))
    .sort();
}

/** The tools of a set, shuffled, so that their order in the file has no effect on equal scores. */
export function readTools(folder: string, set: string): ToolDocument[] {
  const tools = readLines<ListedTool>(join(folder, set, 'tools.jsonl'));
  const documents = tools.map((tool) =>
    toDocument(tool, `${set}/${tool.id ?? tool.name}`, tool.server ?? ''),
  );
  return shuffled(documents, SEED);
}

/** The tools of captured MCP servers. Empty if there is no such folder. */
export function readCatalogs(folder: string): ToolDocument[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return files.sort().flatMap((file) => {
    const { server, tools } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    return tools.map((tool: ListedTool) => toDocument(tool, `${file}/${tool.name}`, server));
  });
}

/**
 * Every file of queries of every set, with the queries of the part. Leaves out empty ones. Throws an
 * error if `only` names a set that has no queries for tuning and those are asked for.
 */
export function readSets(folder: string, part: Part, only: readonly string[] = []): QuerySet[] {
  const file = join(folder, 'splits.json');
  const splits: Splits = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const chosen = setNames(folder).filter((name) => only.length === 0 || only.includes(name));
  return chosen.flatMap((set) => {
    const files = queryFiles(join(folder, set), part).filter(
      (name) => part === 'test' || isForTuning(name) || `${set}:${name}` in splits,
    );
    if (part === 'dev' && files.length === 0 && only.includes(set))
      throw new Error(`The set "${set}" has no queries for tuning.`);
    if (files.length === 0) return [];
    const tools = readTools(folder, set);
    return files.flatMap((name): QuerySet[] => {
      const split = splits[`${set}:${name}`];
      const ids = split && new Set(split[part]);
      const listed = readLines<ListedQuery>(join(folder, set, `${name}.jsonl`));
      const queries = evenSample(
        listed.filter(({ id, gold }) => gold.length > 0 && (ids?.has(id) ?? true)),
        MAX_QUERIES,
      ).map((query) => toQuery(query, set));
      const label = `${set} ${name.replace(/^queries\.?/, '')}`.trim();
      return queries.length === 0 ? [] : [{ name: label, folder: set, tools, queries }];
    });
  });
}

function toQuery({ id, query, gold, groups }: ListedQuery, set: string): Query {
  const needs = groups ?? gold.map((tool) => [tool]);
  return {
    id,
    text: query,
    needs: needs.map((tools) => new Set(tools.map((tool) => `${set}/${tool}`))),
  };
}

/**
 * The query files of a set for a part. `queries.dev` and `queries.train` are for tuning alone; a
 * set with `queries.dev` keeps its `queries` for reports.
 */
function queryFiles(folder: string, part: Part): string[] {
  const files = readdirSync(folder)
    .filter((file) => /^queries.*\.jsonl$/.test(file))
    .map((file) => file.replace(/\.jsonl$/, ''))
    .sort();
  if (part === 'test') return files.filter((file) => !isForTuning(file));
  return files.includes('queries.dev') ? files.filter(isForTuning) : files;
}

function isForTuning(file: string): boolean {
  return /\.(dev|train)$/.test(file);
}
