import { isPlainWord } from './secret-names.ts';

/** Shorter texts are no secrets, and taking them out would make messages unreadable. */
const MIN_SECRET = 6;
/** Of a value many words long so many are looked for by themselves. */
const MAX_WORDS = 200;

/**
 * The texts to hide for some values that are secret: each value of six characters or more, and each
 * such word of it that is no plain word, in every form in which text carries it (`formsOf`).
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

/** So that a secret containing another one goes whole. */
export function longestFirst(texts: Iterable<string>): string[] {
  return [...new Set(texts)].sort((a, b) => b.length - a.length);
}

/**
 * The forms in which a text can stand in another: as it is, without control characters, escaped as
 * in a URL, in JSON and in HTML, in base64 wherever it begins there, and in hexadecimal digits.
 */
export function formsOf(text: string): string[] {
  const plain = text.trim();
  // Half of a surrogate pair has no form in a URL or in UTF-8: it is sent as U+FFFD.
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

/** What the text is in base64 at each of its three places in a group of bytes, less the edges that its neighbours share. */
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

/** The text with every secret replaced. */
export function redact(text: string, secrets: readonly string[]): string {
  let result = text;
  for (const secret of secrets) result = result.replaceAll(secret, '[redacted]');
  return result;
}

/** A JSON value with every secret replaced, in keys too; the same value where there is none in it. */
export function redactValue<T>(value: T, secrets: readonly string[]): T {
  if (secrets.length === 0) return value;
  return mapTexts(value, (text) => redact(text, secrets)) as T;
}

/** For values of bounded depth. */
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

/** Strips terminal escapes and control characters, line ends and tabs aside. */
export function stripControls(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the matter
      .replace(/\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|.)/g, '')
      .replace(/[^\P{C}\n\t]/gu, '')
  );
}
