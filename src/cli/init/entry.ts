import { isRecord } from '../../tools/values/index.ts';

/** The part of an entry that Toolfold reads. */
export interface PortableEntry {
  readonly type?: 'sse';
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly passEnv?: readonly string[];
  readonly startSeconds?: number;
  readonly callSeconds?: number;
}

/** The keys with texts, in the order in which they are read. */
const KEYS = ['command', 'args', 'env', 'cwd', 'url', 'headers'] as const;

/** Changes a text of an entry. `name`: that of its variable or header, or its place in a list. */
export type ChangeText = (text: string, key: (typeof KEYS)[number], name: string) => string;

/** The entry with each of its texts changed. Names of variables and headers stay. */
export function mapTexts(entry: PortableEntry, change: ChangeText): PortableEntry {
  const changed = KEYS.filter((key) => entry[key] !== undefined).map((key) => [
    key,
    mapJson(entry[key], (text, name) => change(text, key, name)),
  ]);
  return { ...entry, ...Object.fromEntries(changed) };
}

/** All texts of an entry. */
export function textsOf(entry: PortableEntry): string[] {
  const texts: string[] = [];
  mapTexts(entry, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}

/** The value with each of its texts changed. A client's file has a bounded depth. */
export function mapJson(
  value: unknown,
  change: (text: string, name: string) => string,
  name: string = '',
): unknown {
  if (typeof value === 'string') return change(value, name);
  if (Array.isArray(value)) return value.map((item, at) => mapJson(item, change, String(at)));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapJson(item, change, key)]),
  );
}
