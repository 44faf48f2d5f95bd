import { redact, redactValue, secretTexts } from '../../mcp/secrets/index.ts';
import type { LoadedModel } from './model.ts';

/** Secrets that must never be shown, sent to an editor or written to a log. */
export class Keys {
  readonly #keys: Set<string>;
  #secrets: readonly string[];

  /** Begins with the values of all variables whose names end with `_API_KEY`. */
  constructor(env: Readonly<Record<string, string | undefined>>) {
    const found = Object.entries(env).filter(([name]) => name.endsWith('_API_KEY'));
    this.#keys = new Set(found.map(([, key = '']) => key));
    this.#secrets = secretTexts(this.#keys);
  }

  add(...keys: readonly string[]): void {
    for (const key of keys) this.#keys.add(key);
    this.#secrets = secretTexts(this.#keys);
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
