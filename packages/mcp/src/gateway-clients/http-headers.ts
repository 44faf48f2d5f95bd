import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import {
  isRecord,
  type JsonObject,
  ownProperties,
  ownProperty,
  withDigits,
} from '@toolfold/core/internal/values';
import {
  HEADER_MISMATCH,
  hasEnvelope,
  INVALID_PARAMS,
  MODERN,
  metaOf,
  RpcError,
} from './messages.ts';

/** Who may use the gateway over HTTP. */
export interface Access {
  /** The address that the gateway listens on. */
  readonly host: string;
  /** The token that each request must have; `undefined` if none is needed. */
  readonly token: string | undefined;
}

/** Why a request is refused. */
interface HttpRefusal {
  readonly status: number;
  readonly message: string;
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

/** Whether only programs of this machine reach an address. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.has(host) || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Why a request may not be answered; `undefined` if it may. */
export function refusalOf(
  { headers }: Pick<IncomingMessage, 'headers'>,
  access: Access,
): HttpRefusal | undefined {
  const { host = '', origin } = headers;
  const name = nameOf(`http://${host}`);
  // A page that a browser shows can name this machine as its own host.
  if (name === undefined || !isOwnHost(name, access))
    return { status: 403, message: 'The Host header names another host.' };
  if (origin !== undefined && !isAllowedOrigin(origin, name))
    return { status: 403, message: 'The Origin header names another site.' };
  if (access.token === undefined || hasToken(headers.authorization, access.token)) return;
  return { status: 401, message: 'The bearer token is missing or wrong.' };
}

function isOwnHost(name: string, { host, token }: Access): boolean {
  if (isLoopback(name) || name === host) return true;
  // Such a page does not have the token. The machine may have any name for others.
  return token !== undefined && !isLoopback(host);
}

function isAllowedOrigin(origin: string, host: string): boolean {
  const name = nameOf(origin);
  return name !== undefined && (isLoopback(name) || name === host);
}

function nameOf(url: string): string | undefined {
  return URL.parse(url)?.hostname || undefined;
}

function hasToken(given: string | undefined, token: string): boolean {
  const [, text = ''] = /^Bearer (.+)$/i.exec(given ?? '') ?? [];
  return timingSafeEqual(digest(text), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** The address as a URL writes it. */
export function inUrl(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

/** The parameter that the header `Mcp-Name` repeats, by method. */
const NAMED: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/**
 * Checks that the headers of a request since 2026-07-28 say what its body says. Programs between client and
 * server read only the headers. Throws `RpcError`. `schemaOf`: the input schema of a tool.
 */
export function checkHeaders(
  headers: IncomingHttpHeaders,
  message: Readonly<Record<string, unknown>>,
  schemaOf: (tool: string) => unknown,
): void {
  const { method, params, id } = message;
  const version = textOf(headers['mcp-protocol-version']);
  if (!hasEnvelope(params)) {
    if (version !== MODERN || id === undefined || method === 'initialize') return;
    const text = `The header MCP-Protocol-Version names ${MODERN}, but _meta has no ${VERSION_KEY}.`;
    throw new RpcError(INVALID_PARAMS, text, { envelope: { missing: [VERSION_KEY] } });
  }
  const claimed = metaOf(params)[VERSION_KEY];
  match('MCP-Protocol-Version', version, String(claimed));
  if (id === undefined) return;
  match('Mcp-Method', textOf(headers['mcp-method']), String(method));
  const key = NAMED[String(method)];
  const name = key === undefined ? undefined : ownProperty(params, key);
  if (typeof name === 'string') match('Mcp-Name', decoded(headers['mcp-name']), name);
  if (method !== 'tools/call' || typeof name !== 'string') return;
  const input = ownProperty(params, 'arguments');
  for (const [header, value] of declared(schemaOf(name), input)) {
    const given = headers[`mcp-param-${header.toLowerCase()}`];
    match(`Mcp-Param-${header}`, decoded(given), value);
  }
}

/** The headers that the schema of a tool asks for, with what the arguments say. */
function declared(schema: unknown, input: unknown): [string, string | number | bigint][] {
  return Object.entries(ownProperties(ownProperty(schema, 'properties'))).flatMap(
    ([key, property]): [string, string | number | bigint][] => {
      const value = ownProperty(input, key);
      const header = ownProperty(property, 'x-mcp-header');
      const nested = isRecord(value) ? declared(property, value) : [];
      if (typeof header !== 'string') return nested;
      if (typeof value === 'number' || typeof value === 'bigint')
        return [[header, value], ...nested];
      const isText = typeof value === 'string' || typeof value === 'boolean';
      return isText ? [[header, String(value)], ...nested] : nested;
    },
  );
}

function match(header: string, given: string | undefined, value: string | number | bigint): void {
  // A number beyond 2^53 may be left out of the headers.
  if (typeof value === 'bigint' && given === undefined) return;
  const isEqual = typeof value === 'number' ? isNumber(given, value) : given === `${value}`;
  if (isEqual) return;
  const problem = given === undefined ? 'is missing' : `is ${JSON.stringify(given.slice(0, 80))}`;
  const data: JsonObject = { mismatch: { header, ...(given !== undefined && { given }) } };
  const text = `The header ${header} ${problem}, but the body says ${JSON.stringify(withDigits(value)).slice(0, 80)}.`;
  throw new RpcError(HEADER_MISMATCH, text, data);
}

function isNumber(given: string | undefined, value: number): boolean {
  return given !== undefined && /^-?\d+(\.\d+)?$/.test(given) && Number(given) === value;
}

function textOf(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value.trim() : undefined;
}

/** The value of a header, which is in base64 where it would not be plain text. */
function decoded(value: string | string[] | undefined): string | undefined {
  const text = textOf(value);
  const [, base64] = /^=\?base64\?(.*)\?=$/.exec(text ?? '') ?? [];
  if (base64 === undefined) return text;
  const bytes = Buffer.from(base64, 'base64');
  const isSound = bytes.toString('base64') === base64;
  return isSound ? bytes.toString('utf8') : `${text} (no base64)`;
}
