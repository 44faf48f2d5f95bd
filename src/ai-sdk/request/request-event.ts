import type { ToolRequest } from '../../tools/calls/index.ts';
import type { Session } from '../../tools/session/index.ts';
import type { LanguageModelV4CallOptions } from '../protocol/index.ts';
import {
  type EpochBegun,
  epochBegun,
  type SchemaSource,
  type Segment,
  schemaSource,
  segmentsOf,
  type ToolsChanged,
  toolsChanged,
} from './facts/index.ts';
import { type CountedRequest, type RequestTokens, toolTokens } from './request-tokens.ts';

/** One request as it is sent. */
export interface RequestEvent {
  readonly strategy: string;
  /** The provider's form of appended schemas, if the strategy appends schemas. */
  readonly form?: string;
  readonly tokens: RequestTokens;
  /** The tools whose schemas this request preloads. */
  readonly preloaded?: readonly string[];
  /** The parts of the request in wire order: the tools, the system text, each message. */
  readonly segments: readonly Segment[];
  /** The epoch that begins with this request. */
  readonly epoch?: EpochBegun;
  /** What changed in the list of tools since the epoch began, if this request announces it. */
  readonly toolsChanged?: ToolsChanged;
  /** The JSON of each segment, by hash. Not enumerable. */
  readonly texts?: () => ReadonlyMap<string, string>;
  /** How the model got the schema of a tool; undefined if it has none. Not enumerable. */
  readonly schemaOf?: (name: string) => SchemaSource | undefined;
}

interface Sent {
  readonly params: LanguageModelV4CallOptions;
  readonly turn: ToolRequest;
  readonly session: Session;
  readonly preloaded: readonly string[];
  readonly counted: CountedRequest;
  /** Why the endpoint has just refused appended tools. */
  readonly refused: string | undefined;
}

/** Describes a request for the host. */
export function requestEvent(sent: Sent): RequestEvent {
  const { params, turn, session, preloaded, counted, refused } = sent;
  const { strategy, append } = turn.epoch;
  const { tokens, messages } = counted;
  const segments = segmentsOf(params, { tools: toolTokens(tokens), messages });
  const epoch = epochBegun(turn, session, refused);
  const changed = toolsChanged(turn, session);
  const event: RequestEvent = {
    strategy: strategy.name,
    ...(append ? { form: append.id } : {}),
    ...(preloaded.length > 0 ? { preloaded } : {}),
    tokens,
    segments: segments.list,
    ...(epoch ? { epoch } : {}),
    ...(changed ? { toolsChanged: changed } : {}),
  };
  const schemaOf = (name: string) => schemaSource(turn, preloaded, name);
  return withHidden(event, { texts: segments.texts, schemaOf });
}

/** Adds functions that JSON and copies leave out. */
export function withHidden<T extends object, H extends object>(value: T, hidden: H): T & H {
  for (const [key, of] of Object.entries(hidden))
    Object.defineProperty(value, key, { value: of, enumerable: false });
  return value as T & H;
}
