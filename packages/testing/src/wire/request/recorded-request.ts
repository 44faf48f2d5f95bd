import type { IncomingHttpHeaders } from 'node:http';
import { isRecord, parsedJson } from '@toolfold/core/internal/tools/values';

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
