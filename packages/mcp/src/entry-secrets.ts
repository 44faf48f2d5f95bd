import { KNOWN_TOKEN } from '@toolfold/config/internal/quote.ts';
import { isRecord, parsedJson } from '@toolfold/core/internal/values';
import {
  formsOf,
  isPlainWord,
  isSecretName,
  isSecretValue,
  longestFirst,
  secretTexts,
} from './redact.ts';

/** A value with its name in the configuration. */
export type NamedValue = readonly [name: string, value: string];

/** The parts of a server's entry that can hold secrets. */
interface EntryParts {
  /** A folder, of which only a part can be secret. */
  readonly cwd?: string | undefined;
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
  const { values: named = [], headers = [], args = [], url, cwd } = parts;
  const values = [
    ...[...named].flatMap(([name, value]) =>
      isSecretName(name) ? valuesIn(name, value) : partsIn(value),
    ),
    ...[...headers].flatMap(([name, value]) => valuesIn(name, value)),
    ...args.flatMap((_, at) => argumentSecrets(args, at)),
    ...(url === undefined ? [] : urlSecrets(url)),
    ...(cwd === undefined
      ? []
      : cwd.split(/[\\/?&;]+/).flatMap((part) => argumentSecrets([part], 0))),
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
const PAIR = /(?<![\w.-])([\w.-]+)=([^;&\s]+)/g;

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

function argumentSecrets(args: readonly string[], at: number): string[] {
  const [arg = '', before] = [args[at], args[at - 1]];
  const hasUser = namesUser(args);
  const words = shellWords(arg, MAX_NODES);
  const inner = words.flatMap((word, place) => inWord(word, words[place - 1], hasUser));
  if (isCommandLine(arg, before)) return inner;
  return [...inWord(arg, before, hasUser), ...(words.length === 1 ? [] : inner)];
}

function inWord(arg: string, before: string | undefined, hasUser: boolean): string[] {
  const known = arg.match(KNOWN_TOKEN) ?? [];
  const split = splitSecret(arg, before, hasUser);
  const named =
    split && isSecretValue(split.name, split.secret) ? valuesIn('key', split.secret) : [];
  const json = jsonSecrets(arg.replace(/^-{0,2}[\w.-]+=/, ''));
  return [...known, ...named, ...urlSecrets(arg), ...json, ...setSecrets(arg), ...encoded(arg)];
}

/** The value in `SetEnvironmentVariable('API_KEY', 'x')` of PowerShell and in `setx API_KEY x` of Windows. */
function setSecrets(word: string): string[] {
  const [, name = '', value = ''] =
    /\bSetEnvironmentVariable\(["']([^"']+)["'],\s*["']([^"']+)/i.exec(word) ??
    /^setx\s+(\w+)\s+["']?([^"']+)/i.exec(word) ??
    [];
  return isSecretName(name) && isSecretValue(name, value) ? [value] : [];
}

/** A word that is `user:password` in base64, as in basic authentication, and the password. */
function encoded(word: string): string[] {
  if (!/^(?:[A-Za-z\d+/]{4}){2,}$|^[A-Za-z\d+/]{6,}={1,2}$/.test(word)) return [];
  const text = Buffer.from(word, 'base64').toString('utf8');
  const password = /^[\w.@+-]+:([\x21-\x7e]{4,})$/.exec(text)?.[1];
  return password === undefined ? [] : [word, password];
}

/** Options of shells whose value is a command line. */
const RUNS = /^(?:-[a-z]*c|\/c|-command)$/i;

/**
 * Whether an argument is a command line: the words of `sh -c "API_KEY=x exec server"` are arguments themselves, and a
 * value ends with its word.
 */
export function isCommandLine(arg: string, before: string | undefined): boolean {
  return /^\s*\$\{?env:\w+\}?\s*=/i.test(arg) || (/\s/.test(arg) && RUNS.test(before ?? ''));
}

/**
 * A word of a command line. Spaces between quotation marks do not end it, nor do those of `$env:NAME = x` and `setx NAME x`, and between two
 * quoted arguments in PowerShell.
 */
export const SHELL_WORD: RegExp =
  /(?:\$\{?env:\w+\}?\s*=\s*|setx\s+\w+\s+|setenv\s+\w+\s+|set\s+(?:--?[a-z-]+\s+)+\w+\s+|(?:Set|New)-Item\s+(?:-Path\s+)?["']?Env:[\\/]?\w+["']?\s+(?:-Value\s+)?|os\.environ\[["']\w+["']\]\s*=\s*|(?<=["']),\s*(?=["'])|[^\s"';|&]|"[^"]*"|'[^']*')+/gi;

/** The words of a command line, without the quotation marks around them and around values. */
export function shellWords(text: string, most: number = Number.POSITIVE_INFINITY): string[] {
  return (text.match(SHELL_WORD) ?? []).slice(0, most).map(unquoted);
}

function unquoted(word: string): string {
  return word.replace(/^([^"'=]*=\s*)?(["'])(.*)\2$/s, '$1$3');
}

/** Programs of databases that read a password from `-px`. */
const CLIENT = /(?:^|[\s/\\])(?:mysql\w*|mariadb(?:-\w+)?)(?:\.exe)?(?:\s|$)/;

/** Words that set a variable: of PowerShell, fish, csh, Windows and Python. */
const SETS =
  /^((?:(?:Set|New)-Item\s+(?:-Path\s+)?["']?Env:[\\/]?(?=\w)|setenv\s+|setx\s+|set\s+(?:--?[\w-]+\s+)+|os\.environ\[["'])(\w+)["']?(?:\s+(?:-Value\s+)?|\]\s*=\s*)["']?)([^"'\s]+)["']?$/i;

/** Whether arguments name a user, or a program that takes a password, so that a short `-p` is about it. */
export function namesUser(args: readonly string[]): boolean {
  return args.some((arg) => /^(?:-[uU]|--?user(?:name)?(?:=.*)?)$/s.test(arg) || CLIENT.test(arg));
}

/** An argument that holds a secret, or ends with one. */
interface SecretArgument {
  readonly name: string;
  /** The part of the argument before the secret. */
  readonly kept: string;
  readonly secret: string;
}

/**
 * Finds the secret in `--api-key=x`, `API_KEY=x`, `$env:API_KEY = x`, `Authorization: x`, and in `x` after `--token` or `-p`. `hasUser`: the
 * arguments name a user.
 */
export function splitSecret(
  arg: string,
  before: string | undefined,
  hasUser = false,
): SecretArgument | undefined {
  const [, kept = '', name = '', secret = ''] =
    /^((?:\$\{?env:)?(-{0,2}[\w.-]+)\}?(?:\s*=\s*|:\s*))(?!\/\/)(.*)$/is.exec(arg) ?? [];
  // `Bearer x` is a header without its name.
  const [, scheme, token = ''] = /^(bearer\s+)(\S+)$/i.exec(arg) ?? [];
  if (scheme !== undefined) return { name: 'token', kept: scheme, secret: token };
  const [, setter, variable = '', set = ''] = SETS.exec(arg) ?? [];
  if (setter !== undefined && isSecretName(variable))
    return { name: variable, kept: setter, secret: set };
  // In `--env=API_KEY=x`, `--header=Authorization: x` and `cfg='password: x'` the name comes after the option.
  if (name !== '' && !isSecretName(name)) {
    const [, quote = '', within = ''] = /^(["']?)(.*)\1$/s.exec(secret) ?? [];
    const inner = splitSecret(within, undefined);
    if (inner) return { ...inner, kept: kept + quote + inner.kept };
    if (/^-{0,2}(?:e|env|header|H)$/.test(name)) return;
  }
  if (name !== '' && isSecretName(name)) {
    return secret === '' ? undefined : { name, kept, secret };
  }
  const short = shortOption(arg, before, hasUser);
  if (short) return short;
  // `-k` and `-sk` of curl take no value.
  const flag = /^(?:--|-(?!s?k$))([\w.-]+)$/i.exec(before ?? '')?.[1];
  if (flag === undefined || arg === '' || arg.startsWith('-') || !isSecretName(flag)) return;
  return { name: flag, kept: '', secret: arg };
}

/** What short options stand for in programs where their value is secret. */
const SHORT: Readonly<Record<string, string>> = {
  ...{ p: 'password', P: 'password', w: 'password', k: 'key', t: 'token', a: 'auth', s: 'secret' },
};

/**
 * The secret in `-p x`, `-px` and `-u user:x`. Such options have other meanings too, so the value has to look like a
 * secret. Beside the name of a user, any that is no number does behind `-p`.
 */
function shortOption(
  arg: string,
  before: string | undefined,
  hasUser: boolean,
): SecretArgument | undefined {
  const letter = /^-([pPwktas])$/.exec(before ?? '')?.[1] ?? '';
  const name = SHORT[letter];
  const isPassword = hasUser && /p/i.test(letter) && /^[^-/.~][^/\s]{3,}$/.test(arg);
  if (name !== undefined && ((isPassword && !/^[\d.:-]+$/.test(arg)) || isKeyLike(arg)))
    return { name, kept: '', secret: arg };
  const [, option = '', mark = '', joined = ''] = /^-([pPwktas])(=?)(.+)$/s.exec(arg) ?? [];
  if ((mark !== '' || (hasUser && option === 'p')) && isKeyLike(joined))
    return { name: SHORT[option] ?? '', kept: `-${option}${mark}`, secret: joined };
  const [, user, password = ''] = /^([^:\s/\\]+:)([^\s/]+)$/.exec(arg) ?? [];
  if (user === undefined || !/^(?:-[uU]|--user)$/.test(before ?? '') || /^\d+$/.test(password))
    return;
  return { name: 'password', kept: user, secret: password };
}

/** Whether a text looks like a secret, and not like a path, a package, a file, a number or a word. */
function isKeyLike(text: string): boolean {
  if (text.length < 6 || /[\s/\\@:]|^[-.~$]|\.\w{1,5}$/.test(text) || isPlainWord(text))
    return false;
  if (/^[a-z]+\d{0,2}(?:-[a-z]+\d{0,2})+$/.test(text)) return false;
  return (/\d/.test(text) && /[a-z]/i.test(text)) || /[!$%^&*?#+]/.test(text);
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
  // Looked for from its middle: from its beginning, a long word is read once for each of its letters.
  const [rest, scheme] = /(?<=([a-z][a-z\d+.-]*)):\/\/\S+/i.exec(text) ?? [];
  const url = rest === undefined ? null : URL.parse(`${scheme}${rest}`);
  if (url === null) return [];
  const query = [...url.searchParams].filter(([name, value]) => isSecretValue(name, value));
  const fragment = url.hash.slice(1);
  const pairs = fragment.includes('=')
    ? [...new URLSearchParams(fragment)].filter(([name, value]) => isSecretValue(name, value))
    : [];
  const inFragment = fragment.includes('=')
    ? []
    : fragment.split('/').filter((part) => isTokenLike(part) || isKeyLike(part));
  const segments = [...url.pathname.split('/').filter(isTokenLike), ...inFragment];
  const userinfo = [url.password, ...(url.password === '' ? [url.username] : [])];
  const password = userinfo.filter((part) => isSecretValue('password', part));
  return [...[...query, ...pairs].map(([, value]) => value), ...segments, ...password].flatMap(
    (part) => [part, decoded(part)],
  );
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
