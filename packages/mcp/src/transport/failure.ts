import { inspect } from 'node:util';
import { connectionFailed, errorMessage, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import {
  listIn,
  ownProperty,
  parsedJson,
  plainLine,
  retryAfterIn,
  truncate,
  within,
} from '@toolfold/core/internal/values';
import type { ServerEntry } from '../config/index.ts';
import { redact, stripControls } from '../redact.ts';
import type { Failure, OpenTransport } from './open-transport.ts';

const MAX_REASON = 1000;

/** How long the end of a server that takes nothing more is waited for: so many steps, of so many milliseconds. */
const STEPS = 20;
const STEP = 100;

/**
 * Describes a connection error, with how the process ended and its last output. `entry`: the entry of the
 * server, for the advice.
 */
export async function describeFailure(
  error: unknown,
  opened: OpenTransport | undefined,
  secrets: readonly string[],
  entry?: ServerEntry,
): Promise<Failure> {
  // After a bad answer the server is closed by us, so the way its process ended says nothing.
  const ended = isLost(error) ? await endOf(opened) : undefined;
  const breach: string | undefined = opened?.watch.breach.signal.reason;
  const failure =
    breach === undefined
      ? (ended ?? fromError(error, entry))
      : { reason: breach, remedy: 'Report it to the maker of the server, or remove its entry.' };
  return withOutputTail(failure, opened, secrets);
}

const LOST = /^(?:E[A-Z\d]+|ERR_\w+|UND_ERR\w*|CONNECTION_CLOSED|NOT_CONNECTED|SEND_FAILED)$/;

/** Whether the connection failed, and not one answer. */
export function isLost(error: unknown): boolean {
  const code = ownProperty(error, 'code');
  return typeof code === 'string' && LOST.test(code);
}

/** A step is late where this process is busy. What the system has to say of the server is read before the next one. */
async function endOf(opened: OpenTransport | undefined): Promise<Failure | undefined> {
  let end: Failure | undefined;
  for (let step = 0; opened?.ended && !end && step < STEPS; step++)
    end = await within(STEP, opened.ended);
  return end;
}

/** Adds the lines of a server's output that say why it ended to a reason. */
export function withOutputTail(
  failure: Failure,
  opened: OpenTransport | undefined,
  secrets: readonly string[],
): Failure {
  const parts = [redact(stripControls(failure.reason), secrets)];
  const stderr = opened?.stderr?.causeLines(4, secrets) ?? [];
  if (stderr.length > 0) parts.push(`stderr ends with: ${stderr.join(' | ')}`);
  const stray = opened?.strayOutput?.lastLines(2, secrets) ?? [];
  if (stray.length > 0) parts.push(`stdout has text that is not MCP: ${stray.join(' | ')}`);
  const reason = parts.join('; ').replace(/\s+/g, ' ');
  return { reason: truncate(reason, MAX_REASON), remedy: failure.remedy };
}

/**
 * Returns the error itself if it holds no secret, also in its causes and other members. Otherwise
 * returns a new error with the redacted message and without a cause.
 */
export function withoutSecrets(error: unknown, secrets: readonly string[]): unknown {
  const all = inspect(error, { depth: 6, maxStringLength: null, maxArrayLength: 1000 });
  if (!secrets.some((secret) => all.includes(secret))) return error;
  if (error instanceof ToolfoldError) {
    const { code, message, hint } = error;
    const text = message.slice(0, message.length - hint.length).trimEnd();
    return new ToolfoldError(code, redact(text, secrets), redact(hint, secrets));
  }
  return connectionFailed(
    `${redact(rootMessage(error), secrets)}.`,
    'Secrets of the configuration were removed from this message.',
  );
}

function fromError(error: unknown, entry: ServerEntry | undefined): Failure {
  const problem = httpProblemOf(error);
  if (problem === undefined) {
    // An error of the server itself has a number as code.
    const isAnswer = typeof ownProperty(error, 'code') === 'number';
    const reason = `${isAnswer ? 'it answered with an error: ' : ''}${rootMessage(error)}`;
    return { reason, remedy: adviceFor(entry) };
  }
  const { status, text } = problem;
  if (status === 401 || status === 403) {
    return { reason: `it refused access (${text})`, remedy: accessAdvice(entry) };
  }
  if (status === 404 || status === 405) {
    return { reason: `there is no MCP server at its url (${text})`, remedy: 'Check its "url".' };
  }
  return { reason: `it answered with ${text}`, remedy: statusAdvice(status) };
}

function adviceFor(entry: ServerEntry | undefined): string {
  return entry?.kind === 'http' || entry?.kind === 'sse'
    ? 'Check its "url", and that the server runs.'
    : 'Check its entry in the configuration, and that the server works when you start it by hand.';
}

function statusAdvice(status: number): string {
  if (status < 400) return 'Write the address of the server itself as its "url".';
  return status === 429 || status >= 500
    ? 'Connect again later. If it stays so, report it to whoever runs the server.'
    : 'Check its "url" and "headers".';
}

/** Advice after a refusal. A server with an `Authorization` header has no login. */
function accessAdvice(entry: ServerEntry | undefined): string {
  const names = entry?.kind === 'http' || entry?.kind === 'sse' ? [...entry.headers.keys()] : [];
  const header = names.find((name) => name.toLowerCase() === 'authorization');
  return header === undefined
    ? 'Check the credentials in its "url" and "headers", and what they permit.'
    : `Check the header ${JSON.stringify(header)} of its entry, and what it permits.`;
}

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

/** The messages of an error and its causes. `fetch failed` alone says nothing; its cause names the refused port. */
export function rootMessage(error: unknown): string {
  const messages: string[] = [];
  let current: unknown = error;
  for (let depth = 0; depth < 5 && current !== undefined; depth += 1) {
    const code = ownProperty(current, 'code');
    const message = inWords(errorMessage(current)) || (typeof code === 'string' ? code : '');
    const isNew = !messages.some((earlier) => earlier.includes(message));
    if (message !== '' && isNew) messages.push(message);
    current =
      (current instanceof Error ? current.cause : undefined) ??
      ownProperty(ownProperty(current, 'data'), 'cause');
  }
  return messages.join(': ');
}

/** A message of the SDK without what only its authors can use. */
function inWords(message: string): string {
  const late = /^Version negotiation probe timed out after ([\d.]+)ms$/.exec(message)?.[1];
  if (late !== undefined) return `it did not answer within ${(Number(late) / 1000).toFixed(1)} s`;
  const [, method, issues = ''] = /^Invalid result for (\S+): (\[.*\])$/s.exec(message) ?? [];
  if (method === undefined) return message.replace(/^Version negotiation probe failed: /, '');
  const problems = listIn({ issues: parsedJson(issues) }, 'issues').map((issue) => {
    const path = listIn(issue, 'path').join('.');
    return `${path}: ${String(ownProperty(issue, 'message')).replace(/^Invalid input: /, '')}`;
  });
  return `its answer to ${method} is not valid (${problems.join('; ')})`;
}
