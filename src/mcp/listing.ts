import type { JsonObject, JsonValue } from '../tools/json.ts';
import { isRecord, own } from '../tools/json.ts';

/** Pages of `tools/list` that are read; the largest real listing has one. */
const MAX_PAGES = 200;

/** A tool as the server listed it, every field as received. */
export type ListedTool = JsonObject & { readonly name: string };

/** What a server said of itself and its tools. */
export interface ServerListing {
  readonly protocolVersion?: string;
  readonly serverInfo?: JsonObject;
  readonly capabilities?: JsonObject;
  readonly instructions?: string;
  /** One per name: of two tools with one name the first. */
  readonly tools: readonly ListedTool[];
  /** Names that were listed more than once. */
  readonly duplicates: readonly string[];
  /** What was wrong with the list, in words. */
  readonly warnings: readonly string[];
}

/** Sends one request and returns its result unparsed. */
export type SendRequest = (method: string, params: JsonObject) => Promise<unknown>;

/** What of a listing concerns the tools. */
export type ToolListing = Pick<ServerListing, 'tools' | 'duplicates' | 'warnings'>;

/**
 * Reads all pages of `tools/list`. A list that does not end (a cursor that repeats, too many pages)
 * is used as far as it was read, with a warning; throws where there is no list at all.
 */
export async function listTools(send: SendRequest): Promise<ToolListing> {
  const received: JsonValue[] = [];
  const cursors = new Set<string>();
  const warnings: string[] = [];
  let cursor: string | undefined;
  for (let page = 1; ; page += 1) {
    const result = await send('tools/list', cursor === undefined ? {} : { cursor });
    const tools = own(result, 'tools');
    if (!Array.isArray(tools)) throw new Error('its answer to tools/list has no list of tools');
    const next = own(result, 'nextCursor');
    // A page asked for with a cursor that was used before has been read already.
    received.push(...tools);
    if (typeof next !== 'string') break;
    if (cursors.has(next)) {
      warnings.push(`its tool list repeats from page ${page} on and was read up to there`);
      break;
    }
    if (page === MAX_PAGES) {
      warnings.push(`its tool list has more than ${MAX_PAGES} pages; the rest was not read`);
      break;
    }
    cursors.add(next);
    cursor = next;
  }
  const sorted = sortOut(received);
  return { ...sorted, warnings: [...warnings, ...sorted.warnings] };
}

/** Keeps the first tool of each name and says what was left out. */
export function sortOut(received: readonly JsonValue[]): ToolListing {
  const tools = new Map<string, ListedTool>();
  const duplicates = new Set<string>();
  let nameless = 0;
  for (const tool of received) {
    if (!isListedTool(tool)) nameless += 1;
    else if (tools.has(tool.name)) duplicates.add(tool.name);
    else tools.set(tool.name, tool);
  }
  const warnings: string[] = [];
  if (nameless > 0) warnings.push(`${nameless} listed tool(s) without a name were left out`);
  if (duplicates.size > 0) {
    const shown = [...duplicates].slice(0, 5).join(', ');
    const more = duplicates.size > 5 ? ` and ${duplicates.size - 5} more` : '';
    warnings.push(`it lists more than one tool named ${shown}${more}; the first of each is used`);
  }
  return { tools: [...tools.values()], duplicates: [...duplicates], warnings };
}

function isListedTool(tool: JsonValue): tool is ListedTool {
  return isRecord(tool) && typeof own(tool, 'name') === 'string' && own(tool, 'name') !== '';
}
