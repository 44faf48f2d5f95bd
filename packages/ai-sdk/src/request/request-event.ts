import type { ToolRequest } from '@toolfold/core/internal/calls';
import type { Session } from '@toolfold/core/internal/session';
import { canonicalName, groupSlug, type TokenCounter } from '@toolfold/core/internal/tool';
import { askedOf, type CacheAsked, type CachePlan } from '../caching/index.ts';
import type { LanguageModelV4CallOptions } from '../protocol/index.ts';
import type { LastSent, SentMessage } from './last-sent.ts';
import {
  type CountedRequest,
  countPlainRequest,
  type RequestTokens,
  segmentsOf,
} from './request-tokens.ts';
import type { Labels, Segment } from './segments.ts';

/** One request as it is sent. */
export interface RequestEvent {
  /** `none` if an agent sends the request without the fold, because it needs no tools. */
  readonly strategy: string;
  /** The provider's form of appended schemas, if the strategy appends schemas. */
  readonly form?: string;
  readonly tokens: RequestTokens;
  /** What it asks of the provider's prompt cache. */
  readonly cache: CacheAsked;
  /** The tools whose schemas this request preloads. */
  readonly preloaded?: readonly string[];
  /** The parts of the request in wire order: the tools, the system text, the catalog, each message. */
  readonly segments: readonly Segment[];
  /** The epoch that begins with this request. */
  readonly epoch?: EpochBegun;
  /** What changed in the list of tools since the epoch began, if this request announces it. */
  readonly toolsChanged?: ToolsChanged;
  /** The JSON of the segments, or of some of them, by hash. Not enumerable. */
  readonly texts?: (of?: readonly Segment[]) => ReadonlyMap<string, string>;
  /** How the model got the schema of a tool; undefined if it has none. Not enumerable. */
  readonly schemaOf?: (name: string) => SchemaSource | undefined;
}

interface RequestEventInput {
  readonly params: LanguageModelV4CallOptions;
  readonly turn: ToolRequest;
  readonly session: Session;
  readonly preloaded: readonly string[];
  readonly plan: CachePlan;
  readonly counted: CountedRequest;
  readonly labels: Labels | undefined;
  /** Why the endpoint has just refused appended tools. */
  readonly refused: string | undefined;
  readonly messages: readonly SentMessage[];
  readonly last: LastSent;
}

/** Describes a request for the host. */
export function requestEvent(sent: RequestEventInput): RequestEvent {
  const { params, turn, session, preloaded, plan, counted, labels, refused, messages, last } = sent;
  const { strategy, append } = turn.epoch;
  const segments = segmentsOf(params, counted.parts, labels, last, messages);
  const { total, bridges, catalog } = counted.tokens;
  const later = segments.added - bridges - catalog;
  // With all schemas declared instead.
  const eager = total - segments.added + session.deferredTokens(turn);
  const epoch = epochBegun(turn, refused);
  const changed = toolsChanged(turn, session);
  const event: RequestEvent = {
    strategy: strategy.name,
    ...(append ? { form: append.id } : {}),
    ...(preloaded.length > 0 ? { preloaded } : {}),
    tokens: { ...counted.tokens, later, eager },
    cache: askedOf(plan, counted.parts),
    segments: segments.list,
    ...(epoch ? { epoch } : {}),
    ...(changed ? { toolsChanged: changed } : {}),
  };
  const schemaOf = (name: string) => schemaSource(turn, preloaded, name);
  return withHidden(event, { texts: segments.texts, schemaOf });
}

/** Describes a request without tools. */
export function plainRequestEvent(
  params: LanguageModelV4CallOptions,
  model: { readonly provider: string; readonly modelId: string },
  countTokens: TokenCounter,
  last: LastSent,
): RequestEvent {
  const messages = last.messages.of(params.prompt);
  const { tokens, parts } = countPlainRequest(params, model, countTokens, last, messages);
  const { list: segments, texts } = segmentsOf(params, parts, undefined, last, messages);
  return withHidden(
    {
      strategy: 'none',
      tokens: { ...tokens, later: 0, eager: tokens.total },
      cache: askedOf('no tools', parts),
      segments,
    },
    { texts },
  );
}

/** Adds functions that JSON and copies leave out. */
export function withHidden<T extends object, H extends object>(value: T, hidden: H): T & H {
  for (const [key, of] of Object.entries(hidden))
    Object.defineProperty(value, key, { value: of, enumerable: false });
  return value as T & H;
}

