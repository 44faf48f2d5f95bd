import { errorMessage } from '@toolfold/core/internal/errors.ts';
import {
  exactJson,
  isRecord,
  type JsonObject,
  type JsonValue,
  ownProperties,
  ownProperty,
  truncate,
} from '@toolfold/core/internal/values';
import { VERSION } from '@toolfold/core/internal/version.ts';
import { AnsweredError } from '../transport/index.ts';

/** What a client sent, or the answer to what cannot be read. */
type ParsedMessage = { readonly message: unknown } | { readonly refused: JsonObject };

/**
 * Reads a message of a client. Integers that no number holds are bigints, so that a server gets them as they were
 * written. A message with another number that cannot be held is refused: no server gets a number that nobody wrote.
 */
export function readMessage(text: string, what: 'line' | 'body'): ParsedMessage {
  try {
    const read = exactJson(text);
    if (!('lost' in read)) return { message: read.value };
    const id = ownProperty(JSON.parse(text), 'id');
    const message = `The number ${truncate(read.lost, 60)} has more digits than a number can hold. Write it as a string where the tool takes a string.`;
    return refused(INVALID_REQUEST, message, typeof id === 'string' || isSafe(id) ? id : null);
  } catch {
    return refused(PARSE_ERROR, `The ${what} is not JSON.`, null);
  }
}

function refused(code: number, message: string, id: string | number | null): ParsedMessage {
  return { refused: { jsonrpc: '2.0', id, error: { code, message } } };
}

function isSafe(id: unknown): id is number {
  return Number.isSafeInteger(id);
}

/** The revision without sessions, in which each request says who sends it. */
export const MODERN = '2026-07-28';

/** The revisions with a handshake, newest first. */
const LEGACY: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

export type Era = 'legacy' | 'modern';

const PREFIX = 'io.modelcontextprotocol/';

/** The fields of `_meta` that belong to one connection and are not passed on. */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set([
  ...['protocolVersion', 'clientInfo', 'clientCapabilities'].map((key) => `${PREFIX}${key}`),
  'progressToken',
]);

export const SERVER_INFO: JsonObject = { name: 'toolfold', version: VERSION };

/** How the gateway identifies itself in results, since 2026-07-28. */
export const IDENTITY: JsonObject = { [`${PREFIX}serverInfo`]: SERVER_INFO };

/** The revision to use with a client that asks for this one in its handshake. */
export function agreedRevision(asked: unknown): string {
  return LEGACY.find((revision) => revision === asked) ?? (LEGACY[0] as string);
}

/** Whether a request names its revision, as all do since 2026-07-28. */
export function hasEnvelope(params: unknown): boolean {
  return ownProperty(metaOf(params), `${PREFIX}protocolVersion`) !== undefined;
}

export function metaOf(params: unknown): JsonObject {
  return ownProperties(ownProperty(params, '_meta')) as JsonObject;
}

/** What a request of 2026-07-28 says of its client. Throws if it is incomplete. */
export function readEnvelope(params: unknown): {
  readonly capabilities: JsonObject;
  readonly logLevel: string | undefined;
} {
  const meta = metaOf(params);
  const version = meta[`${PREFIX}protocolVersion`];
  if (typeof version !== 'string') throw incomplete('protocolVersion');
  if (version !== MODERN) {
    const data = { supported: [MODERN], requested: version };
    throw new RpcError(UNSUPPORTED_VERSION, `Unsupported protocol version: ${version}`, data);
  }
  const info = meta[`${PREFIX}clientInfo`];
  const capabilities = meta[`${PREFIX}clientCapabilities`];
  const isNamed = isRecord(info) && typeof info.name === 'string';
  if (info !== undefined && !isNamed) throw incomplete('clientInfo');
  if (!isRecord(capabilities)) throw incomplete('clientCapabilities');
  const logLevel = meta[`${PREFIX}logLevel`];
  return {
    capabilities: capabilities as JsonObject,
    logLevel: typeof logLevel === 'string' ? logLevel : undefined,
  };
}

function incomplete(key: string): RpcError {
  return new RpcError(
    INVALID_PARAMS,
    `Invalid _meta envelope for protocol revision ${MODERN}: ${PREFIX}${key} is missing or malformed.`,
    { envelope: { key: `${PREFIX}${key}` } },
  );
}

/** The parameters without what only concerns the connection of the client. */
export function passedOn(params: JsonObject): JsonObject {
  if (!isRecord(params._meta)) return params;
  const { _meta: meta, ...others } = params;
  const kept = Object.entries(ownProperties(meta)).filter(([key]) => !OF_THE_CONNECTION.has(key));
  if (kept.length === 0) return others;
  return { ...params, _meta: Object.fromEntries(kept) as JsonObject };
}

/** The methods whose results say how long they may be kept, since 2026-07-28. */
const CACHEABLE: ReadonlySet<string> = new Set([
  ...['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'],
  ...['resources/read', 'server/discover'],
]);

/** A result with what the revision of the client demands, and unchanged apart from that. */
export function resultFor(era: Era, method: string, result: JsonObject): JsonObject {
  if (era === 'legacy') {
    if (!('resultType' in result)) return result;
    const { resultType: _, ...others } = result;
    if (!CACHEABLE.has(method)) return others;
    const { ttlMs: __, cacheScope: ___, ...uncached } = others;
    return uncached;
  }
  const isComplete = result.resultType === undefined || result.resultType === 'complete';
  return {
    ...result,
    ...(result.resultType === undefined && { resultType: 'complete' }),
    ...(isComplete &&
      CACHEABLE.has(method) && { ttlMs: 0, cacheScope: 'private', ...picked(result) }),
  };
}

function picked({ ttlMs, cacheScope }: JsonObject): JsonObject {
  return {
    ...(typeof ttlMs === 'number' && { ttlMs }),
    ...(typeof cacheScope === 'string' && { cacheScope }),
  };
}

const PARSE_ERROR = -32_700;
export const INVALID_REQUEST = -32_600;
export const METHOD_NOT_FOUND = -32_601;
export const INVALID_PARAMS = -32_602;
export const INTERNAL_ERROR = -32_603;
export const HEADER_MISMATCH = -32_020;
/** A client lacks a capability that a call needs, since 2026-07-28. */
export const MISSING_CAPABILITY = -32_021;
const UNSUPPORTED_VERSION = -32_022;
/** A resource that does not exist, until 2025-11-25. */
const OLD_NOT_FOUND = -32_002;

/** An error with which the gateway itself answers a request. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: JsonValue | undefined;

  constructor(code: number, message: string, data?: JsonValue) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** The `error` of an answer. What a server answered stays as it is. */
export function errorFor(era: 'legacy' | 'modern', error: unknown): JsonObject {
  if (error instanceof AnsweredError) {
    const isOld = era === 'modern' && error.code === OLD_NOT_FOUND;
    return isOld ? { ...error.error, code: INVALID_PARAMS } : error.error;
  }
  if (error instanceof RpcError) {
    const { code, message, data } = error;
    return { code, message, ...(data !== undefined && { data }) };
  }
  return { code: INTERNAL_ERROR, message: errorMessage(error) };
}
