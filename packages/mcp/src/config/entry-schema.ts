import * as z from '@toolfold/config/internal/schemas.ts';
import { isRecord, mapTexts, ownProperties, pick } from '@toolfold/core/internal/values';
import type { NamedValue } from '../entry-secrets.ts';
import type { OAuthEntry } from './config.ts';

/** The reason why an entry is unusable. `readServerEntry` returns it as an `unusable` server. */
export class EntryProblem extends Error {
  readonly remedy: string;

  constructor(reason: string, remedy: string) {
    super(reason);
    this.remedy = remedy;
  }
}

/** The problem of a value of the wrong type. It does not show the value, which may be secret. */
export function wrong(what: string, expected: string, found: unknown): EntryProblem {
  const kind = Array.isArray(found) ? 'a list' : found === null ? 'null' : `a ${typeof found}`;
  const isBlank = typeof found === 'string' && found.trim() === '';
  const words = isBlank ? 'empty' : kind === 'a object' ? 'an object' : kind;
  return new EntryProblem(`${what} should be ${expected} but is ${words}`, `Correct ${what}.`);
}

/** A text. The message of a schema is what should be there, or `not …` with the remedy behind a bar. */
export const text: z.ZodMiniString = z.string('a string');
export const notBlank: z.ZodMiniString = text.check(z.regex(/\S/, 'a string'));
export const flag: z.ZodMiniBoolean = z.boolean('true or false');
export const texts: z.ZodMiniType<readonly string[]> = z.array(text, 'a list of strings');

/** An object with names of the user's choice. Zod itself would drop the name `__proto__`. */
export function mapOf<T>(item: z.ZodMiniType<T>, expected: string): z.ZodMiniType<[string, T][]> {
  const members = z.transform((map: object, context) =>
    Object.entries(map).map(([name, value]): [string, T] => {
      const { data, error } = item.safeParse(value);
      const message = error?.issues[0]?.message ?? '';
      if (error) context.issues.push({ code: 'custom', input: value, path: [name], message });
      return [name, data as T];
    }),
  );
  return z.pipe(z.custom<object>(isRecord, expected), members);
}

/** Reads an object at a place of an entry. Throws `EntryProblem`. */
export function readObject<T>(schema: z.ZodMiniType<T>, value: unknown, place: string = ''): T {
  const { data, error } = schema.safeParse(value);
  if (error === undefined) return data;
  const [{ path, message } = { path: [], message: '' }] = error.issues;
  const steps = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`));
  const where = `${place}${steps.join('')}`.replace(/^\./, '');
  const what = where === '' ? 'its entry' : `"${where}"`;
  const found = path.reduce<unknown>(
    (one, key) => (one as Record<PropertyKey, unknown>)[key],
    value,
  );
  const [reason = '', remedy = `Correct ${what}.`] = message.split('|');
  if (reason.startsWith('not ')) throw new EntryProblem(`${what} is ${reason}`, remedy);
  throw wrong(what, reason, found);
}

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
export function secretsOf(oauth: OAuthEntry | undefined): NamedValue[] {
  return Object.entries(oauth ? pick(oauth, 'clientSecret', 'privateKey') : {});
}
