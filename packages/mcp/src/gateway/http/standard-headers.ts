import type { IncomingHttpHeaders } from 'node:http';
import {
  isRecord,
  type JsonObject,
  ownProperties,
  ownProperty,
  withDigits,
} from '@toolfold/core/internal/tools/values';
import {
  HEADER_MISMATCH,
  hasEnvelope,
  INVALID_PARAMS,
  MODERN,
  metaOf,
  RpcError,
} from '../front/index.ts';

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
