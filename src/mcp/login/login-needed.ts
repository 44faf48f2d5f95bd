import { ownProperty, plainLine } from '../../tools/values/index.ts';
import type { Failure } from '../transport/index.ts';
import { loginCommand } from './login-command.ts';
import { scopesOf } from './scopes.ts';
import type { LoginAuth } from './server-auth.ts';

/** Why a server needs a login, and how to log in. */
export interface LoginNeeded extends Failure {
  /** Where the person logs in, if a login was prepared for an address of the host. */
  readonly url?: string;
}

/**
 * Whether an error of the SDK, or one of its causes, says that a server needs a login; otherwise
 * `undefined`. `auth` is the authentication that the request used.
 */
export function loginNeeded(
  server: string,
  error: unknown,
  auth?: LoginAuth,
): LoginNeeded | undefined {
  const remedy = `Run: ${loginCommand(server)}`;
  const url = auth?.authorizationUrl;
  let current = error;
  for (let depth = 0; depth < 5 && current !== undefined; depth++) {
    if (ownProperty(current, 'name') === 'UnauthorizedError') {
      return { reason: 'it needs a login', remedy, ...(url === undefined ? {} : { url }) };
    }
    if (ownProperty(current, 'code') === 'CLIENT_HTTP_AUTHENTICATION') {
      return { reason: 'it refuses the token of its login', remedy };
    }
    if (ownProperty(current, 'name') === 'InsufficientScopeError') {
      const scope = String(ownProperty(current, 'requiredScope') ?? '');
      const named = plainLine(scopesOf(scope).join(' '), 500);
      // The login remembers the scope that the server named.
      return named === ''
        ? {
            reason: 'its login lacks a scope that the server does not name',
            remedy: `${remedy} --scope SCOPE`,
          }
        : { reason: `its login does not have the scope ${named}`, remedy };
    }
    current = current instanceof Error ? current.cause : undefined;
  }
  return undefined;
}
