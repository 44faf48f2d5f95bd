import { invalidOption } from '../errors.ts';
import { isRecord, type JsonObject, type OptionCheck } from '../values/index.ts';
import type { Exposure, Tool } from './tool.ts';

/** What is known of a tool before its schema: enough for catalog hints and for search. */
export interface ToolSummary {
  readonly name: string;
  readonly description?: string;
  /** MCP `_meta`, which may decide the exposure of the tool. */
  readonly meta?: JsonObject;
  readonly exposure?: Exposure;
}

/** Tools that stay out of the prompt until they are needed: one MCP server, one plugin, one module. */
export interface DeferredToolGroup {
  /** Unique, e.g. `mcp:github`; without `mcp:` it becomes the prefix of its tools, see `groupSlug`. */
  readonly groupId: string;
  readonly displayName?: string;
  readonly description?: string;
  /**
   * Bare names for the catalog. If left out, the names are known after the group has loaded,
   * and `onWarning` says so.
   */
  readonly toolNames?: readonly string[];
  /** One line each for hints and search, where the source knows them without loading. */
  readonly toolSummaries?: readonly ToolSummary[];
  /** Tokens of all its schemas, if the source knows them; otherwise they are estimated. */
  readonly schemaTokens?: number;
  /**
   * Returns the tools. It is called at most once per layer until `fingerprint` changes or the
   * group is refreshed. Parallel callers share one call. A failure is not cached. It should
   * honour `signal`.
   */
  readonly loader: (options: { readonly signal: AbortSignal }) => Promise<readonly Tool[]>;
  /** Changes when what the loader returns changes. */
  readonly fingerprint?: string;
  /** `false` leaves names bare; a clash is then an error at creation. */
  readonly prefix?: boolean;
  /** Annotations of the group's tools are believed only if this is true. */
  readonly trusted?: boolean;
  readonly exposure?: Exposure;
  /**
   * `mcp`: the tools return an MCP `CallToolResult`, and models see its content. If left out,
   * models see what the tools return, whatever its shape.
   */
  readonly resultFormat?: 'mcp';
  /** The group cannot be used now. The catalog shows it with the reason and the remedy. */
  readonly unavailable?: { readonly reason: string; readonly remedy?: string };
}

/** The id of the app's own tools in a catalog, in calls of `load_tools` and in a state. No group may have it. */
export const OWN_GROUP = 'app';

const isText = (value: unknown): boolean => typeof value === 'string';
const isBoolean = (value: unknown): boolean => typeof value === 'boolean';

/** All fields except the id, which is checked first, because errors name the group by it. */
const FIELDS: Readonly<Record<Exclude<keyof DeferredToolGroup, 'groupId'>, OptionCheck>> = {
  loader: [(value) => typeof value === 'function', 'a function that returns the tools'],
  toolNames: [orUndefined(isListOf(isText)), 'a list of names'],
  toolSummaries: [
    orUndefined(isListOf((item) => isRecord(item) && isText(item.name))),
    'a list of objects with a `name`',
  ],
  displayName: [orUndefined(isText), 'a text'],
  description: [orUndefined(isText), 'a text'],
  fingerprint: [orUndefined(isText), 'a text'],
  schemaTokens: [
    orUndefined((value) => typeof value === 'number' && value >= 0),
    'tokens, 0 or more',
  ],
  prefix: [orUndefined(isBoolean), 'true or false'],
  trusted: [orUndefined(isBoolean), 'true or false'],
  exposure: [
    orUndefined((value) => value === 'inline' || value === 'deferred' || value === 'hidden'),
    'inline, deferred or hidden',
  ],
  resultFormat: [orUndefined((value) => value === 'mcp'), 'mcp, or left out'],
  unavailable: [
    orUndefined((value) => isRecord(value) && isText(value.reason)),
    'an object with a `reason`',
  ],
};

/**
 * Throws `invalid-option` for the first invalid field of a group. The error names the group, or
 * its index if it has no id.
 */
export function checkGroups(groups: unknown): void {
  if (!Array.isArray(groups)) throw invalidOption('groups', 'a list of groups');
  groups.forEach((group: unknown, index) => {
    if (!isRecord(group)) throw invalidOption(`groups[${index}]`, 'a group');
    const { groupId } = group;
    if (typeof groupId !== 'string' || groupId === '')
      throw invalidOption(`groups[${index}].groupId`, 'a text such as mcp:github');
    for (const [field, [isFine, expected]] of Object.entries(FIELDS)) {
      if (!isFine(group[field])) throw invalidOption(`groups.${groupId}.${field}`, expected);
    }
  });
}

function isListOf(isFine: (item: unknown) => boolean): (value: unknown) => boolean {
  return (value) => Array.isArray(value) && value.every(isFine);
}

function orUndefined(isFine: (value: unknown) => boolean): (value: unknown) => boolean {
  return (value) => value === undefined || isFine(value);
}
