// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of configuration files
import { KNOWN_TOKEN } from '@toolfold/config/internal/quote.ts';
import {
  entrySecrets,
  isCommandLine,
  namesUser,
  SHELL_WORD,
  shellWords,
  splitSecret,
} from '@toolfold/mcp/internal/entry-secrets.ts';
import { isPlainWord, isSecretName, isSecretValue, redact } from '@toolfold/mcp/internal/redact.ts';

/** A place of a text in the entry of a server. `name`: that of its variable or header, or its place in a list. */
export interface TextPlace {
  readonly key: 'command' | 'args' | 'env' | 'envFile' | 'cwd' | 'url' | 'headers';
  readonly name: string;
  /** The arguments of the entry. */
  readonly args?: readonly string[] | undefined;
}

/** The secret parts of a text: what `toolfold init` replaces, and what the question of trust hides. */
export function secretsIn(
  text: string,
  { key, name, args = [] }: TextPlace,
): readonly SecretPart[] {
  if (key === 'url') return urlSecrets(text);
  if (isPath(key)) return pathSecrets(text);
  if (key === 'args') return argumentSecrets(text, args[Number(name) - 1], namesUser(args));
  return [namedSecret(name, text) ?? []].flat();
}

function isPath(key: TextPlace['key']): boolean {
  return key === 'command' || key === 'cwd' || key === 'envFile';
}

/** The secret parts of a path, also of `token=x` between its separators. */
function pathSecrets(text: string): SecretPart[] {
  const parts = text.split(/[\\/?&;]+/).flatMap((piece) => {
    const split = splitSecret(piece, undefined);
    return split === undefined ? [] : [namedSecret(split.name, split.secret) ?? []].flat();
  });
  return parts.length === 0 ? wordSecrets(text, undefined, false) : parts;
}

/** What is never hidden from somebody who is asked about it: a program or a shell could run it. */
const RUNNABLE = /[\s;|<>()`"'{}]|^[!/.~$&]/;

/** The text as people may see it. Only what no program could run is hidden. */
export function shownText(text: string, place: TextPlace): string {
  const plain = withoutDefaults(placeName(place), text, (value, name) =>
    RUNNABLE.test(value) ? undefined : name,
  );
  if (place.key === 'url') return redact(plain, textsOf(secretsIn(plain, place)));
  if (isPrivateKey(plain.trim())) return '[redacted]';
  const isJson = /^(?:-{0,2}[\w.-]+=)?\s*[{[]/.test(plain);
  if (!/\s/.test(plain) || isJson || isPath(place.key))
    return hidden(plain, secretsIn(plain, place));
  // A header, or any value at the end.
  const [end] = secretsIn(plain, place).filter(({ text }) => plain.endsWith(text));
  const start = plain.slice(0, -(end?.text.length ?? 0));
  const isHeader = !isCommandLine(plain, place.args?.[Number(place.name) - 1]);
  if (end && isHeader && /^(?:[\w-]+[:=]\s*)*(?:\w+\s+)?$/.test(start))
    return start + hidden(end.text, [end]);
  // Word by word: a value that stands elsewhere too stays there.
  const hasUser = namesUser(place.args ?? []);
  let before: string | undefined;
  return plain.replace(SHELL_WORD, (word) => {
    const [inner = word] = shellWords(word);
    const parts = wordSecrets(inner, before, hasUser);
    before = inner;
    return hidden(word, parts);
  });
}

function hidden(text: string, parts: readonly SecretPart[]): string {
  return redact(
    text,
    textsOf(parts).filter((part) => !RUNNABLE.test(part) || isPrivateKey(part)),
  );
}

/** Whether a text is nothing but a private key in PEM: its lines are too long for names of programs. */
function isPrivateKey(text: string): boolean {
  return text.startsWith('-----BEGIN ') && text.match(KNOWN_TOKEN)?.[0] === text;
}

function textsOf(parts: readonly SecretPart[]): readonly string[] {
  return parts.map(({ text }) => text);
}

/** The name of a text: of its variable or header, or the option before it. */
export function placeName({ key, name, args }: TextPlace): string {
  return key === 'args' ? (args?.[Number(name) - 1]?.replace(/^-+/, '') ?? '') : name;
}

/** The text without defaults that are secret: `${NAME:-secret}` becomes `${NAME}`. `rename`: its name then; `undefined` keeps it. */
export function withoutDefaults(
  place: string,
  text: string,
  rename: (value: string, name: string) => string | undefined,
): string {
  return text.replace(/\$\{(env:|)([^{}:]+):-([^{}]*)\}/g, (whole, kind, name, value) => {
    const names = [place, name, nameBefore(text, whole) ?? ''];
    const other = isSecretDefault(names, value) ? rename(value, name) : undefined;
    return other === undefined ? whole : `\${${kind}${other}}`;
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
function argumentSecrets(arg: string, before: string | undefined, hasUser: boolean): SecretPart[] {
  if (!isCommandLine(arg, before)) return wordSecrets(arg, before, hasUser);
  const words = shellWords(arg);
  return words.flatMap((word, at) => wordSecrets(word, words[at - 1], hasUser));
}

function wordSecrets(arg: string, before: string | undefined, hasUser: boolean): SecretPart[] {
  const split = splitSecret(arg, before, hasUser);
  // The value of a variable of the shell is not in the text.
  const isVariable = /^(?:\$[\w(]|`)/.test(split?.secret ?? '');
  if (isVariable) return [];
  const part = split && namedSecret(split.name, split.secret);
  if (part) return [{ ...part, name: part.name.replace(/^-+/, '') }];
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
