import { connectionFailed, type ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { isAppOnly } from '@toolfold/core/internal/registry';
import {
  canonicalName,
  type DeferredToolGroup,
  definitionTokens,
  estimateTokens,
  groupSlug,
  type Tool,
  type ToolAnnotations,
  type ToolCallOptions,
  type ToolSummary,
} from '@toolfold/core/internal/tool';
import {
  checkKnown,
  isRecord,
  type JsonObject,
  type KnownOptions,
  ownProperties,
  ownProperty,
  pick,
  truncate,
} from '@toolfold/core/internal/values';
import type { ListedTool, ServerListing } from '../connection/index.ts';
import type { Failure } from '../transport/index.ts';
import { fingerprintOf } from './manifest.ts';

/** Maximum characters of a group's description, which is one line of a catalog. */
const MAX_DESCRIPTION = 200;

/** Runs one of a server's tools and returns the result as received. `tool`: its definition as listed. */
export type CallTool = (
  tool: ListedTool,
  input: unknown,
  options: ToolCallOptions,
) => Promise<unknown>;

/** Options of `toGroup`. */
export interface GroupOptions {
  /** Runs the tools. Without it, as for a captured list, the tools can be read but not run. */
  readonly callTool?: CallTool;
  /** Whether the user trusts this server's annotations. */
  readonly trusted?: boolean;
  /** The fingerprint of the tools, where it is known. */
  readonly fingerprint?: string;
}

const TO_GROUP_OPTIONS: KnownOptions<GroupOptions> = {
  callTool: true,
  trusted: true,
  fingerprint: true,
};

/** The group `mcp:<server>` of a server that listed its tools. */
export function toGroup(
  server: string,
  listing: ServerListing,
  options: GroupOptions,
): DeferredToolGroup {
  checkKnown('toGroup()', options, TO_GROUP_OPTIONS);
  const tools = listing.tools.map((tool) => toTool(tool, options.callTool));
  // The catalog must not list names that the model may not use.
  const visible = tools.filter((tool) => tool.exposure !== 'hidden');
  const title = ownProperty(listing.serverInfo, 'title');
  const description = describe(listing);
  const groupId = `mcp:${server}`;
  return {
    groupId,
    displayName: typeof title === 'string' && title !== '' ? title : server,
    ...pick({ description }, 'description'),
    toolNames: visible.map((tool) => tool.name),
    toolSummaries: visible.map((tool): ToolSummary => pick(tool, 'name', 'description')),
    schemaTokens: schemaTokens(groupSlug(groupId), visible),
    loader: () => Promise.resolve(tools),
    fingerprint: options.fingerprint ?? fingerprintOf(listing),
    trusted: options.trusted === true,
    resultFormat: 'mcp',
  };
}

/** The group of a failed server. The catalog shows the reason, and loading the group throws it. */
export function toUnavailableGroup(server: string, failure: Failure): DeferredToolGroup {
  const { reason, remedy } = failure;
  return {
    groupId: `mcp:${server}`,
    displayName: server,
    toolNames: [],
    loader: () => Promise.reject(notUsable(server, failure)),
    unavailable: { reason, remedy },
    resultFormat: 'mcp',
  };
}

/** The error for a server that cannot be used. `waits`: milliseconds until the next attempt. */
export function notUsable(server: string, { reason, remedy }: Failure, waits = 0): ToolfoldError {
  const seconds = Math.ceil(waits / 1000);
  const next =
    Number.isFinite(waits) && waits > 0 ? ` The next attempt is possible in ${seconds} s.` : '';
  return connectionFailed(`The MCP server ${server} cannot be used: ${reason}.${next}`, remedy);
}

/** Tokens of the definitions as they are sent to a model. The strategy `auto` needs them before loading. */
function schemaTokens(slug: string, tools: readonly Tool[]): number {
  const tokens = tools.map(({ name, description, inputSchema }) => {
    const definition = {
      name: canonicalName(slug, name),
      ...pick({ description }, 'description'),
      parameters: isRecord(inputSchema) ? inputSchema : {},
    };
    return definitionTokens(definition, estimateTokens);
  });
  return tokens.reduce((sum, count) => sum + count, 0);
}

function toTool(listed: ListedTool, callTool: CallTool | undefined): Tool {
  const { name } = listed;
  const { description, inputSchema, annotations, _meta: meta } = ownProperties(listed);
  return {
    name,
    ...(typeof description === 'string' && { description }),
    inputSchema: isRecord(inputSchema) ? inputSchema : { type: 'object' },
    ...(isRecord(annotations) && { annotations: annotations as ToolAnnotations }),
    ...(isRecord(meta) && { meta: meta as JsonObject }),
    takesBigints: true,
    ...(isAppOnly(meta) && { exposure: 'hidden' as const }),
    ...(callTool && { execute: (input, options) => callTool(listed, input, options) }),
  };
}

function describe({ instructions, serverInfo }: ServerListing): string | undefined {
  const ofItself = ownProperty(serverInfo, 'description');
  const texts = [instructions, typeof ofItself === 'string' ? ofItself : undefined];
  return texts.map((text) => firstSentence(text ?? '')).find((text) => text !== '');
}

function firstSentence(text: string): string {
  // A hostile long text could make the expressions below very slow.
  const paragraph = text
    .slice(0, MAX_DESCRIPTION * 20)
    .split(/\n\s*\n/)
    .map((part) => part.replace(/^\s*#.*$/gm, '').trim())
    .find((part) => part !== '');
  const line = (paragraph ?? '').replace(/\s+/g, ' ');
  const sentence = /^.+?[.!?](?= |$)/.exec(line)?.[0] ?? line;
  return truncate(sentence, MAX_DESCRIPTION);
}
