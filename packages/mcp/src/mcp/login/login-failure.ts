import { connectionFailed, errorMessage, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { ownProperty, truncate } from '@toolfold/core/internal/tools/values';
import type { KnownSecrets } from './login-context.ts';

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
  const issues = ownProperty(error, 'issues');
  if (Array.isArray(issues)) {
    const keys = issues.map((issue) => [ownProperty(issue, 'path') ?? []].flat().join('.'));
    const named = keys.filter(Boolean).slice(0, 5).join(', ');
    return loginFailed(
      server,
      `an answer of its authorization server is not as the protocol says${named === '' ? '' : ` (missing or wrong: ${truncate(named, 200)})`}`,
      'Report it to the maker of the server.',
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
