import {
  isRecord,
  type JsonObject,
  ownProperties,
  ownProperty,
} from '@toolfold/core/internal/tools/values';
import { VERSION } from '@toolfold/core/internal/version.ts';
import { INVALID_PARAMS, RpcError, UNSUPPORTED_VERSION } from './rpc-error.ts';

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
