import type { AgentHooks, TransformSystemPrompt } from './agent-options.ts';

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
  text(key: string): Promise<string | undefined> {
    const known = this.#frozen.get(key) ?? this.#transform();
    this.#frozen.set(key, known);
    return known;
  }

  async #transform(): Promise<string | undefined> {
    if (this.#hooks.length === 0) return this.#text;
    let text = this.#text ?? '';
    for (const hook of this.#hooks) text = await hook(text);
    return text;
  }
}
