import type { ServerEntry } from '@toolfold/mcp/internal/mcp';
import { entrySecrets, MIN_KEY, redact, redactValue } from '@toolfold/mcp/internal/mcp/secrets';
import type { LoadedModel } from './model.ts';

/** The ends of names of variables that hold keys. */
const KEY_NAME = /(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|PAT|AUTH)$/i;
/** The path of a file with a key, or of a socket, and not the key. */
const PATH = /^(?:~|\.{1,2})?\//;

/** Secrets that must never be shown, sent to a model or an editor, or written to a session or a log. */
export class Keys {
  #secrets: readonly string[] = [];

  /** Begins with the values of all variables whose names end like those of keys, such as `ACME_API_KEY`. */
  constructor(env: Readonly<Record<string, string | undefined>>) {
    const values = Object.entries(env).flatMap(([name, value = '']) =>
      KEY_NAME.test(name) && !PATH.test(value) ? [[name, value] as const] : [],
    );
    this.#hide(entrySecrets({ values }));
  }

  /** Hides these keys from then on. */
  add(...keys: readonly string[]): void {
    this.#hide(entrySecrets({ values: keys.map((key) => ['key', key]) }));
  }

  /** Hides what is secret in the entries of servers from then on. */
  addServers(entries: Iterable<ServerEntry>): void {
    for (const entry of entries) if (entry.kind !== 'unusable') this.#hide(entry.secrets);
  }

  /** Shorter texts are no keys: hidden, they would make ordinary texts unreadable. */
  #hide(texts: readonly string[]): void {
    const all = [...this.#secrets, ...texts.filter((text) => text.length >= MIN_KEY)];
    this.#secrets = [...new Set(all)].sort((a, b) => b.length - a.length);
  }

  /** Loads a model, and hides its key from then on. Rejects as `load` does. */
  async load(
    set: { load(name: string): Promise<LoadedModel> },
    name: string,
  ): Promise<LoadedModel> {
    const loaded = await set.load(name);
    if (loaded.key !== undefined) this.add(loaded.key);
    return loaded;
  }

  /** The texts to hide. */
  get secrets(): readonly string[] {
    return this.#secrets;
  }

  /** The text without them. */
  readonly hide = (text: string): string => redact(text, this.#secrets);

  /** The JSON value without them. Only for values of bounded depth. */
  redacted<T>(value: T): T {
    return redactValue(value, this.#secrets);
  }
}
