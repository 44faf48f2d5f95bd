import type { ToolRequest } from '@toolfold/core/internal/tools/calls';
import type { Session } from '@toolfold/core/internal/tools/session';
import type { TokenCounter } from '@toolfold/core/internal/tools/tool';
import { askedOf, type CacheAsked, type CachePlan } from '../../caching/index.ts';
import type { LanguageModelV4CallOptions } from '../../protocol/index.ts';
import { type EpochBegun, epochBegun } from './epoch-begun.ts';
import type { Labels } from './labels.ts';
import type { LastSent } from './last-sent.ts';
import { type CountedRequest, countPlainRequest, type RequestTokens } from './request-tokens.ts';
import { type SchemaSource, schemaSource } from './schema-source.ts';
import type { Segment } from './segment.ts';
import { segmentsOf } from './segments.ts';
import type { SentMessage } from './sent-message.ts';
import { type ToolsChanged, toolsChanged } from './tools-changed.ts';

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

interface Sent {
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
export function requestEvent(sent: Sent): RequestEvent {
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
