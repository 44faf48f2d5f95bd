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
  readonly #frozen = new Map<string, Promise<string>>();

  readonly #log: Log;

  /** Texts that hooks have made in an earlier process are used again. */
  constructor(text: string | undefined, hooks: AgentHooks['transformSystemPrompt'], log: Log) {
    this.#log = log;
    this.#text = text;
    this.#hooks = hooks === undefined ? [] : typeof hooks === 'function' ? [hooks] : [...hooks];
  }

  /** The text for the epoch of this key. Rejects if a hook fails. */
  async text(key: string): Promise<string | undefined> {
    const { state, session } = this.#log;
    if (this.#hooks.length === 0) return this.#text;
    if (state.systems.has(key)) return state.systems.get(key) || undefined;
    const known = this.#frozen.get(key) ?? this.#transform();
    this.#frozen.set(key, known);
    try {
      const text = await known;
      // A question beside the turns may have been the first, and keeps nothing.
      if (session && this.#log.isHeld && !state.systems.has(key))
        await this.#log.append(['system', { key, text }]);
      return text || undefined;
    } catch (error) {
      // The next request runs a failed hook again.
      this.#frozen.delete(key);
      throw error;
    }
  }

  async #transform(): Promise<string> {
    let text = this.#text ?? '';
    for (const hook of this.#hooks) text = await hook(text);
    return text;
  }
}
