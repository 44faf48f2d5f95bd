import { canonicalJson, type JsonObject, type JsonValue } from '@toolfold/core/internal/values';

/** The key of a value that JSON does not have. An object of the app with this key is wrapped too. */
const MARK = '$toolfold';

/** The value as JSON, so that `restored` gives an equal one. Knows bytes, dates and URLs beside JSON. */
export function plainValue(value: unknown): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return value.map((item) => plainValue(item) ?? null);
  if (value instanceof Uint8Array) return { [MARK]: 'bytes', value: toBase64(value) };
  if (value instanceof URL) return { [MARK]: 'url', value: value.href };
  if (value instanceof Date) return { [MARK]: 'date', value: value.getTime() };
  if (typeof value === 'bigint') return { [MARK]: 'bigint', value: `${value}` };
  if (typeof value !== 'object') return null;
  const toJson: unknown = Reflect.get(value, 'toJSON');
  if (typeof toJson === 'function') return plainValue(toJson.call(value, ''));
  const entries = Object.entries(value).flatMap(([key, item]) =>
    item === undefined || typeof item === 'function' || typeof item === 'symbol'
      ? []
      : [[key, plainValue(item)] as const],
  );
  const object: JsonObject = Object.fromEntries(entries);
  return Object.hasOwn(object, MARK) ? { [MARK]: 'object', value: object } : object;
}

/** Whether two values are the same as JSON, whatever the order of keys. */
export function areSamePlain(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  const [plain, otherPlain] = [plainValue(one), plainValue(other)];
  return canonicalJson(plain) === canonicalJson(otherPlain);
}

/** The value that `plainValue` was given. */
export function restored(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(restored);
  const record = value as Readonly<Record<string, unknown>>;
  if (Object.hasOwn(record, MARK)) return unmarked(record[MARK], record.value);
  return Object.fromEntries(Object.entries(record).map(([key, item]) => [key, restored(item)]));
}

function unmarked(kind: unknown, value: unknown): unknown {
  switch (kind) {
    case 'bytes':
      return fromBase64(String(value));
    case 'url':
      return new URL(String(value));
    case 'date':
      return new Date(Number(value));
    case 'bigint':
      return BigInt(String(value));
    default:
      // An object of the app that has the key itself.
      return Object.fromEntries(
        Object.entries(value as object).map(([key, item]) => [
          key,
          key === MARK ? item : restored(item),
        ]),
      );
  }
}

/** Characters that `String.fromCharCode` gets at once. */
const PIECE = 8_192;

export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += PIECE)
    text += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  return btoa(text);
}

export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
