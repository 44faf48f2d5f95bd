import type { IncomingHttpHeaders } from 'node:http';
import { isRecord, parsedJson } from '@toolfold/core/internal/values';

/** The request formats of the scripted server and the auditor. */
export type WireProvider = 'anthropic' | 'openai-responses' | 'openai-chat';

/** One received request, without keys. */
export interface RecordedRequest {
  readonly provider: WireProvider;
  /** The path, without host, port and query. */
  readonly url: string;
  readonly body: Record<string, unknown>;
  /** The exact text of the body. */
  readonly raw: string;
  /** All headers except those that may carry a secret. */
  readonly headers: Readonly<Record<string, string>>;
  readonly stream: boolean;
}

// `x-api-key`, `authorization`, `cookie`, `x-goog-api-key`, `x-auth-token` and similar names.
const SECRET_HEADER = /auth|key|token|secret|cookie|password|credential/i;

/** Whether a header of this name carries, or may carry, a secret. */
export function isSecretHeader(name: string): boolean {
  return SECRET_HEADER.test(name);
}

/** Creates the record of a request; undefined if the body is not a JSON object. */
export function recordRequest(
  provider: WireProvider,
  url: string,
  raw: string,
  headers: IncomingHttpHeaders,
): RecordedRequest | undefined {
  const body = parseObject(raw);
  if (body === undefined) return undefined;
  return {
    provider,
    url,
    body,
    raw,
    headers: withoutSecrets(headers),
    stream: body.stream === true,
  };
}

/** Recorded requests as lines of `{ provider, url, body }`, the input of `toolfold audit`. */
export function toJsonl(requests: readonly RecordedRequest[]): string {
  return requests
    .map(({ provider, url, body }) => `${JSON.stringify({ provider, url, body })}\n`)
    .join('');
}

function parseObject(raw: string): Record<string, unknown> | undefined {
  const body = parsedJson(raw);
  // Undefined: the server then answers 400, like the real ones.
  return isRecord(body) ? body : undefined;
}

function withoutSecrets(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !isSecretHeader(name))
      .map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
}

/** The objects of a list, in order; empty if the value is not a list. */
export function recordsOf(list: unknown): Record<string, unknown>[] {
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

/** The tools of a request body that have a name, in any provider's form. */
export function declaredTools(
  body: Readonly<Record<string, unknown>>,
): { index: number; name: string; tool: Record<string, unknown> }[] {
  return recordsOf(body.tools).flatMap((entry, index) => {
    const tool = isRecord(entry.function) ? entry.function : entry;
    const name = tool.name;
    return typeof name === 'string' ? [{ index, name, tool }] : [];
  });
}

/** The first name that occurs a second time. */
export function duplicateOf(names: readonly string[]): string | undefined {
  return names.find((name, index) => names.indexOf(name) !== index);
}

/** The ends of the paths that models are asked at. */
const PATHS: readonly (readonly [end: string, provider: WireProvider])[] = [
  ['/messages', 'anthropic'],
  ['/responses', 'openai-responses'],
  ['/chat/completions', 'openai-chat'],
];

/** The ends of other paths whose requests have messages or input as well. */
const OTHER_PATHS =
  /\/(count_tokens|input_tokens|compact|embeddings|moderations|audio\/speech|converse(-stream)?)$/;

/**
 * The format of a request to a model, by its address (a URL or a path, whatever the host) and, of
 * Anthropic's models on other clouds, by its body. `undefined` for any other request.
 */
export function wireProviderOf(
  url: string,
  body: Readonly<Record<string, unknown>>,
): WireProvider | undefined {
  const path = pathOf(url);
  const provider = PATHS.find(([end]) => path.endsWith(end))?.[1];
  return provider ?? (typeof body.anthropic_version === 'string' ? 'anthropic' : undefined);
}

/**
 * The path of an address whose requests ask for something else than an answer, such as embeddings.
 * `undefined` for any other address. Without the query, which may hold a key.
 */
export function otherEndpointOf(url: string): string | undefined {
  const path = pathOf(url);
  return OTHER_PATHS.test(path) ? path : undefined;
}

function pathOf(url: string): string {
  return URL.parse(url, 'http://localhost')?.pathname.replace(/\/+$/, '') ?? '';
}
