import { importSdk } from '../transport/index.ts';
import type { StoredLogin } from './store/index.ts';

/** Maximum scopes that are kept of a server's answer. */
const MAX_SCOPES = 50;

/** What a scope may consist of (RFC 6749, section 3.3). */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/;

/** The scopes of a list, each once. What is no scope is left out. */
export function scopesOf(list: string): string[] {
  const scopes = list.split(/\s+/).filter((scope) => SCOPE.test(scope));
  return [...new Set(scopes)].slice(0, MAX_SCOPES);
}

/** The scopes that a server asks for in an answer 403; `undefined` for other answers. */
export async function missingScope(response: Response): Promise<string | undefined> {
  if (response.status !== 403) return;
  const { extractWWWAuthenticateParams } = await importSdk();
  const { error, scope } = extractWWWAuthenticateParams(response);
  return error === 'insufficient_scope' && scope !== undefined
    ? scopesOf(scope).join(' ') || undefined
    : undefined;
}

/** What a login can ask for. */
export interface AskedScopes {
  /** The login so far. */
  readonly earlier: StoredLogin;
  /** Those of the entry. */
  readonly configured: readonly string[];
  /** Those that the server names in its challenge. */
  readonly named: string | undefined;
  /** Those of the user, for this login. */
  readonly chosen: readonly string[];
}

/**
 * The scopes to ask for: those of the earlier login and those that the server missed since then, the ones
 * of the entry or else of the challenge, and the chosen ones. `undefined`: none are known.
 */
export async function scopesFor(asked: AskedScopes): Promise<string | undefined> {
  const { earlier, configured, named, chosen } = asked;
  const { computeScopeUnion } = await importSdk();
  const usual = configured.length > 0 ? configured.join(' ') : named;
  return computeScopeUnion(earlier.tokens?.scope, usual, earlier.wantedScope, chosen.join(' '));
}
