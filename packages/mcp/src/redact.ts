/** Minimum characters of a key that is hidden wherever it stands, such as in results of tools. */
export const MIN_KEY = 8;

/** Minimum characters of a secret. Redaction of shorter texts would make messages unreadable. */
const MIN_SECRET = 6;
const MAX_WORDS = 200;

/**
 * The texts to hide for secret values: each value of six characters or more, and each of its words of
 * that length that is not a plain word, in all forms (`formsOf`).
 */
export function secretTexts(values: Iterable<string>): string[] {
  const texts = new Set<string>();
  for (const value of values) {
    const words = value.split(/\s+/, MAX_WORDS).filter((word) => !isPlainWord(word));
    for (const text of [value, ...words]) {
      if (text.trim().length < MIN_SECRET) continue;
      for (const form of formsOf(text)) texts.add(form);
    }
  }
  return longestFirst(texts);
}

/** Sorts by length, so that a secret that contains another one is replaced as a whole. */
export function longestFirst(texts: Iterable<string>): string[] {
  return [...new Set(texts)].sort((a, b) => b.length - a.length);
}

/**
 * The forms in which a text can occur in another text: unchanged, without control characters, escaped
 * for URLs, JSON and HTML, in base64 at any offset, and in hexadecimal digits.
 */
export function formsOf(text: string): string[] {
  const plain = text.trim();
  // A lone surrogate cannot be encoded in a URL or in UTF-8. It is sent as U+FFFD.
  const sound = plain.toWellFormed();
  const url = encodeURIComponent(sound);
  const json = JSON.stringify(plain).slice(1, -1);
  const hex = Buffer.from(sound).toString('hex');
  const forms = [
    ...[plain, sound, stripControls(plain), stripControls(plain).replace(/\s+/g, ' ')],
    ...[url, url.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())],
    ...[url.replaceAll('%20', '+'), encodeURI(sound)],
    ...[json, json.replaceAll('/', '\\/'), JSON.stringify(json).slice(1, -1)],
    plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
    ...[hex, hex.toUpperCase()],
    ...base64Forms(sound),
  ];
  return [...new Set(forms)].filter((form) => form.length >= Math.min(plain.length, MIN_SECRET));
}

/** The base64 forms of a text at the three offsets in a group of bytes, without the characters shared with neighbouring bytes. */
function base64Forms(text: string): string[] {
  const bytes = Buffer.from(text);
  const forms = [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const first = [0, 2, 3][before] ?? 0;
    const shared = (before + bytes.length) % 3 === 0 ? 0 : 1;
    const unpadded = encoded.replace(/=+$/, '');
    return unpadded.slice(first, unpadded.length - shared);
  });
  const long = forms.filter((form) => form.length >= MIN_SECRET);
  return long.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]);
}

/**
 * A function that replaces these secrets in a text, in all forms in which they can occur (`formsOf`), for the option `hide`
 * of a fold. Values under eight characters are left out: hidden, they would make ordinary texts unreadable.
 */
export function hideSecrets(values: Iterable<string>): (text: string) => string {
  const keys = [...values].filter((value) => value.length >= MIN_KEY);
  const secrets = secretTexts(keys).filter((text) => text.length >= MIN_KEY);
  return (text) => redact(text, secrets);
}

/** The text with every secret replaced. */
export function redact(text: string, secrets: readonly string[]): string {
  let result = text;
  for (const secret of secrets) result = result.replaceAll(secret, '[redacted]');
  return result;
}

/** A JSON value with every secret replaced, also in keys. Returns the same value if it holds no secret. */
export function redactValue<T>(value: T, secrets: readonly string[]): T {
  if (secrets.length === 0) return value;
  return mapTexts(value, (text) => redact(text, secrets)) as T;
}

/** Recursive, so only for values of bounded depth. */
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) {
    const items = value.map((item) => mapTexts(item, change));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  let isChanged = false;
  const entries = Object.entries(value).map(([key, item]) => {
    const entry = [change(key), mapTexts(item, change)] as const;
    isChanged ||= entry[0] !== key || entry[1] !== item;
    return entry;
  });
  return isChanged ? Object.fromEntries(entries) : value;
}

/**
 * Redacts a text that comes in pieces. An end that may be the beginning of a secret is held back until the
 * next piece, or `end`, shows what it is.
 */
export class PieceRedactor {
  readonly #secrets: () => readonly string[];
  #held = '';

  /** `secrets`: the texts to hide, as `secretTexts` returns them. */
  constructor(secrets: () => readonly string[]) {
    this.#secrets = secrets;
  }

