import { retryAfterIn } from '@toolfold/core/internal/time-limit.ts';
import { ownProperty, parsedJson, plainLine } from '@toolfold/core/internal/tools/values';

const MAX_BODY = 300;

/** An answer over HTTP with a status of failure. */
export interface HttpProblem {
  readonly status: number;
  /** Its number and reason, such as `HTTP 429 Too Many Requests; again in 30 s: slow down`. */
  readonly text: string;
  /** Milliseconds that the server asks to wait. */
  readonly retryAfter?: number;
}

/**
 * The reason of a status, with the headers `Location` and `Retry-After` in words. The SDK keeps only the
 * reason of an answer, and follows redirects within a server.
 */
export function reasonInWords({ status, statusText, headers, url }: Response, now: number): string {
  const named = statusText === '' ? (standardReason(status) ?? '') : statusText;
  const location = status < 400 ? headers.get('location') : null;
  const target = location === null ? null : URL.parse(location, url);
  const reason =
    target === null ? named : `${named} to ${target.protocol}//${target.host}${target.pathname}`;
  const wait = retryAfterIn(headers.get('retry-after') ?? '', now);
  return wait === undefined ? reason : `${reason}; again in ${Math.ceil(wait / 1000)} s`;
}

/** Loads `node:http` when it is needed: an import would make every start slower. */
function standardReason(status: number): string | undefined {
  return process.getBuiltinModule('node:http').STATUS_CODES[status];
}

/** What an error of the SDK says about an HTTP status; `undefined` for other errors. */
export function httpProblemOf(error: unknown): HttpProblem | undefined {
  const data = ownProperty(error, 'data');
  const status = ownProperty(data, 'status') ?? ownProperty(error, 'status');
  const message = String(ownProperty(error, 'message'));
  // The SDK's transport of 2024 has the status in the message only.
  const [, number, rest] =
    /^Error POSTing to endpoint \(HTTP (\d{3})\): (.*)$/s.exec(message) ?? [];
  if (number !== undefined) return problem(Number(number), undefined, rest);
  const isStatus = typeof status === 'number' && status >= 300 && status < 1000;
  // A number as code is an error of the server itself. Its data may hold the status of another service.
  if (!isStatus || typeof ownProperty(error, 'code') === 'number') return;
  return problem(status, ownProperty(data, 'statusText'), ownProperty(data, 'text'));
}

function problem(status: number, reason: unknown, body: unknown): HttpProblem {
  const named = (typeof reason === 'string' && reason) || standardReason(status);
  const head = `HTTP ${status}${named === undefined ? '' : ` ${plainLine(named, MAX_BODY)}`}`;
  const said = typeof body === 'string' ? bodyText(body) : '';
  const seconds = /; again in (\d+) s$/.exec(head)?.[1];
  return {
    status,
    text: said === '' ? head : `${head}: ${said}`,
    // At least a second, so that a server that names none is not called in a loop.
    ...(seconds === undefined ? {} : { retryAfter: Math.max(1, Number(seconds)) * 1000 }),
  };
}

/** The words of a body: the message of a JSON-RPC error, the title of a page, or the beginning of a text. */
function bodyText(body: string): string {
  const error = ownProperty(parsedJson(body), 'error');
  const message = ownProperty(error, 'message') ?? error;
  if (typeof message === 'string') return plainLine(message, MAX_BODY);
  const isPage = /^\s*<(?:!doctype|html|head|body)\b/i.test(body);
  const text = isPage ? (/<title>([^<]*)/i.exec(body)?.[1] ?? '') : body;
  return plainLine(text.trim(), MAX_BODY).replace(/\.$/, '');
}
