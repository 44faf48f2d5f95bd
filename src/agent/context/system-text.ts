import type { AgentHooks, TransformSystemPrompt } from '../events/index.ts';
import type { Log } from '../log/index.ts';

/** The key of a frozen system text. A change of role or narrowing begins a new epoch. */
export function systemKey(role: string | undefined, only: readonly string[] = []): string {
  return [role ?? '', ...only].join('\0');
}

/** The app's system text. Its hooks run once per epoch; the result is then frozen. */
export class SystemText {
  readonly #text: string | undefined;
  readonly #hooks: readonly TransformSystemPrompt[];
  readonly #frozen = new Map<string, Promise<string | undefined>>();

  readonly #log: Log;

  /** Texts that hooks have made in an earlier process are used again. */
  constructor(text: string | undefined, hooks: AgentHooks['transformSystemPrompt'], log: Log) {
    this.#log = log;
    this.#text = text;
    this.#hooks = hooks === undefined ? [] : typeof hooks === 'function' ? [hooks] : [...hooks];
  }

  /** The text for the epoch of this key. Rejects if a hook fails. */
  async text(key: string): Promise<string | undefined> {
    const { systems } = this.#log.state;
    if (this.#hooks.length > 0 && systems.has(key)) return systems.get(key);
    const known = this.#frozen.get(key) ?? this.#transform(key);
    this.#frozen.set(key, known);
    try {
      return await known;
    } catch (error) {
      // The next request runs a failed hook again.
      this.#frozen.delete(key);
      throw error;
    }
  }

  async #transform(key: string): Promise<string | undefined> {
    if (this.#hooks.length === 0) return this.#text;
    let text = this.#text ?? '';
    for (const hook of this.#hooks) text = await hook(text);
    if (this.#log.session && this.#log.isHeld) await this.#log.append(['system', { key, text }]);
    return text;
  }
}
