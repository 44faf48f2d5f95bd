import { KNOWN_TOKEN } from '@toolfold/config/internal/config/quoting';
import {
  entrySecrets,
  isPlainWord,
  isSecretName,
  isSecretValue,
  splitSecret,
} from '@toolfold/mcp/internal/mcp/secrets';
import { VARIABLE } from './variable-names.ts';

/** A scheme in front of the credentials of a header. */
const SCHEME = /^((?:bearer|token|basic|bot|apikey|key)\s+)(?=\S)/i;

/** A part of a text that is secret, and what it is called. */
export interface SecretPart {
  readonly text: string;
  readonly name: string;
}

/**
 * The secret part of a named value: the whole value, or what stands behind a scheme such as `Bearer`.
 * A value under a name that says nothing is secret if it looks like a key.
 */
export function namedSecret(name: string, value: string): SecretPart | undefined {
  const scheme = SCHEME.exec(value)?.[1] ?? '';
  const rest = value.slice(scheme.length);
  const literal = masked(rest);
  const isSecret = isSecretName(name)
    ? isSecretValue(name, literal)
    : tokenWords(literal).length > 0 || isPartlySecret(literal);
  return isSecret ? { text: rest, name } : undefined;
}

/** The secret parts of an argument. `before` is the argument in front of it. */
export function argumentSecrets(arg: string, before: string | undefined): SecretPart[] {
  const split = splitSecret(arg, before);
  const part = split && namedSecret(split.name, split.secret);
  if (part !== undefined) return [{ ...part, name: part.name.replace(/^-+/, '') }];
  return textSecrets(arg).map((text) => ({ text, name: nameBefore(arg, text) ?? 'SECRET' }));
}

/** The secret parts of an address. */
export function urlSecrets(url: string): SecretPart[] {
  const literal = masked(url);
  const found = entrySecrets({ url: literal });
  const known = literal.match(KNOWN_TOKEN) ?? [];
  return literalsIn(url, [...found, ...known]).map((text) => ({
    text,
    name: nameBefore(url, text) ?? 'TOKEN',
  }));
}

/** Whether the default in `${NAME:-default}` is secret under one of these names: its own, those of its place. */
export function isSecretDefault(names: readonly string[], value: string): boolean {
  return names.some((name) => namedSecret(name, value) !== undefined);
}

/** The name in `name=secret` and `"name":"secret"`. */
export function nameBefore(text: string, secret: string): string | undefined {
  const before = text.slice(0, text.indexOf(secret));
  // The password in `https://user:password@host`.
  if (/:\/\/(?:[^/@\s]*:)?$/.test(before)) return 'PASSWORD';
  return /([\w.-]+)["']?\s*[=:]\s*["']?(?:bearer\s+|token\s+)?$/i.exec(before)?.[1];
}

/** The secret parts of a text without a name. The text as a whole, if they cannot be located. */
function textSecrets(text: string): string[] {
  const literal = masked(text);
  return literalsIn(text, [...entrySecrets({ args: [literal] }), ...tokenWords(literal)]);
}

/** The longest of the secrets that the literal parts hold; else the whole text. */
function literalsIn(text: string, secrets: readonly string[]): string[] {
  if (secrets.length === 0) return [];
  const literals = text.split(VARIABLE).filter((_, at) => at % 2 === 0);
  const found: string[] = [];
  for (const secret of [...secrets].sort((a, b) => b.length - a.length)) {
    if (found.some((longer) => longer.includes(secret))) continue;
    if (literals.some((literal) => literal.includes(secret))) found.push(secret);
  }
  return found.length === 0 ? [text] : found;
}

function isPartlySecret(text: string): boolean {
  // `host=h;password=p`, as in connection strings.
  const isPair = (piece: string): boolean => {
    const split = splitSecret(piece, undefined);
    return split !== undefined && isSecretValue(split.name, split.secret);
  };
  const found = entrySecrets({ args: [text] });
  return found.length > 0 || text.split(/[;&\s]+/).some(isPair);
}

/** Words that look like keys: long, with letters and digits mixed, and no path. */
function tokenWords(text: string): string[] {
  return text
    .split(/\s+/)
    .filter((word) => !/^(?:[/~.\\]|[A-Za-z]:[\\/])/.test(word))
    .flatMap((word) => word.replace(/sha\d+:[0-9a-f]+/gi, '').split(/[,;:"'`=@/\\()[\]{}]+/))
    .filter((word) => word.length >= 20 && word.split(/[-_.]/).some(isMixed));
}

function isMixed(part: string): boolean {
  return part.length >= 8 && /\d/.test(part) && /[a-z]/i.test(part) && !isPlainWord(part);
}

/** The text with each variable replaced by a character that is never secret. */
function masked(text: string): string {
  return text.replace(VARIABLE, 'x');
}
