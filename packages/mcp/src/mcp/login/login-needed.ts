import { ownProperty, pick, plainLine } from '@toolfold/core/internal/tools/values';
import type { LoginNeeded } from '../transport/index.ts';
import { loginAdvice } from './login-context.ts';
import { scopesOf } from './scopes.ts';
import type { LoginAuth } from './server-auth.ts';

/**
 * Whether an error of the SDK, or one of its causes, says that a server needs a login; otherwise
 * `undefined`. `auth` is the authentication that the request used.
 */
export function loginNeeded(
  server: string,
  error: unknown,
  auth?: LoginAuth,
): LoginNeeded | undefined {
  const remedy = loginAdvice(server);
  let current = error;
  for (let depth = 0; depth < 5 && current !== undefined; depth++) {
    if (ownProperty(current, 'name') === 'UnauthorizedError') {
      const url = auth?.authorizationUrl;
      return { reason: 'it needs a login', remedy, ...pick({ url }, 'url') };
    }
    if (ownProperty(current, 'code') === 'CLIENT_HTTP_AUTHENTICATION') {
      return { reason: 'it refuses the token of its login', remedy };
    }
    if (ownProperty(current, 'name') === 'InsufficientScopeError') {
      const scope = String(ownProperty(current, 'requiredScope') ?? '');
      const named = plainLine(scopesOf(scope).join(' '), 500);
      // The login remembers the scope that the server named.
      if (named !== '') return { reason: `its login does not have the scope ${named}`, remedy };
      const reason = 'its login lacks a scope that the server does not name';
      return { reason, remedy: `${remedy} --scope SCOPE` };
    }
    current = current instanceof Error ? current.cause : undefined;
  }
  return undefined;
}