  /** What of the text so far is known to be harmless and was not returned before. */
  take(piece: string): string {
    const secrets = this.#secrets();
    const text = redact(this.#held + piece, secrets);
    const end = text.length - Math.max(0, ...secrets.map((secret) => overlap(text, secret)));
    this.#held = text.slice(end);
    return text.slice(0, end);
  }

  /** What was held back. The next piece begins another text. */
  end(): string {
    const rest = this.#held;
    this.#held = '';
    return rest;
  }
}

/** The length of the longest end of the text with which the secret begins, but not the whole secret. */
function overlap(text: string, secret: string): number {
  const most = Math.min(text.length, secret.length - 1);
  const start = secret.slice(0, MIN_KEY);
  // A long one is found by its start: there may be as many as the text has characters.
  for (let at = text.length - most; ; at += 1) {
    at = text.indexOf(start, at);
    if (at < 0) break;
    if (secret.startsWith(text.slice(at))) return text.length - at;
  }
  for (let length = Math.min(most, start.length - 1); length > 0; length--)
    if (text.endsWith(secret.slice(0, length))) return length;
  return 0;
}

/** Parts of the names of secret values. */
const SECRET_PART =
  /key|token|secret|passw|passphrase|credential|authori[sz]|bearer|cookie|signature|private|dsn|connection.?string/i;
const SECRET_WORDS = new Set(
  'pass pw pwd psw auth pat pin otp jwt tok cred creds sid session sas sig'.split(' '),
);

/** Names of public environment variables and request headers. */
const PUBLIC_NAMES = new Set(
  [
    'home path pwd oldpwd lang language tz term shell user logname hostname tmpdir temp tmp editor',
    'userprofile appdata localappdata node_env env environment log_level loglevel debug port host',
    'workspacefolder accept accept-encoding accept-language content-type user-agent origin referer',
    'cache-control connection',
  ].flatMap((names) => names.split(' ')),
);

/** Values that are never secret, whatever their name is. */
const COMMON_VALUES = new Set(
  [
    'true false null none undefined default auto enabled disabled localhost production development',
    'staging testing test debug info warn warning error trace verbose silent public private basic',
    'bearer oauth oauth2 read write readonly admin user root guest password token secret',
  ].flatMap((words) => words.split(' ')),
);

/** Words in names of amounts and kinds. A number or a plain word under such a name is not secret. */
const MEASURE_WORDS = new Set('max min limit count budget size length timeout ttl type'.split(' '));

/** Minimum characters of a hidden value under a secret name. */
const MIN_NAMED = 4;
/** Minimum characters of a hidden value under any other name. */
const MIN_UNNAMED = 6;

/** Whether the name of a variable, a flag or a header indicates a secret value. */
export function isSecretName(name: string): boolean {
  if (SECRET_PART.test(name) || /^(?:--)?s?k$/i.test(name)) return true;
  return wordsOf(name).some((word) => SECRET_WORDS.has(word));
}

function wordsOf(name: string): string[] {
  const parted = name.replace(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase();
  return parted.split(/[^a-z\d]+/);
}

/** Whether a text is a common word: letters, up to three words joined as in `readOnlyMode`, or a number. */
export function isPlainWord(text: string): boolean {
  if (text.length > 16) return /^\d{1,9}(?:[.\-:]\d{1,9})*$/.test(text);
  return /^(?:\p{Lu}+|\p{L}?[\p{Ll}\p{Lo}]*(?:\p{Lu}\p{Ll}+){0,2}|v?\d{1,9}(?:[.\-:]\d{1,9})*)$/u.test(
    text,
  );
}

/**
 * Whether a value must be hidden by the cautious rule, for headers, parameters of addresses, and files that
 * `toolfold init` writes. Under a secret name: from four characters on. Under a public name: never. Under any other name: from six characters on, unless the
 * value is a plain word or a number. Common values such as `production` and `true` stay readable.
 */
export function isSecretValue(name: string, value: string): boolean {
  const text = value.trim();
  if (COMMON_VALUES.has(text.toLowerCase())) return false;
  const isMeasure = isPlainWord(text) && wordsOf(name).some((word) => MEASURE_WORDS.has(word));
  if (isSecretName(name)) return text.length >= MIN_NAMED && !isMeasure;
  if (PUBLIC_NAMES.has(name.toLowerCase())) return false;
  return text.length >= MIN_UNNAMED && !isPlainWord(text);
}

/** Removes terminal escapes and control characters except line ends and tabs. */
export function stripControls(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the matter
      .replace(/\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|.)/g, '')
      .replace(/[^\P{C}\n\t]/gu, '')
  );
}
