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

/** The entry with each of its texts changed. Names of variables and headers stay. */
export function mapTexts(entry: PortableEntry, change: (text: string) => string): PortableEntry {
  const { command, args, env, cwd, url, headers } = entry;
  const values = (record: Readonly<Record<string, string>>) =>
    mapValues(record, (_, value) => change(value));
  return {
    ...entry,
    ...(command === undefined ? {} : { command: change(command) }),
    ...(args === undefined ? {} : { args: args.map(change) }),
    ...(env === undefined ? {} : { env: values(env) }),
    ...(cwd === undefined ? {} : { cwd: change(cwd) }),
    ...(url === undefined ? {} : { url: change(url) }),
    ...(headers === undefined ? {} : { headers: values(headers) }),
  };
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

/** The record with each of its values changed. */
export function mapValues(
  record: Readonly<Record<string, string>>,
  change: (name: string, value: string) => string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, change(name, value)]),
  );
}
