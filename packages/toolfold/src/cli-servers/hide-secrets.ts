import { KNOWN_TOKEN } from '@toolfold/config/internal/quote.ts';
import { entrySecrets, splitSecret } from '@toolfold/mcp/internal/entry-secrets.ts';
import { isPlainWord, isSecretName, isSecretValue } from '@toolfold/mcp/internal/redact.ts';
import { type ChangeText, mapEntry, type PortableEntry } from './merge.ts';

/** Values below this length are replaced only where they were found. */
const MIN_ELSEWHERE = 8;

/**
 * The entry with a variable in place of each secret. Names of variables that are specific stay
 * (`GITHUB_TOKEN`); others get the name of the server in front (`GITHUB_AUTHORIZATION`).
 */
export function withoutSecrets(
  entry: PortableEntry,
  server: string,
  names: VariableNames,
): PortableEntry {
  return mapEntry(entry, (given, key, name) => {
    const before = key === 'args' ? entry.args?.[Number(name) - 1] : undefined;
    const place = key === 'args' ? (before?.replace(/^-+/, '') ?? '') : name;
    const text = withoutDefaults(place, given);
    const isSpecific = key === 'env' || (key === 'args' && /^[A-Z_]+=/.test(text));
    const found = secretsIn(text, key, name, before).map((part) => {
      const wanted = isSpecific ? part.name : `${server}_${part.name}`.toUpperCase();
      return [part.text, names.nameFor(part.text, wanted, server)] as const;
    });
    return withVariables(text, found);
  });
}

function secretsIn(
  text: string,
  key: Parameters<ChangeText>[1],
  name: string,
  before: string | undefined,
): readonly SecretPart[] {
  if (key === 'cwd' || key === 'envFile') return [];
  if (key === 'url') return urlSecrets(text);
  if (key === 'command' || key === 'args') return argumentSecrets(text, before);
  return [namedSecret(name, text) ?? []].flat();
}

/** The entry without the values that other entries hold as secrets. */
export function withoutKnownValues(entry: PortableEntry, names: VariableNames): PortableEntry {
  const known = names.values().filter(([value]) => value.length >= MIN_ELSEWHERE);
  return mapEntry(entry, (text) => withVariables(text, known));
}

/** The text with each of these values replaced by its variable, in this order. */
function withVariables(
  text: string,
  values: readonly (readonly [value: string, name: string])[],
): string {
  return values.reduce((hidden, [value, name]) => inLiterals(hidden, value, `\${${name}}`), text);
}

/** Replaces a text outside variables. A text that contains variables is replaced as a whole. */
function inLiterals(text: string, secret: string, replacement: string): string {
  if (text === secret || secret.search(VARIABLE) >= 0)
    return text.replaceAll(secret, () => replacement);
  const parts = text.split(VARIABLE);
  return parts
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll(secret, () => replacement)))
    .join('');
}

/** The text without defaults that are secret: `${NAME:-secret}` becomes `${NAME}`. */
function withoutDefaults(place: string, text: string): string {
  return text.replace(/\$\{((?:env:)?([^{}:]+)):-([^{}]*)\}/g, (whole, head, name, value) => {
    const names = [place, name, nameBefore(text, whole) ?? ''];
    return isSecretDefault(names, value) ? `\${${head}}` : whole;
  });
}

/** A scheme in front of the credentials of a header. */
const SCHEME = /^((?:bearer|token|basic|bot|apikey|key)\s+)(?=\S)/i;

/** A part of a text that is secret, and what it is called. */
interface SecretPart {
  readonly text: string;
  readonly name: string;
}

/**
 * The secret part of a named value: the whole value, or what stands behind a scheme such as `Bearer`.
 * A value under a name that says nothing is secret if it looks like a key.
 */
function namedSecret(name: string, value: string): SecretPart | undefined {
  const scheme = SCHEME.exec(value)?.[1] ?? '';
  const rest = value.slice(scheme.length);
  const literal = masked(rest);
  const isSecret = isSecretName(name)
    ? isSecretValue(name, literal)
    : tokenWords(literal).length > 0 || isPartlySecret(literal);
  return isSecret ? { text: rest, name } : undefined;
}

/** The secret parts of an argument. `before` is the argument in front of it. */
function argumentSecrets(arg: string, before: string | undefined): SecretPart[] {
  const split = splitSecret(arg, before);
  const part = split && namedSecret(split.name, split.secret);
  if (part !== undefined) return [{ ...part, name: part.name.replace(/^-+/, '') }];
  return textSecrets(arg).map((text) => ({ text, name: nameBefore(arg, text) ?? 'SECRET' }));
}

/** The secret parts of an address. */
function urlSecrets(url: string): SecretPart[] {
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
function nameBefore(text: string, secret: string): string | undefined {
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

/** A variable in a text, such as `${NAME}`. A text that is split by it has variables at the odd places. */
export const VARIABLE: RegExp = /(\$\{[^{}]*\})/g;

/**
 * Names for the variables that replace secrets. One name stands for one value: for two values of one
 * name, the second gets another name. So does a value that differs from a variable that is set.
 */
export class VariableNames {
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #values = new Map<string, string>();

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#env = env;
  }

  /** The name for a value: `wanted` if possible, else with the name of the server before it. */
  nameFor(value: string, wanted: string, server: string): string {
    const first = variableName(wanted);
    const owner = variableName(server);
    const longer = first.startsWith(`${owner}_`) ? first : `${owner}_${first}`;
    for (let n = 1; ; n += 1) {
      for (const name of n === 1 ? [first, longer] : [`${longer}_${n}`]) {
        const known = this.#values.get(name) ?? this.#set(name) ?? value;
        if (known !== value) continue;
        this.#values.set(name, value);
        return name;
      }
    }
  }

  /** The values that have a name, the longest first. */
  values(): readonly (readonly [value: string, name: string])[] {
    const all = [...this.#values].map(([name, value]) => [value, name] as const);
    return all.sort(([a], [b]) => b.length - a.length);
  }

  #set(name: string): string | undefined {
    const value = Object.hasOwn(this.#env, name) ? this.#env[name] : undefined;
    return value === '' ? undefined : value;
  }
}

/** A text as the name of a variable: capital letters, digits and underscores. */
export function variableName(text: string): string {
  if (/^[A-Za-z_]\w*$/.test(text)) return text === text.toLowerCase() ? text.toUpperCase() : text;
  const name = text
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
  return /^[A-Z]/.test(name) ? name : `VALUE${name === '' ? '' : `_${name}`}`;
}

/** The names of the variables in a text that have no default: they must be set. */
export function requiredVariables(text: string): string[] {
  const found = text.matchAll(/\$\{(?:env:)?([A-Za-z_][\w.()-]*?)(:-[^{}]*)?\}/g);
  return [...found].flatMap(([, name = '', start]) =>
    name === 'workspaceFolder' || start !== undefined ? [] : [name],
  );
}
