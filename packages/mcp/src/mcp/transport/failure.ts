import { inspect } from 'node:util';
import { connectionFailed, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { within } from '@toolfold/core/internal/time-limit.ts';
import { ownProperty, truncate } from '@toolfold/core/internal/tools/values';
import type { ServerEntry } from '../config/index.ts';
import { stripControls } from '../controls/index.ts';
import { redact } from '../secrets/index.ts';
import { httpProblemOf } from './http-problem.ts';
import type { Failure, OpenTransport } from './open-transport.ts';
import { rootMessage } from './root-message.ts';

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
