import { redact } from './redact.ts';

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
  for (let length = most; length > 0; length--)
    if (text.endsWith(secret.slice(0, length))) return length;
  return 0;
}
