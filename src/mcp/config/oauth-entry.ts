import { isRecord, ownProperty } from '../../tools/values/index.ts';
import type { Named } from '../secrets/index.ts';
import type { OAuthEntry } from './config.ts';
import { EntryProblem, STRING, textsIn, valueIn, wrong } from './entry-problem.ts';

const grants = ['authorization-code', 'client-credentials'] as const;

/** A text that is one variable without a default. */
const ONE_VARIABLE = /^\$\{(?:env:)?[A-Za-z_]\w*\}$/;

type Fill = (text: string) => string;

/**
 * Reads the key `oauth` of a server's entry; `undefined` if there is none. Ignores keys of other
 * clients. Throws `EntryProblem`.
 */
export function readOAuth(entry: Record<string, unknown>, fill: Fill): OAuthEntry | undefined {
  const oauth = valueIn(entry, 'oauth', ['an object', isRecord]);
  if (oauth === undefined) return;
  const grant = readGrant(text(oauth, 'grant', fill) ?? 'authorization-code');
  const clientId = text(oauth, 'clientId', fill);
  const clientSecret = secret(oauth, 'clientSecret', fill);
  const privateKey = secret(oauth, 'privateKey', fill);
  const algorithm = text(oauth, 'algorithm', fill);
  const redirectPort = port(oauth, fill);
  const clientMetadataUrl = address(oauth, 'clientMetadataUrl', fill);
  const issuer = address(oauth, 'issuer', fill);
  const proof = clientSecret ?? privateKey;
  if (clientId === undefined && (proof !== undefined || grant === 'client-credentials')) {
    throw new EntryProblem('"oauth" has no "clientId"', 'Add "clientId" to "oauth".');
  }
  if (grant === 'client-credentials' && proof === undefined) {
    throw new EntryProblem(
      '"oauth" has no "clientSecret" and no "privateKey"',
      'Add one of them to "oauth": the grant "client-credentials" needs it.',
    );
  }
  const scopes = readScopes(oauth, fill);
  return {
    ...{ grant, clientId, clientSecret, privateKey, algorithm },
    ...{ scopes, redirectPort, clientMetadataUrl, issuer },
  };
}

/** The secrets of `oauth` with their names. */
export function secretsOf(oauth: OAuthEntry | undefined): Named[] {
  const { clientSecret, privateKey } = oauth ?? {};
  return Object.entries({ clientSecret, privateKey }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
}

function readGrant(value: string): OAuthEntry['grant'] {
  const grant = grants.find((known) => known === value);
  if (grant !== undefined) return grant;
  throw new EntryProblem(
    '"oauth.grant" is not a known grant',
    `Use one of: ${grants.map((known) => `"${known}"`).join(', ')}.`,
  );
}

function text(oauth: Record<string, unknown>, key: string, fill: Fill): string | undefined {
  const value = valueIn(oauth, key, STRING, `oauth.${key}`);
  if (value === undefined) return;
  const filled = fill(value);
  if (filled.trim() === '') throw wrong(`"oauth.${key}"`, 'a string', filled);
  return filled;
}

/** A secret comes from a variable only, because configuration files are shared. */
function secret(oauth: Record<string, unknown>, key: string, fill: Fill): string | undefined {
  const value = ownProperty(oauth, key);
  if (typeof value === 'string' && value.trim() !== '' && !ONE_VARIABLE.test(value)) {
    throw new EntryProblem(
      `"oauth.${key}" does not come from an environment variable`,
      `Put the value in an environment variable, and write "${key}": "\${NAME}" without a default.`,
    );
  }
  return text(oauth, key, fill);
}

function readScopes(oauth: Record<string, unknown>, fill: Fill): string[] {
  return textsIn(oauth, 'scopes', 'oauth.scopes').map((item, index) => {
    const scope = fill(item);
    // The characters of a scope in RFC 6749, section 3.3.
    if (/^[!#-[\]-~]+$/.test(scope)) return scope;
    throw new EntryProblem(
      `"oauth.scopes[${index}]" is not one scope`,
      'Write each scope as its own string, without spaces and quotes.',
    );
  });
}

function port(oauth: Record<string, unknown>, fill: Fill): number | undefined {
  const value = ownProperty(oauth, 'redirectPort');
  if (value === undefined) return undefined;
  const number =
    typeof value === 'string' && /^\d{1,5}$/.test(fill(value)) ? Number(fill(value)) : value;
  if (typeof number === 'number' && Number.isInteger(number) && number >= 1 && number <= 65_535) {
    return number;
  }
  throw new EntryProblem(
    '"oauth.redirectPort" is not a port',
    'Use a whole number from 1 to 65,535.',
  );
}

function address(oauth: Record<string, unknown>, key: string, fill: Fill): string | undefined {
  const value = text(oauth, key, fill);
  if (value === undefined) return undefined;
  const url = URL.parse(value);
  const isLoopback = url !== null && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
  if (url?.protocol === 'https:' || (key === 'issuer' && isLoopback)) return value;
  throw new EntryProblem(`"oauth.${key}" is not an https address`, `Correct "oauth.${key}".`);
}
