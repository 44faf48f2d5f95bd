import { importSdk } from '../transport/index.ts';
import type { StoredLogin } from './store/index.ts';

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

/**
 * The scopes to ask for: those of the earlier login, those that the server missed since then, and further
 * ones. `undefined`: none are known.
 */
export async function scopesFor(
  { tokens, wantedScope }: StoredLogin,
  usual: string | undefined,
  chosen: readonly string[] = [],
): Promise<string | undefined> {
  const { computeScopeUnion } = await importSdk();
  return computeScopeUnion(tokens?.scope, usual, wantedScope, chosen.join(' '));
}
