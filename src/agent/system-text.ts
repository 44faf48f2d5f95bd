import type { AgentHooks, TransformSystemPrompt } from './settings/index.ts';

/** What a system text is frozen under: role and narrowing begin epochs. */
export function systemKey(role: string | undefined, only: readonly string[] = []): string {
  return [role ?? '', ...only].join('\0');
}

/** The app's system text, put through its hooks once for each epoch and frozen from then on. */
export class SystemText {
  readonly #text: string | undefined;
  readonly #hooks: readonly TransformSystemPrompt[];
  readonly #frozen = new Map<string, Promise<string | undefined>>();

  constructor(text: string | undefined, hooks: AgentHooks['transformSystemPrompt']) {
    this.#text = text;
    this.#hooks = hooks === undefined ? [] : typeof hooks === 'function' ? [hooks] : [...hooks];
  }

  /** The text for the epoch that the key stands for. */
  async text(key: string): Promise<string | undefined> {
    const known = this.#frozen.get(key) ?? this.#transform();
    this.#frozen.set(key, known);
    try {
      return await known;
    } catch (error) {
      // A hook that failed once may do better the next time.
      this.#frozen.delete(key);
      throw error;
    }
  }

  async #transform(): Promise<string | undefined> {
    if (this.#hooks.length === 0) return this.#text;
    let text = this.#text ?? '';
    for (const hook of this.#hooks) text = await hook(text);
    return text;
  }
}
