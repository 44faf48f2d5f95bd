import { redact, redactValue, secretTexts } from '../../../mcp/secrets/index.ts';
import { apiKeys } from '../../agents/index.ts';

/** Secrets that must never be sent to the editor or written to a log. */
export class Keys {
  readonly #keys: Set<string>;
  #secrets: readonly string[];

  /** Begins with the values of all variables whose names end with `_API_KEY`. */
  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#keys = new Set(apiKeys(env));
    this.#secrets = secretTexts(this.#keys);
  }

  readonly add = (key: string): void => {
    if (this.#keys.has(key)) return;
    this.#keys.add(key);
    this.#secrets = secretTexts(this.#keys);
  };

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