/** An epoch that begins with a request. */
export interface EpochBegun {
  readonly strategy: string;
  /** Why it begins. */
  readonly reason: string;
  /** A hash of what it freezes. */
  readonly fingerprint: string;
}

/** The epoch that begins with this request; undefined if an epoch continues. `refused`: why the endpoint refused appended tools. */
function epochBegun(turn: ToolRequest, refused: string | undefined): EpochBegun | undefined {
  const { presentation, conversation } = turn;
  const next = presentation.note?.epoch;
  if (!next) return;
  const { strategy, fingerprint } = next;
  const before = conversation.epoch;
  const reason = () => {
    if (refused !== undefined) return `the endpoint refused tools in mid-conversation: ${refused}`;
    if (!before) return turn.reason;
    if (before.scope !== next.scope) return 'the role or the model changed';
    if (before.strategy !== strategy) return `the strategy changed from ${before.strategy}`;
    return 'the tools changed';
  };
  return { strategy, reason: reason(), fingerprint };
}

/**
 * How the model got the schema of a tool. `inline`: declared in every request. `preloaded`: sent with the
 * user's words, before the model asked. `loaded`: the model asked for it. `native`: it asked for it, and
 * the schema was appended in the provider's own form.
 */
export type SchemaSource = 'inline' | 'preloaded' | 'loaded' | 'native';

/**
 * How the model got the schema of the tool, as of this request. Undefined if it has none. `preloaded`:
 * the tools that this request preloads.
 */
function schemaSource(
  turn: ToolRequest,
  preloaded: readonly string[],
  name: string,
): SchemaSource | undefined {
  const { epoch, presentation, conversation } = turn;
  const isDeclared = presentation.tools.some((tool) => tool.name === name);
  if (isDeclared && epoch.strategy.defers === 'nothing') return 'inline';
  if (epoch.ownNames.includes(name)) return 'inline';
  if (epoch.groupTools.some((tool) => tool.name === name)) return 'inline';
  if (preloaded.includes(name) || isPreloaded(turn, name)) return 'preloaded';
  const delivery = presentation.deliveries.find(({ tools }) =>
    tools.some((tool) => tool.name === name),
  );
  // What the model asked for stands in the result of a call.
  if (delivery) return delivery.callId === undefined ? 'preloaded' : 'native';
  const isShown = conversation.shownSchemas.some((schema) => schema.name === name);
  return isDeclared || isShown ? 'loaded' : undefined;
}

/** Whether a text of the request shows the preloaded schema. The texts of an earlier epoch are not sent. */
export function isPreloaded({ conversation, presentation }: ToolRequest, name: string): boolean {
  const mark = `"name":${JSON.stringify(name)}`;
  return (
    conversation.preloaded.has(name) && presentation.inserts.some(({ text }) => text.includes(mark))
  );
}

/** Names of tools that came and that went. */
export interface ToolsChanged {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/**
 * What changed in the list of tools since the epoch of the conversation began. Undefined if this request
 * has no notice of a change.
 */
function toolsChanged(
  { epoch, presentation }: ToolRequest,
  session: Session,
): ToolsChanged | undefined {
  const { note } = presentation;
  if (note?.announced === undefined || note.epoch !== undefined) return;
  const explained = session.explain().tools.map(({ name }) => name);
  const isOwn = (name: string) => session.find(name)?.appTool !== undefined;
  const now = new Set([...explained.filter(isOwn), ...session.groupToolNames()]);
  const grouped = [...epoch.list.groups].flatMap(([groupId, { names }]) =>
    names.map((name) => [canonicalName(groupSlug(groupId), name), name]),
  );
  const listed = [...epoch.list.own.map((name) => [name]), ...grouped];
  const before = new Set(listed.flat());
  // A group without a list shows its tools when it loads: that is no change.
  const lists = ({ groupId = '' }: { readonly groupId?: string | undefined }) =>
    epoch.list.groups.get(groupId)?.names.length !== 0;
  const isNew = (name: string) => !before.has(name) && lists(session.find(name) ?? {});
  return {
    added: [...now].filter(isNew),
    removed: listed.flatMap((names) =>
      names.some((name) => now.has(name)) ? [] : names.slice(0, 1),
    ),
  };
}
