import { own, plainLine } from '../../tools/values/index.ts';
import type { Failure } from '../transport/index.ts';
import { loginCommand } from './login-command.ts';

/**
 * Why a server needs a login, and how to log in, if an error of the SDK says that; otherwise
 * `undefined`. Looks at the causes of the error too.
 */
export function loginNeeded(server: string, error: unknown): Failure | undefined {
  const remedy = `Run: ${loginCommand(server)}`;
  let current = error;
  for (let depth = 0; depth < 5 && current !== undefined; depth++) {
    const name = own(current, 'name');
    if (name === 'UnauthorizedError') return { reason: 'it needs a login', remedy };
    if (own(current, 'code') === 'CLIENT_HTTP_AUTHENTICATION') {
      return { reason: 'it refuses the token of its login', remedy };
    }
    const scope = own(current, 'requiredScope');
    if (typeof scope === 'string') {
      const scopes = scope.split(/\s+/).map((each) => plainLine(each, 100));
      return {
        reason: `its login does not have the scope ${scopes.join(' ')}`,
        remedy: `Add the scope to "oauth.scopes" of its entry. ${remedy}`,
      };
    }
    current = current instanceof Error ? current.cause : undefined;
  }
  return undefined;
}
