import * as z from '@toolfold/config/internal/config/schemas';
import { mapTexts, ownProperties, pick } from '@toolfold/core/internal/tools/values';
import type { Named } from '../secrets/index.ts';
import type { OAuthEntry } from './config.ts';
import { EntryProblem, notBlank, readObject, text } from './entry-schema.ts';

const GRANTS = ['authorization-code', 'client-credentials'] as const;
const NO_GRANT = `not a known grant|Use one of: ${GRANTS.map((one) => `"${one}"`).join(', ')}.`;
const NO_SCOPE = 'not one scope|Write each scope as its own string, without spaces and quotes.';
const NO_PORT = 'not a port|Use a whole number from 1 to 65,535.';
const LOOPBACK: readonly unknown[] = ['127.0.0.1', 'localhost', '[::1]'];

const ONE_VARIABLE = /^\$\{(?:env:)?[A-Za-z_]\w*\}$/;

function address(isLocal: boolean): z.ZodMiniType<string | undefined> {
  const isRight = (value: string): boolean => {
    const url = URL.parse(value);
    return url?.protocol === 'https:' || (isLocal && LOOPBACK.includes(url?.hostname));
  };
  return z.optional(notBlank.check(z.refine(isRight, 'not an https address')));
}

const SHAPE = {
  grant: z._default(z.pipe(notBlank, z.enum(GRANTS, NO_GRANT)), 'authorization-code'),
  clientId: z.optional(notBlank),
  clientSecret: z.optional(notBlank),
  privateKey: z.optional(notBlank),
  algorithm: z.optional(notBlank),
  redirectPort: z.optional(
    z.pipe(
      z.transform((value) =>
        typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : value,
      ),
      z.int(NO_PORT).check(z.minimum(1, NO_PORT), z.maximum(65_535, NO_PORT)),
    ),
  ),
  clientMetadataUrl: address(false),
  issuer: address(true),
  // The characters of a scope in RFC 6749, section 3.3.
  scopes: z._default(
    z.array(text.check(z.regex(/^[!#-[\]-~]+$/, NO_SCOPE)), 'a list of strings'),
    [],
  ),
};
const schema: z.ZodMiniType<OAuthEntry> = z.object(SHAPE) as never;

/** Reads the key `oauth` of a server's entry. Ignores keys of other clients. Throws `EntryProblem`. */
export function readOAuth(given: object, fill: (text: string) => string): OAuthEntry {
  const { clientSecret: secret, privateKey: key } = ownProperties(given);
  // Configuration files are shared.
  for (const [name, value] of Object.entries({ clientSecret: secret, privateKey: key })) {
    if (typeof value !== 'string' || value.trim() === '' || ONE_VARIABLE.test(value)) continue;
    throw new EntryProblem(
      `"oauth.${name}" does not come from an environment variable`,
      `Put the value in an environment variable, and write "${name}": "\${NAME}" without a default.`,
    );
  }
  const own = pick(ownProperties(given), ...Object.keys(SHAPE));
  const oauth = readObject(schema, mapTexts(own, fill), 'oauth');
  const proof = oauth.clientSecret ?? oauth.privateKey;
  const isOfProgram = oauth.grant === 'client-credentials';
  if (oauth.clientId === undefined && (proof !== undefined || isOfProgram)) {
    throw new EntryProblem('"oauth" has no "clientId"', 'Add "clientId" to "oauth".');
  }
  if (isOfProgram && proof === undefined) {
    throw new EntryProblem(
      '"oauth" has no "clientSecret" and no "privateKey"',
      'Add one of them to "oauth": the grant "client-credentials" needs it.',
    );
  }
  return oauth;
}

/** The secrets of `oauth` with their names. */
export function secretsOf(oauth: OAuthEntry | undefined): Named[] {
  return Object.entries(oauth ? pick(oauth, 'clientSecret', 'privateKey') : {});
}
