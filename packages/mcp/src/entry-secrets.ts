import { KNOWN_TOKEN } from '@toolfold/config/internal/quote.ts';
import { isRecord, parsedJson } from '@toolfold/core/internal/values';
import { formsOf, isSecretName, isSecretValue, longestFirst, secretTexts } from './redact.ts';

/** A value with its name in the configuration. */
export type NamedValue = readonly [name: string, value: string];

/** The parts of a server's entry that can hold secrets. */
interface EntryParts {
  /** Values that are secret by their names: variables of `env`, and those that were filled in. */
  readonly values?: Iterable<NamedValue>;
  readonly headers?: Iterable<NamedValue>;
  readonly args?: readonly string[];
  readonly url?: string;
}

/** Maximum nodes of a JSON argument, and maximum words of any argument, that are checked. */
const MAX_NODES = 1000;

/**
 * The secret texts of an entry, in every form. Longest first. They are values under secret names, known
 * tokens, values of headers that are not public, and in addresses the user, the query and segments like
 * tokens. Other values, such as folders, stay readable: the model needs them in errors.
 */
export function entrySecrets(parts: EntryParts): string[] {
  const { values: named = [], headers = [], args = [], url } = parts;
  const values = [
    ...[...named].flatMap(([name, value]) =>
      isSecretName(name) ? valuesIn(name, value) : partsIn(value),
    ),
    ...[...headers].flatMap(([name, value]) => valuesIn(name, value)),
    ...args.flatMap((arg, index) => argumentSecrets(arg, args[index - 1])),
    ...(url === undefined ? [] : urlSecrets(url)),
  ];
  // A short value is hidden as a whole. Its words are hidden only as in `secretTexts`.
  return longestFirst([...values.flatMap(formsOf), ...secretTexts(values)]);
}

function valuesIn(name: string, value: string): string[] {
  const known = value.match(KNOWN_TOKEN) ?? [];
  if (!isSecretValue(name, value)) return [...known, ...urlSecrets(value)];
  const unquoted = /^(["'])(.{4,})\1$/s.exec(value)?.[2];
  const parts = [basicPassword, credentials, pairSecrets, urlSecrets, jsonSecrets];
  const inside = parts.flatMap((find) => find(value));
  return [value, ...(unquoted === undefined ? [] : [unquoted]), ...known, ...inside];
}

function partsIn(value: string): string[] {
  const known = value.match(KNOWN_TOKEN) ?? [];
  const pairs = [...value.matchAll(PAIR)].flatMap(([, name = '', part = '']) =>
    isSecretName(name) && isSecretValue(name, part) ? [part] : [],
  );
  const bearer = /^bearer\s/i.test(value) ? credentials(value) : [];
  const parts = [...known, ...pairs, ...bearer, ...basicPassword(value)];
  return [...parts, ...urlSecrets(value), ...jsonSecrets(value)];
}

/** A pair such as `a=x` in cookies and connection strings of databases. */
const PAIR = /([\w.-]+)=([^;&\s]+)/g;

/** The credentials after a scheme, such as `x` in `Bearer x`. */
function credentials(value: string): string[] {
  const rest = /^(?:bearer|token|bot|apikey|key)\s+(.+)$/i.exec(value.trim())?.[1];
  return rest !== undefined && isSecretValue('token', rest) ? [rest] : [];
}

function pairSecrets(value: string): string[] {
  return [...value.matchAll(PAIR)].flatMap(([, name = '', part = '']) =>
    isSecretValue(name, part) ? [part] : [],
  );
}

function basicPassword(value: string): string[] {
  const encoded = /^basic\s+(\S+)$/i.exec(value.trim())?.[1];
  if (encoded === undefined) return [];
  const [user = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return [rest.join(':'), user].filter((part) => isSecretValue('password', part));
}

function argumentSecrets(arg: string, before: string | undefined): string[] {
  // The words of `sh -c "API_KEY=x server --token y"` are arguments too.
  const words = arg.split(/\s+/, MAX_NODES);
  const inner = words.length === 1 ? [] : words.flatMap((word, at) => inWord(word, words[at - 1]));
  return [...inWord(arg, before), ...inner];
}

function inWord(arg: string, before: string | undefined): string[] {
  const known = arg.match(KNOWN_TOKEN) ?? [];
  const split = splitSecret(arg, before);
  const named =
    split && isSecretValue(split.name, split.secret) ? valuesIn('key', split.secret) : [];
  return [...known, ...named, ...urlSecrets(arg), ...jsonSecrets(arg)];
}

/** An argument that holds a secret, or ends with one. */
interface SecretArgument {
  readonly name: string;
  /** The part of the argument before the secret. */
  readonly kept: string;
  readonly secret: string;
}

/** Finds the secret in `--api-key=x`, `API_KEY=x`, `Authorization: x`, and in `x` after `--token`. */
export function splitSecret(arg: string, before: string | undefined): SecretArgument | undefined {
  const [, kept = '', name = '', secret = ''] =
    /^((-{0,2}[\w.-]+)(?:=|:\s*))(?!\/\/)(.*)$/s.exec(arg) ?? [];
  // In `--env=API_KEY=x` and `--header=Authorization: x` the name comes after the option.
  if (/^-{0,2}(?:e|env|header|H)$/.test(name)) {
    const inner = splitSecret(secret, undefined);
    return inner && { ...inner, kept: kept + inner.kept };
  }
  if (name !== '' && isSecretName(name)) {
    return secret === '' ? undefined : { name, kept, secret };
  }
  const flag = /^--?([\w.-]+)$/.exec(before ?? '')?.[1];
  if (flag === undefined || arg === '' || arg.startsWith('-') || !isSecretName(flag)) return;
  return { name: flag, kept: '', secret: arg };
}

function jsonSecrets(text: string): string[] {
  if (!/^\s*[{[]/.test(text)) return [];
  const found: string[] = [];
  const open: unknown[] = [parsedJson(text)];
  for (let seen = 0; open.length > 0 && seen < MAX_NODES; seen++) {
    const node = open.pop();
    if (Array.isArray(node)) open.push(...node.slice(0, MAX_NODES));
    else if (isRecord(node)) {
      for (const [key, member] of Object.entries(node)) {
        if (typeof member !== 'string') open.push(member);
        else if (isSecretName(key) && isSecretValue(key, member)) found.push(member);
      }
    }
  }
  return found;
}

/** Parts of a URL that could be secret: user and password, query values, and segments that look like tokens. */
function urlSecrets(text: string): string[] {
  const address = /[a-z][a-z\d+.-]*:\/\/\S+/i.exec(text)?.[0];
  const url = address === undefined ? null : URL.parse(address);
  if (url === null) return [];
  const query = [...url.searchParams].filter(([name, value]) => isSecretValue(name, value));
  const segments = `${url.pathname}/${url.hash.slice(1)}`.split('/').filter(isTokenLike);
  const userinfo = [url.password, ...(url.password === '' ? [url.username] : [])];
  const password = userinfo.filter((part) => isSecretValue('password', part));
  return [...query.map(([, value]) => value), ...segments, ...password].flatMap((part) => [
    part,
    decoded(part),
  ]);
}

function isTokenLike(segment: string): boolean {
  return segment.length >= 16 && /\d/.test(segment) && /[a-z]/i.test(segment);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // The text has a percent sign without a valid code.
    return part;
  }
}
