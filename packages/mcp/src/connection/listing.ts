import {
  canonicalJson,
  formatCount,
  formatNumber,
  isRecord,
  type JsonObject,
  type JsonValue,
  listIn,
  MAX_NESTING,
  measureNesting,
  ownProperties,
  ownProperty,
  plainLine,
  truncate,
} from '@toolfold/core/internal/values';
import type { Client } from '../sdk.ts';
import { FIRST_PAGE } from './negotiate.ts';

/** Maximum pages of a list. The largest real listing has one. */
const MAX_PAGES = 200;
/** Maximum tools of a listing. The largest real ones have a few hundred. */
const MAX_TOOLS = 10_000;
/** Maximum characters of JSON of all tools together. The largest real listing has 4 million. */
const MAX_SIZE = 16_000_000;
/** Maximum characters of a tool's name: more than the protocol recommends. */
const MAX_NAME = 512;
const SHOWN_NAMES = 5;
const SHOWN_NAME = 60;
/** Maximum characters of a server's instructions. Real ones have a few thousand. */
const MAX_INSTRUCTIONS = 100_000;

/** A tool as the server listed it, every field as received. */
export type ListedTool = JsonObject & { readonly name: string };

/** A server's description of itself, and its tools. */
export interface ServerListing {
  readonly protocolVersion?: string;
  readonly serverInfo?: JsonObject;
  readonly capabilities?: JsonObject;
  readonly instructions?: string;
  /** One tool per name. Of several tools with the same name, the first. */
  readonly tools: readonly ListedTool[];
  /** Names that were listed more than once, for display. */
  readonly duplicates: readonly string[];
  /** Problems with the list, as texts for people. */
  readonly warnings: readonly string[];
}

/** Limits of a request. */
export interface RequestLimits {
  readonly signal?: AbortSignal;
  readonly timeout: number;
}

/**
 * Reads what a connected server says of itself, and all its tools. Rejects if the list cannot be
 * read. `hide` removes secrets from warnings, because warnings contain tool names, which are the
 * server's text.
 */
export async function readServerAndTools(
  client: Client,
  limits: RequestLimits,
  hide?: (text: string) => string,
): Promise<ServerListing> {
  const capabilities = client.getServerCapabilities();
  const listed = capabilities?.tools
    ? await listTools((cursor = FIRST_PAGE) => client.listTools({ cursor }, limits), hide)
    : sortOut([]);
  const serverInfo: object | undefined = client.getServerVersion();
  const instructions = client.getInstructions();
  const isLong = instructions !== undefined && instructions.length > MAX_INSTRUCTIONS;
  const cutWarning = `its instructions have more than ${formatNumber(MAX_INSTRUCTIONS)} characters and were cut`;
  return {
    protocolVersion: client.getNegotiatedProtocolVersion(),
    serverInfo: serverInfo && ({ ...serverInfo } as JsonObject),
    capabilities: capabilities && ({ ...capabilities } as JsonObject),
    instructions: isLong ? truncate(instructions, MAX_INSTRUCTIONS) : instructions,
    ...listed,
    warnings: isLong ? [...listed.warnings, cutWarning] : listed.warnings,
  };
}

/** Reads a page of a list, as received: the first one without a cursor. */
type ReadPage = (cursor?: string) => Promise<unknown>;

/** The tools of a listing, with its problems. */
type ToolListing = Pick<ServerListing, 'tools' | 'duplicates' | 'warnings'>;

/**
 * Reads all pages of `tools/list`. Keeps at most 10,000 tools, 16 million characters of JSON (cursors
 * included) and 200 pages. If the list is longer or its cursor repeats, the part read so far is used,
 * with a warning. A single tool nested more than 200 levels deep is skipped. Throws if there is no
 * list. `hide` removes secrets from the names in warnings.
 */
export async function listTools(
  read: ReadPage,
  hide: (text: string) => string = (text) => text,
): Promise<ToolListing> {
  const sorter = toolSorter(hide);
  const problem = await readPages(read, (result, next) => {
    const tools = ownProperty(result, 'tools');
    if (!Array.isArray(tools)) throw new Error('its answer to tools/list has no list of tools');
    return sorter.addAll(tools) && (typeof next !== 'string' || sorter.takes(next.length));
  });
  const sorted = sorter.listing();
  return { ...sorted, warnings: [...(problem === undefined ? [] : [problem]), ...sorted.warnings] };
}

/**
 * Reads the pages of a list until `take` returns `false`. Returns why the rest was not read, if a cursor is
 * wrong or there are too many pages.
 */
export async function readPages(
  read: ReadPage,
  take: (result: unknown, next: unknown) => boolean,
): Promise<string | undefined> {
  const cursors = new Set<string>();
  let first: unknown;
  let cursor: string | undefined;
  for (let page = 1; ; page += 1) {
    const result = cursor === '' ? await behindEmpty(read, first) : await read(cursor);
    if (result === undefined) return;
    first ??= result;
    const next = ownProperty(result, 'nextCursor');
    if (!take(result, next) || next === undefined || next === null) return;
    if (typeof next !== 'string')
      return `the cursor after page ${page} of its tool list is not a string; the rest was not read`;
    if (cursors.has(next))
      return next === ''
        ? undefined
        : `its tool list repeats from page ${page} on and was read up to there`;
    if (page === MAX_PAGES)
      return `its tool list has more than ${MAX_PAGES} pages; the rest was not read`;
    cursors.add(next);
    cursor = next;
  }
}

