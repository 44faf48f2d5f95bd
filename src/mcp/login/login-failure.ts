import { connectionFailed, errorMessage, ToolfoldError } from '../../errors.ts';
import { ownProperty, truncate } from '../../tools/values/index.ts';
import type { ServerEntry } from '../config/index.ts';
import type { KnownSecrets } from './known-secrets.ts';

const MAX_REASON = 600;

/** The error of a login that failed. */
export function loginFailed(server: string, reason: string, hint: string): ToolfoldError {
  return connectionFailed(`The login to ${server} failed: ${reason}.`, hint);
}

/** The error of a login that ended with an error of the SDK or of Node, without secrets. */
export function loginError(server: string, error: unknown, secrets: KnownSecrets): ToolfoldError {
  if (error instanceof ToolfoldError) return error;
  const [name, code] = [ownProperty(error, 'name'), ownProperty(error, 'code')];
  if (name === 'IssuerMismatchError' && ownProperty(error, 'kind') === 'authorization_response') {
    // The answer may come from an attacker, so nothing of it is shown.
    return loginFailed(
      server,
      'the answer of the browser came from another authorization server',
      'Start the login again. If that does not help, report it to the maker of the server.',
    );
  }
  if (code === 'EADDRINUSE' || code === 'EACCES') {
    return loginFailed(
      server,
      `the port for the answer of the browser cannot be used (${code})`,
      'Change "oauth.redirectPort" in its entry, or end the program that uses the port.',
    );
  }
  const message = errorMessage(error);
  const isOAuth = name === 'OAuthError' && typeof code === 'string' && !message.includes(code);
  const text = truncate(secrets.hide(isOAuth ? `${code}: ${message}` : message), MAX_REASON);
  const hint = /dynamic client registration/i.test(message)
    ? 'Register a client with the authorization server, and add its "clientId" to "oauth" in the entry.'
    : 'Start the login again, or check "oauth" in the entry of the server.';
  return loginFailed(server, text.replace(/\.$/, ''), hint);
}

/** The error for a server that cannot be logged in to. */
export function noLogin(server: string, entry: ServerEntry): ToolfoldError {
  const [reason, hint] =
    entry.kind === 'unusable'
      ? [entry.reason, entry.remedy]
      : entry.kind === 'http' || entry.kind === 'sse'
        ? ['its entry has an "Authorization" header', 'Remove the header to log in.']
        : ['it is not reached by URL', 'Only servers with a "url" have logins.'];
  return new ToolfoldError('invalid-option', `${server} has no login: ${reason}.`, hint);
}
