import { mapTexts } from '@toolfold/core/internal/tools/values';

/** The part of an entry that Toolfold reads. */
export interface PortableEntry {
  readonly type?: 'sse';
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly envFile?: string;
  readonly cwd?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly passEnv?: readonly string[];
  readonly startSeconds?: number;
  readonly callSeconds?: number;
}

/** The keys with texts, in the order in which they are read. */
const KEYS = ['command', 'args', 'env', 'envFile', 'cwd', 'url', 'headers'] as const;

/** Changes a text of an entry. `name`: that of its variable or header, or its place in a list. */
export type ChangeText = (text: string, key: (typeof KEYS)[number], name: string) => string;

/** The entry with each of its texts changed. Names of variables and headers stay. */
export function mapEntry(entry: PortableEntry, change: ChangeText): PortableEntry {
  const changed = KEYS.filter((key) => entry[key] !== undefined).map((key) => [
    key,
    mapTexts(entry[key], (text, name) => change(text, key, name)),
  ]);
  return { ...entry, ...Object.fromEntries(changed) };
}

/** All texts of an entry. */
export function textsOf(entry: PortableEntry): string[] {
  const texts: string[] = [];
  mapEntry(entry, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}