/**
 * The page behind an empty cursor, which is a cursor like any other; `undefined` if there is none. Some servers
 * mark the last page with it: they refuse it, or answer with the first page again.
 */
async function behindEmpty(read: ReadPage, first: unknown): Promise<unknown> {
  try {
    const result = await read('');
    return canonicalJson(result) === canonicalJson(first) ? undefined : result;
  } catch (error) {
    if (typeof ownProperty(error, 'code') === 'number') return;
    throw error;
  }
}

/** A listing that was kept as JSON; `undefined` without a list of tools. */
export function keptListing(kept: unknown): ServerListing | undefined {
  const { tools, instructions, protocolVersion, ...rest } = ownProperties(kept);
  if (!Array.isArray(tools)) return;
  const sorted = sortOut(tools);
  const text = (value: unknown): string | undefined =>
    typeof value === 'string' ? value : undefined;
  const object = (value: unknown): JsonObject | undefined =>
    isRecord(value) ? (value as JsonObject) : undefined;
  const texts = (key: string): string[] =>
    listIn(rest, key).filter((one) => typeof one === 'string');
  return {
    protocolVersion: text(protocolVersion),
    serverInfo: object(rest.serverInfo),
    capabilities: object(rest.capabilities),
    instructions: text(instructions),
    tools: sorted.tools,
    duplicates: [...texts('duplicates'), ...sorted.duplicates],
    warnings: [...texts('warnings'), ...sorted.warnings],
  };
}

/** Keeps the first tool of each name, within the limits of `listTools`, with warnings about skipped tools. */
function sortOut(received: readonly JsonValue[]): ToolListing {
  const sorter = toolSorter((text) => text);
  sorter.addAll(received);
  return sorter.listing();
}

const LEFT_OUT = {
  deep: `nested more than ${MAX_NESTING} levels deep, left out: NAMES`,
  long: `named at more than ${MAX_NAME} characters, left out: NAMES`,
  twice: 'it lists more than one tool named NAMES; the first of each is used',
} as const;

/** Collects the tools of a list within the limits. */
function toolSorter(hide: (text: string) => string) {
  const tools = new Map<string, ListedTool>();
  const leftOut = { deep: new Set<string>(), long: new Set<string>(), twice: new Set<string>() };
  let nameless = 0;
  let size = 0;
  let full: string | undefined;
  /** Adds to the size. Returns whether it is within the limit. */
  const takes = (more: number): boolean => {
    size += more;
    if (size > MAX_SIZE) full = `${MAX_SIZE / 1_000_000} million characters`;
    return full === undefined;
  };
  const add = (tool: unknown): void => {
    // The depth includes the level of the tool itself.
    const { depth, size: own } = measureNesting(tool, MAX_NESTING, MAX_SIZE - size);
    if (!takes(own)) return;
    if (!isListedTool(tool)) nameless += 1;
    else if (tool.name.length > MAX_NAME) leftOut.long.add(tool.name);
    else if (depth > MAX_NESTING) leftOut.deep.add(tool.name);
    else if (tools.has(tool.name)) leftOut.twice.add(tool.name);
    else if (tools.size === MAX_TOOLS) full = `${formatNumber(MAX_TOOLS)} tools`;
    else tools.set(tool.name, tool);
  };
  return {
    takes,
    /** Adds tools within the limits. Returns whether all of them fit. */
    addAll: (received: readonly unknown[]): boolean =>
      received.every((tool) => {
        add(tool);
        return full === undefined;
      }),
    listing: (): ToolListing => {
      const kept = `the first ${formatNumber(tools.size)} tools of it are used`;
      const were = nameless === 1 ? 'was' : 'were';
      const count = formatCount(nameless, 'listed tool');
      const warnings = [
        ...(full === undefined ? [] : [`its tool list has more than ${full}; ${kept}`]),
        ...(nameless === 0 ? [] : [`${count} without a name ${were} left out`]),
        ...(['deep', 'long', 'twice'] as const)
          .filter((why) => leftOut[why].size > 0)
          .map((why) => LEFT_OUT[why].replace('NAMES', () => shownNames(leftOut[why], hide))),
      ];
      return { tools: [...tools.values()], duplicates: [...leftOut.twice].map(hide), warnings };
    },
  };
}

function shownNames(names: ReadonlySet<string>, hide: (text: string) => string): string {
  const shown = [...names].slice(0, SHOWN_NAMES).map((name) => plainLine(hide(name), SHOWN_NAME));
  const more = names.size > SHOWN_NAMES ? ` and ${names.size - SHOWN_NAMES} more` : '';
  return `${shown.join(', ')}${more}`;
}

function isListedTool(tool: unknown): tool is ListedTool {
  const name = ownProperty(tool, 'name');
  return typeof name === 'string' && name !== '';
}
