import { inspect } from 'node:util';
import { errorMessage, ToolfoldError } from '../../errors.ts';
import { within } from '../../time-limit.ts';
import { ownProperty } from '../../tools/values/index.ts';
import { stripControls } from '../controls/index.ts';
import { redact } from '../secrets/index.ts';
import type { Failure, OpenTransport } from './open-transport.ts';

/** What to do about a refused request. The name of the server is not known here. */
const LOGIN_ADVICE = 'Log in with the command toolfold login, or check its "headers".';

/** Maximum characters of a reason. */
const MAX_REASON = 1000;

/** Milliseconds to wait for the end of a server that closed its output. */
const OUTPUT_GRACE = 500;

/** Describes a connection error, with how the process ended and its last output. */
export async function describeFailure(
  error: unknown,
  opened: OpenTransport | undefined,
  secrets: readonly string[],
): Promise<Failure> {
  // After a bad answer the server is closed by us, so the way its process ended says nothing.
  const ended = isLost(error) ? await endOf(opened) : undefined;
  const breach = opened?.breach?.();
  const failure =
    breach === undefined
      ? (ended ?? fromError(error))
      : { reason: breach, remedy: 'Report it to the maker of the server, or remove its entry.' };
  return withOutputTail(failure, opened, secrets);
}

/** Whether the connection failed, and not one answer. */
function isLost(error: unknown): boolean {
  const code = ownProperty(error, 'code');
  return (
    typeof code === 'string' && /^(?:E[A-Z\d]+|ERR_\w+|CONNECTION_CLOSED|NOT_CONNECTED)$/.test(code)
  );
}

async function endOf(opened: OpenTransport | undefined): Promise<Failure | undefined> {
  return opened?.ended && within(OUTPUT_GRACE, opened.ended);
}

/** An error for a lost connection. `NOT_CONNECTED`: it was lost before the message was sent. */
export function lostConnection(
  message: string,
  code: 'CONNECTION_CLOSED' | 'NOT_CONNECTED' = 'CONNECTION_CLOSED',
): Error {
  return Object.assign(new Error(message), { code });
}

/** Adds the last lines of a server's output to a reason. */
export function withOutputTail(
  failure: Failure,
  opened: OpenTransport | undefined,
  secrets: readonly string[],
): Failure {
  const parts = [redact(stripControls(failure.reason), secrets)];
  const stderr = opened?.stderr?.lastLines(4, secrets) ?? [];
  if (stderr.length > 0) parts.push(`stderr ends with: ${stderr.join(' | ')}`);
  const stray = opened?.strayOutput?.lastLines(2, secrets) ?? [];
  if (stray.length > 0) parts.push(`stdout has text that is not MCP: ${stray.join(' | ')}`);
  const reason = parts.join('; ').replace(/\s+/g, ' ');
  return {
    reason: reason.length > MAX_REASON ? `${reason.slice(0, MAX_REASON - 1)}…` : reason,
    remedy: failure.remedy,
  };
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
  return new ToolfoldError(
    'connection-failed',
    `${redact(rootMessage(error), secrets)}.`,
    'Secrets of the configuration were removed from this message.',
  );
}

function fromError(error: unknown): Failure {
  const status = ownProperty(ownProperty(error, 'data'), 'status') ?? ownProperty(error, 'status');
  if (status === 401 || status === 403) {
    return { reason: `it refused access (HTTP ${status})`, remedy: LOGIN_ADVICE };
  }
  if (status === 404 || status === 405) {
    return {
      reason: `there is no MCP server at its url (HTTP ${status})`,
      remedy: 'Check its "url"; a server of the older HTTP+SSE kind needs "type": "sse".',
    };
  }
  return {
    reason: rootMessage(error),
    remedy:
      'Check its entry in the configuration, and that the server works when you start it by hand.',
  };
}

/** The messages of an error and its causes. `fetch failed` alone says nothing; its cause names the refused port. */
function rootMessage(error: unknown): string {
  const messages: string[] = [];
  let current: unknown = error;
  for (let depth = 0; depth < 5 && current !== undefined; depth += 1) {
    const code = ownProperty(current, 'code');
    const message = errorMessage(current) || (typeof code === 'string' ? code : '');
    const isNew = !messages.some((earlier) => earlier.includes(message));
    if (message !== '' && isNew) messages.push(message);
    current =
      (current instanceof Error ? current.cause : undefined) ??
      ownProperty(ownProperty(current, 'data'), 'cause');
  }
  return messages.join(': ');
}
