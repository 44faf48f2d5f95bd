/** Refused inputs waiting for the SDK to ask about them; it does so right after seeing the call. */
const LIMIT = 1_000;

/**
 * Passes a refusal from the middleware, which judges calls with the conversation at hand, to the
 * placeholder's `validate`, which the SDK gives nothing but the input. Each is used once: the SDK
 * validates past inputs again when it reads stored messages, and those must pass.
 */
export class Verdicts {
  readonly #refused = new Map<string, string>();

  refuse(toolName: string, input: string, text: string): void {
    this.#refused.set(`${toolName}\0${input}`, text);
    const [oldest] = this.#refused.keys();
    if (this.#refused.size > LIMIT && oldest !== undefined) this.#refused.delete(oldest);
  }

  /** The text of a refusal of exactly this input, once. */
  take(toolName: string, value: unknown): string | undefined {
    const key = `${toolName}\0${JSON.stringify(value)}`;
    const text = this.#refused.get(key);
    this.#refused.delete(key);
    return text;
  }
}
